import { describe, expect, test } from 'vitest';
import { useSandbox } from '../harness/support.mts';
import { companies, enrich } from './nodes.mts';

const bench = useSandbox({ companies: 30 });

describe('cancelling the execution', () => {
	test('ends a Retry-After wait at once, and nothing more is sent', async () => {
		const headers = { 'retry-after': '60' };
		bench.sandbox.addFault({ path: '/v2/enrich', status: 429, headers, times: Infinity });
		const run = await bench.run(enrich, { cancelAfterMs: 300 });
		expect(run.status).toBe('canceled');
		expect(run.stoppedAfterCancelMs).toBeLessThan(1000);
		const { length } = bench.sandbox.requests;
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(bench.sandbox.requests).toHaveLength(length);
	});

	test.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'stops a list between its pages (%s)',
		async (onError) => {
			bench.sandbox.setLatency(50);
			const parameters = { ...companies, returnAll: true, options: { pageSize: 1 } };
			const run = await bench.run(parameters, { cancelAfterMs: 250, onError });
			bench.sandbox.setLatency(0);
			expect(run.status).toBe('canceled');
			expect(run.stoppedAfterCancelMs).toBeLessThan(1000);
			const { length } = bench.sandbox.requests;
			expect(length).toBeLessThan(30);
			await new Promise((resolve) => setTimeout(resolve, 200));
			expect(bench.sandbox.requests.length - length).toBeLessThanOrEqual(1);
		},
	);

	test('starts no further call of many', async () => {
		bench.sandbox.setLatency(100);
		const items = Array.from({ length: 100 }, () => ({}));
		const onError = 'continueRegularOutput';
		const run = await bench.run(enrich, { items, cancelAfterMs: 250, onError });
		bench.sandbox.setLatency(0);
		expect(run.status).toBe('canceled');
		// Those that were under way end after the run, and must not be counted by the next test.
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(bench.sandbox.requests.length).toBeLessThan(30);
	});
});
