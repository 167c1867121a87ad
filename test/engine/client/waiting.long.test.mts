import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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

describe('waiting is visible', () => {
	test('as a log line for each wait, and one hint once waits add up', async () => {
		vi.spyOn(Math, 'random').mockReturnValue(0);
		const headers = { 'retry-after': '5.1' };
		bench.sandbox.addFault({ path: '/v2/public/companies', status: 503, headers, times: 2 });
		const run = await bench.run(companies);
		expect(jsonOf(run)).toHaveLength(100);
		const lines = run.logs.filter(({ message }) => message.startsWith('Workspace Data: waiting'));
		expect(lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
			'info Workspace Data: waiting 5.1 s before retry 1 (HTTP 503)',
			'info Workspace Data: waiting 5.1 s before retry 2 (HTTP 503)',
		]);
		expect(run.hints).toHaveLength(1);
		expect(run.hints[0]?.message).toContain('waited more than 10 seconds');
	});
});

describe('a window of few requests, refused without Retry-After', () => {
	const rateLimit = {
		algorithm: 'fixedWindow',
		requests: 10,
		windowMs: 3_000,
		retryAfter: false,
	} as const;

	test('a list is read to its end, however few retries there are', async () => {
		bench.sandbox.setUnkind({ rateLimit });
		const run = await bench.run({ ...companies, options: { pageSize: 6, maxRetries: 0 } });
		expect(run.error).toBeUndefined();
		expect(new Set(idsOf(run)).size).toBe(100);
		expect(idsOf(run)).toHaveLength(100);
	});

	test('every billed call succeeds, and is sent and billed once', async () => {
		bench.sandbox.setUnkind({ rateLimit });
		const options = { maxRetries: 0, maxConcurrent: 5 };
		const run = await bench.run(
			{ ...enrich, options },
			{ items: Array.from({ length: 25 }, (_none, index) => ({ domain: `${index}.example` })) },
		);
		expect(run.error).toBeUndefined();
		expect(jsonOf(run)).toHaveLength(25);
		expect(bench.sandbox.calls.enrich).toHaveLength(25);
		expect(new Set(bench.sandbox.calls.enrich.map((body) => JSON.stringify(body))).size).toBe(25);
	});
});
