import { createRequire } from 'node:module';
import path from 'node:path';
import type { IExecuteFunctions, INodeType } from 'n8n-workflow';
import { expect, test } from 'vitest';

const dist = path.resolve(import.meta.dirname, '../../../../dist/nodes');
const require = createRequire(import.meta.url);

/** One function of this package that waits for a request while it is sent. */
interface Step {
	name: string;
	file: string;
}

/** From the request back to the node's `execute`. */
function stepsIn(stack: string): Step[] {
	return stack.split('\n').flatMap((line) => {
		const [, name = '', file = ''] =
			/at (?:async )?(?:(\S+) )?.*?\(?(\/[^:()]+):\d+/.exec(line) ?? [];
		if (!file.startsWith(dist)) return [];
		return [{ name: name.replace(/^.*\./, ''), file: path.relative(dist, file) }];
	});
}

const parameters: Record<string, unknown> = {
	resource: 'company',
	operation: 'getAll',
	returnAll: true,
	options: { pageSize: 2 },
};
const answer = JSON.stringify({
	data: { items: [{ id: '1' }] },
	meta: { pagination: { total: 1 } },
});

/** Runs Company: Get Many, and gives what was waiting when its request was sent. */
async function stackOfRequest(): Promise<string> {
	let stack = '';
	const context: Partial<IExecuteFunctions> = {
		getNode: () =>
			({ type: 'workspaceData', parameters }) as ReturnType<IExecuteFunctions['getNode']>,
		getNodeParameter: ((name: string, _index: number, fallback?: unknown) =>
			parameters[name] ?? fallback) as IExecuteFunctions['getNodeParameter'],
		getInputData: () => [{ json: {} }],
		getExecuteData: () => ({}) as ReturnType<IExecuteFunctions['getExecuteData']>,
		getTimezone: () => 'UTC',
		getCredentials: async () =>
			({
				baseUrl: 'https://api.example.com',
				apiVersion: 'v2',
				apiKey: 'fake-key-of-this-test',
			}) as never,
		continueOnFail: () => false,
		helpers: {
			httpRequestWithAuthentication: async () => {
				stack = new Error('sent').stack ?? '';
				return { statusCode: 200, headers: {}, body: answer };
			},
		} as unknown as IExecuteFunctions['helpers'],
	};
	const { WorkspaceData } = require(`${dist}/WorkspaceData/WorkspaceData.node.js`) as {
		WorkspaceData: new () => INodeType;
	};
	const output = await new WorkspaceData().execute?.call(context as IExecuteFunctions);
	expect(output).toMatchObject([[{ json: { id: '1' } }]]);
	return stack;
}

test('a list passes at most twelve functions in seven files before a request leaves, no two with one name', async () => {
	const before = Error.stackTraceLimit;
	Error.stackTraceLimit = 200;
	const steps = stepsIn(await stackOfRequest().finally(() => (Error.stackTraceLimit = before)));
	// Both ends are seen, so nothing between them is missing.
	expect(steps[0]?.file).toBe('client/transport.js');
	expect(steps.at(-1)).toEqual({ name: 'execute', file: 'WorkspaceData/WorkspaceData.node.js' });
	expect(steps.length).toBeLessThanOrEqual(12);
	expect(new Set(steps.map(({ file }) => file)).size).toBeLessThanOrEqual(7);
	const names = steps.map(({ name }) => name).filter((name) => name !== '');
	expect(names).toEqual([...new Set(names)]);
});
