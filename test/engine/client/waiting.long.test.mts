import { afterEach, describe, expect, test, vi } from 'vitest';
import { jsonOf, useSandbox } from '../harness/support.mts';

const bench = useSandbox({ companies: 30 });

const companies = { resource: 'company', operation: 'getAll' };

afterEach(() => {
	vi.restoreAllMocks();
});

describe('waiting is visible', () => {
	test('as a log line for each wait, and one hint once waits add up', async () => {
		vi.spyOn(Math, 'random').mockReturnValue(0);
		const headers = { 'retry-after': '5.1' };
		bench.sandbox.addFault({ path: '/v2/public/companies', status: 503, headers, times: 2 });
		const run = await bench.run(companies);
		expect(jsonOf(run)).toHaveLength(30);
		const lines = run.logs.filter(({ message }) => message.startsWith('Workspace Data: waiting'));
		expect(lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
			'info Workspace Data: waiting 5.1 s before retry 1 (HTTP 503)',
			'info Workspace Data: waiting 5.1 s before retry 2 (HTTP 503)',
		]);
		expect(run.hints).toHaveLength(1);
		expect(run.hints[0]?.message).toContain('waited more than 10 seconds');
	});
});
