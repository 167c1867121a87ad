import { describe, expect, test, vi } from 'vitest';
import { USUAL_PAGE_SIZE } from '../../../../nodes/shared/lists/page-size.ts';
import type { Quirks } from '../../../sandbox/types.mts';
import { companiesNamed } from '../../../n8n/service.mts';
import { hurry } from '../../harness/clock.mts';
import { hintsOf, jsonOf, useSandbox } from '../../harness/support.mts';
import { companyTrigger } from '../../harness/trigger-poller.mts';

const bench = useSandbox({ companies: 100, orders: 5, items: 5, deals: 5 });

const companies = { resource: 'company', operation: 'getAll', returnAll: true };
const enrich = { resource: 'company', operation: 'enrich', dataToSend: 'autoMapInputData' };
const leads = (howMany: number): object[] =>
	Array.from({ length: howMany }, (_none, index) => ({ domain: `${index}.example` }));

test('logs each wait before a retry, and shows one hint for all long waits', async () => {
	hurry();
	vi.spyOn(Math, 'random').mockReturnValue(0);
	const headers = { 'retry-after': '7.1' };
	bench.sandbox.addFault({ path: '/v2/public/companies', status: 503, headers, times: 2 });
	// Request no more than the usual page size, because the node does not retry a request for a larger page.
	const run = await bench.run({ ...companies, returnAll: false, limit: USUAL_PAGE_SIZE });
	expect(jsonOf(run)).toHaveLength(USUAL_PAGE_SIZE);
	const lines = run.logs.filter(({ message }) => message.startsWith('Workspace Data: waiting'));
	expect(lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
		'info Workspace Data: waiting 7.1 seconds before retry 1 (HTTP 503)',
		'info Workspace Data: waiting 7.1 seconds before retry 2 (HTTP 503)',
	]);
	const told = 'The service limits the number of requests, so this node had to wait.';
	expect(hintsOf(run).filter((hint) => hint.includes(told))).toHaveLength(1);
});

test('applies one limit of Requests per Minute to all nodes, loop rounds and attempts of Retry On Fail', async () => {
	hurry();
	bench.sandbox.addFault({ times: 2, status: 500 });
	const options = { requests: { values: { retryFor: 0, maxRequestsPerMinute: 3 } } };
	bench.sandbox.clearRequests();
	const retryOnFail = { maxTries: 4, waitBetweenTries: 0 };
	const who = { resource: 'workspace', operation: 'whoAmI', options };
	await bench.run(who, { items: leads(1), retryOnFail });
	const runs = [];
	for (let run = 0; run < 3; run++)
		runs.push(await bench.run({ ...enrich, options }, { items: leads(2) }));
	const arrived = bench.sandbox.requests.map(({ at }) => at * 300);
	expect(bench.sandbox.requests.length, 'requests').toBeGreaterThanOrEqual(9);
	// With a limit of 3 requests per minute, the fourth request arrives at least a minute after the first, and so on.
	// Allow some tolerance for the network.
	for (const [index, atMs] of arrived.slice(3).entries()) {
		expect(atMs - arrived[index], 'ms between two requests').toBeGreaterThan(50_000);
	}
	for (const { logs } of runs) {
		const told = logs.filter(({ message }) => message.includes('Requests per Minute'));
		expect(told.length, 'lines').toBeLessThanOrEqual(2);
	}
	const lines = runs.flatMap(({ logs }) => logs.map(({ level, message }) => `${level} ${message}`));
	expect(lines).toContainEqual(
		expect.stringMatching(/^info Workspace Data: waiting .* for 'Requests per Minute'$/),
	);
});

