import { beforeEach, describe, expect, test } from 'vitest';
import { idsOf, jsonOf, useSandbox } from '../harness/support.mts';

const bench = useSandbox({ companies: 120, orders: 0, items: 0, deals: 0 });

const companies = { resource: 'company', operation: 'getAll', returnAll: true };
const enrich = { resource: 'company', operation: 'enrich', dataToSend: 'autoMapInputData' };
const leads = Array.from({ length: 120 }, (_none, index) => ({ domain: `${index}.example` }));

const refused = (): number => bench.sandbox.requests.filter(({ status }) => status === 429).length;

beforeEach(() => {
	bench.sandbox.setUnkind({});
});

describe.each(['RateLimit', 'X-RateLimit'] as const)('a limit announced by %s', (announce) => {
	const rateLimit = { algorithm: 'fixedWindow', requests: 30, windowMs: 1_000, announce } as const;

	test('lets 120 calls through windows of 30 with at most 2 refused', async () => {
		bench.sandbox.setUnkind({ rateLimit });
		const run = await bench.run(enrich, { items: leads });
		expect(run.error).toBeUndefined();
		expect(jsonOf(run)).toHaveLength(120);
		expect(bench.sandbox.calls.enrich).toHaveLength(120);
		expect(refused()).toBeLessThanOrEqual(2);
	});

	test('is kept by a list', async () => {
		bench.sandbox.setUnkind({ rateLimit });
		const run = await bench.run({ ...companies, options: { pageSize: 2 } });
		expect(new Set(idsOf(run)).size).toBe(120);
		expect(refused()).toBeLessThanOrEqual(2);
	});
});

test('a long window is waited for before a call is refused', async () => {
	const announce = 'X-RateLimit time';
	bench.sandbox.setUnkind({
		rateLimit: { algorithm: 'fixedWindow', requests: 30, windowMs: 11_000, announce },
	});
	const run = await bench.run(enrich, { items: leads.slice(0, 45) });
	expect(run.error).toBeUndefined();
	expect(bench.sandbox.calls.enrich).toHaveLength(45);
	expect(refused()).toBeLessThanOrEqual(1);
});

test('a window that begins later than Max Wait is not waited for: the service says so itself', async () => {
	bench.sandbox.setUnkind({
		rateLimit: { algorithm: 'fixedWindow', requests: 2, windowMs: 60_000, announce: 'RateLimit' },
	});
	const options = { maxConcurrent: 1, maxWait: 1 };
	const started = performance.now();
	const run = await bench.run(
		{ ...enrich, options },
		{ items: leads.slice(0, 3), onError: 'continueRegularOutput' },
	);
	expect(jsonOf(run).map((json) => 'error' in json)).toEqual([false, false, true]);
	expect(jsonOf(run)[2]?.error).toBe('The service is receiving too many requests');
	expect(performance.now() - started).toBeLessThan(10_000);
});

test('a Retry-After date counts from the Date of its own answer, whatever time the service thinks it is', async () => {
	for (const aheadMs of [3_600_000, -3_600_000]) {
		bench.sandbox.clearRequests();
		const now = Date.now() + aheadMs;
		const headers = {
			date: new Date(now).toUTCString(),
			'retry-after': new Date(now + 2_000).toUTCString(),
		};
		bench.sandbox.addFault({ path: '/v2/enrich', status: 429, headers });
		const run = await bench.run(enrich, { items: leads.slice(0, 1) });
		expect(run.error).toBeUndefined();
		const [first, second] = bench.sandbox.requests.map(({ at }) => at);
		expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(1_900);
		expect((second ?? 0) - (first ?? 0)).toBeLessThan(10_000);
	}
});
