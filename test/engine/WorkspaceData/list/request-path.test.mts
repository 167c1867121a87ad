import { afterEach, expect, test, vi } from 'vitest';

import { HarnessCredentialsHelper } from '../../harness/credentials.mts';
import { useSandbox } from '../../harness/support.mts';

const bench = useSandbox({ companies: 300 });
const { stackTraceLimit } = Error;

afterEach(() => {
	Error.stackTraceLimit = stackTraceLimit;
	vi.restoreAllMocks();
});

/** The functions of the built package that are on the way to a request, the outermost first. */
function functionsInside(stack: string): string[] {
	const lines = stack.split('\n').filter((line) => /[\\/]dist[\\/]nodes[\\/]/.test(line));
	const calls = lines.map((line) =>
		/at (?:async )?(.*?) ?\(?(?:file:\/\/)?\S*?dist\/nodes\/(\S+?):/.exec(line),
	);
	return calls.map((call) => `${call?.[2]} ${call?.[1]}`).reverse();
}

test('from execute to the request of a list: at most 9 functions in 6 files', async () => {
	const stacks: string[] = [];
	// n8n asks for this first, in the same tick as the package asks n8n for the request.
	vi.spyOn(HarnessCredentialsHelper.prototype, 'getParentTypes').mockImplementation(() => {
		stacks.push(new Error().stack ?? '');
		return [];
	});
	Error.stackTraceLimit = 100;
	const list = { resource: 'company', operation: 'getAll', returnAll: true };
	await bench.succeed({ ...list, options: { pageSize: 100 } });
	const [first] = stacks.map(functionsInside);
	expect(first[0]).toContain('WorkspaceData.node.js');
	expect(first.at(-1)).toContain('transport.js');
	expect(first.length).toBeLessThanOrEqual(9);
	expect(new Set(first.map((call) => call.split(' ')[0])).size).toBeLessThanOrEqual(6);
});
