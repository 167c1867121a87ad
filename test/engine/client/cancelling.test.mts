import { describe, expect, test } from 'vitest';
import { useSandbox } from '../harness/support.mts';
import { companies, enrich } from './nodes.mts';

const bench = useSandbox({ companies: 30 });

/** Cancels once so many requests have arrived. */
const cancelAt = (requests: number) => ({
	cancelWhen: () => bench.sandbox.requests.length >= requests,
});

describe('cancelling the execution', () => {
	test('ends a wait of an hour for Retry-After, and nothing more is sent', async () => {
		const headers = { 'retry-after': '3600' };
		bench.sandbox.addFault({ path: '/v2/enrich', status: 429, headers, times: Infinity });
		const parameters = { ...enrich, options: { maxWait: 7_200 } };
		const run = await bench.run(parameters, cancelAt(1));
		expect(run.status).toBe('canceled');
		expect(bench.sandbox.requests).toHaveLength(1);
	});

	test.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'stops a list between its pages (%s)',
		async (onError) => {
			bench.sandbox.setLatency(50);
			const parameters = { ...companies, returnAll: true, options: { pageSize: 1 } };
			const run = await bench.run(parameters, { ...cancelAt(4), onError });
			bench.sandbox.setLatency(0);
			expect(run.status).toBe('canceled');
			expect(bench.sandbox.requests.length, 'requests for 30 pages of one').toBeLessThan(30);
		},
	);

	test('starts no further call of many', async () => {
		bench.sandbox.setLatency(50);
		const items = Array.from({ length: 100 }, () => ({}));
		const onError = 'continueRegularOutput';
		const run = await bench.run(enrich, { items, ...cancelAt(10), onError });
		bench.sandbox.setLatency(0);
		expect(run.status).toBe('canceled');
		// Those that were under way end after the run, and must not be counted by the next test.
		await expect.poll(() => bench.sandbox.requests.every(({ status }) => status !== 0)).toBe(true);
		expect(bench.sandbox.requests.length, 'requests for 100 calls').toBeLessThan(100);
	});
});