describe('a service that rejects every call', () => {
	const items = companiesNamed('unsent', 60);
	const path = '/v2/enrich';
	const parameters = { ...enrich, options: { maxConcurrent: 5 } };
	const onError = 'continueRegularOutput';

	test('sends fewer than 30 of 60 calls if each gets HTTP 502, and returns errors for all items', async () => {
		hurry();
		bench.sandbox.clearRequests();
		bench.sandbox.addFault({ path, times: Infinity, status: 502 });
		const run = await bench.run(parameters, { items, onError });
		expect(bench.sandbox.requests.length, 'requests').toBeLessThan(30);
		expect(run.outputs[0]).toHaveLength(60);
		expect(JSON.stringify(run.outputs[0]?.at(-1)?.json)).toContain('Nothing was sent');
	});

	test('stops sending calls after ten different calls in a row got HTTP 401', async () => {
		bench.sandbox.clearRequests();
		bench.sandbox.addFault({ path, times: Infinity, status: 401 });
		const run = await bench.run(parameters, { items, onError });
		expect(bench.sandbox.requests.length, 'requests').toBeLessThan(15);
		expect(run.outputs[0]).toHaveLength(60);
	});
});

describe('a daily quota of the service that is used up', () => {
	const quota = 7;
	const dailyQuota = (requests: number): Quirks => ({
		rateLimit: { algorithm: 'fixedWindow', requests, windowMs: 86_400_000 },
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'returns an error for each item beyond the daily quota, but sends few of these items (On Error: %s)',
		async (onError) => {
			for (const [maxConcurrent, maxRequests] of [
				// The node gives up after ten different throttled requests in a row.
				[1, quota + 10],
				// With five requests in parallel, up to five more are in flight when the node gives up.
				[5, quota + 15],
			] as const) {
				bench.sandbox.setQuirks(dailyQuota(quota));
				bench.sandbox.clearRequests();
				const run = await bench.run(
					{ ...enrich, options: { maxConcurrent } },
					{ items: leads(100), onError },
				);
				expect(bench.sandbox.requests.length, 'requests').toBeLessThanOrEqual(maxRequests);
				expect(bench.sandbox.calls.enrich).toHaveLength(quota);
				const items = run.outputs.flat();
				const failed = items.filter(({ json }) => 'error' in json);
				expect([items.length, failed.length]).toEqual([100, 100 - quota]);
				for (const { json } of failed) {
					expect(json.error).toMatch(/^The service is receiving too many requests/);
					expect(json.message).toContain('asked to wait 24 hours');
					expect(json.message).toContain("longer than 'Retry For' (5 minutes) allows");
				}
				const unsent = failed.filter(({ json }) => /Nothing was sent/.test(String(json.message)));
				expect(unsent).toHaveLength(100 - bench.sandbox.requests.length);
			}
		},
	);
});

describe('a system clock that is changed during a run', () => {
	/** Changes the system clock by `byMs` as soon as `from` returns true. */
	function setClock(byMs: number, from: () => boolean): void {
		const realNow = Date.now;
		vi.spyOn(Date, 'now').mockImplementation(() => realNow() + (from() ? byMs : 0));
	}

	test('does not lengthen a wait if the system clock is set back by ten minutes', async () => {
		const headers = { 'retry-after': '1' };
		bench.sandbox.addFault({ path: '/v2/public/companies', status: 429, headers });
		vi.spyOn(Math, 'random').mockReturnValue(0);
		// The node waits in steps of 250 ms, so a timer of 250 ms shows that a wait has begun.
		const { mock } = vi.spyOn(globalThis, 'setTimeout');
		setClock(-600_000, () => mock.calls.some(([, ms]) => ms === 250));
		expect(jsonOf(await bench.run(companies))).toHaveLength(100);
	});

	test('does not end a poll early if the system clock is set forward by an hour', async () => {
		setClock(3_600_000, () => bench.sandbox.requests.length > 0);
		const options = { pagination: { values: { pageSize: 10 } } };
		const poller = await companyTrigger(bench)({ startFrom: 'beginning', options });
		expect((await poller.poll()).items).toHaveLength(100);
	});
});
