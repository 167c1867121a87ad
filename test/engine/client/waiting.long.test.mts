import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { idsOf, jsonOf, useSandbox } from '../harness/support.mts';

const bench = useSandbox({ companies: 100 });

const companies = { resource: 'company', operation: 'getAll', returnAll: true };
const enrich = { resource: 'company', operation: 'enrich', dataToSend: 'autoMapInputData' };

beforeEach(() => {
	bench.sandbox.setUnkind({});
});
afterEach(() => {
	vi.restoreAllMocks();
});

test('waiting is visible as a log line for each wait, and one hint once waits add up', async () => {
	vi.spyOn(Math, 'random').mockReturnValue(0);
	const headers = { 'retry-after': '5.1' };
	bench.sandbox.addFault({ path: '/v2/public/companies', status: 503, headers, times: 2 });
	const run = await bench.run(companies);
	expect(jsonOf(run)).toHaveLength(100);
	const lines = run.logs.filter(({ message }) => message.startsWith('Workspace Data: waiting'));
	expect(lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
		'info Workspace Data: waiting 5.1 seconds before retry 1 (HTTP 503)',
		'info Workspace Data: waiting 5.1 seconds before retry 2 (HTTP 503)',
	]);
	const told =
		'The service limits how many requests it accepts, so this node waited more than 10 seconds';
	const waits = run.hints.filter(({ message }) => message.includes(told));
	expect(waits).toHaveLength(1);
});

test('at a window of few requests, refused without Retry-After, a list is read to its end and every call is billed once', async () => {
	bench.sandbox.setUnkind({
		rateLimit: { algorithm: 'fixedWindow', requests: 10, windowMs: 3_000, retryAfter: false },
	});
	const list = await bench.run({ ...companies, options: { pageSize: 6, maxRetries: 0 } });
	expect(list.error).toBeUndefined();
	expect(new Set(idsOf(list)).size).toBe(100);
	expect(idsOf(list)).toHaveLength(100);
	const items = Array.from({ length: 25 }, (_none, index) => ({ domain: `${index}.example` }));
	const options = { maxRetries: 0, maxConcurrent: 5 };
	const run = await bench.run({ ...enrich, options }, { items });
	expect(run.error).toBeUndefined();
	expect(jsonOf(run)).toHaveLength(25);
	expect(bench.sandbox.calls.enrich).toHaveLength(25);
	expect(new Set(bench.sandbox.calls.enrich.map((body) => JSON.stringify(body))).size).toBe(25);
});
