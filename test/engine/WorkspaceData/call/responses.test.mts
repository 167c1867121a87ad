/** Tests responses without a result, calls that the service rejects, and executions that the user stops. */
import { describe, expect, test } from 'vitest';
import type { Fault } from '../../../sandbox/types.mts';
import { companiesNamed, domainsOf } from '../../../n8n/service.mts';
import { hintsOf, jsonOf, type RunOptions } from '../../harness/support.mts';
import { path, useEnrich } from './enriching.mts';

const { bench, run: enrich } = useEnrich([]);
const onError = 'continueRegularOutput';
const meta = { ctx_id: 'c' };

function run(items: object[], more: Partial<RunOptions> = {}, options = {}) {
	return enrich({ maxConcurrent: 1, ...options }, { items, ...more });
}

describe('a response without a result', () => {
	const none = (status: number) => `Enrich returned no result for 1 of 2 items (HTTP ${status}).`;
	const working = ' After HTTP 202, the service may still be working on a result.';
	const accepted = none(202) + working;

	test.each<[string, Omit<Fault, 'path'>, object, string]>([
		[
			'returns the body of HTTP 202 unchanged, with one hint',
			{ status: 202, body: { status: 'queued' } },
			{ status: 'queued' },
			accepted,
		],
		[
			'returns an empty item for HTTP 202 without a body, with one hint',
			{ status: 202, body: '' },
			{},
			accepted,
		],
		['returns an empty item for HTTP 204, with a hint', { status: 204, body: '' }, {}, none(204)],
		[
			'returns a whole response without the member "data", with one hint',
			{ body: { success: true, meta } },
			{ success: true, meta },
			none(200),
		],
		[
			'returns an empty item if the data of a response is empty, with one hint',
			{ body: { success: true, data: {}, meta } },
			{},
			none(200),
		],
		[
			'returns an item with null if the data of a response is null, with one hint',
			{ body: { success: true, data: null, meta } },
			{ data: null },
			none(200),
		],
	])('%s', async (_name, fault, item, hint) => {
		bench.sandbox.addFault({ path, ...fault });
		const result = await run(companiesNamed('company', 2));
		expect(result.error).toBeUndefined();
		expect(jsonOf(result)).toEqual([item, expect.objectContaining({ domain: expect.any(String) })]);
		expect(hintsOf(result)).toEqual(['Sent 2 calls (may be billed).', hint]);
	});

	test('shows one hint with the number of all responses without a result', async () => {
		bench.sandbox.addFault({ path, times: 2, status: 202, body: {} });
		bench.sandbox.addFault({ path, status: 204, body: '' });
		expect(hintsOf(await run(companiesNamed('company', 3)))[1]).toBe(
			`Enrich returned no result for 3 of 3 items (HTTP 202, 204).${working}`,
		);
	});
});

describe('a call that the service rejects', () => {
	test('counts a rejected call towards Limit Calls, and sends it again in the next attempt of Retry On Fail', async () => {
		bench.sandbox.addFault({ path, status: 402 });
		const items = companiesNamed('company', 5);
		const tries = { onError, retryOnFail: { maxTries: 2, waitBetweenTries: 1 } } as const;
		const once = await run(items, { onError }, { maxCalls: 3 });
		expect(domainsOf(bench.sandbox.calls.enrich)).toEqual(domainsOf(items.slice(1, 3)));
		expect(hintsOf(once)).toEqual([
			'Sent 2 calls (may be billed). 1 item was not sent, or rejected by the service. Limit Calls skipped 2 items.',
		]);
		bench.sandbox.clearRequests();
		bench.sandbox.addFault({ path, status: 402 });
		const again = await run(items, tries, { maxCalls: 3 });
		const sent = domainsOf(bench.sandbox.calls.enrich);
		expect(sent.toSorted()).toEqual(domainsOf(items.slice(0, 3)));
		expect(bench.sandbox.requests).toHaveLength(4);
		expect(hintsOf(again)[0]).toMatch(
			/^Sent 3 calls \(may be billed\), 2 of them in earlier attempts\./,
		);
	});
});

describe('HTTP 404 for one item', () => {
	const body = { message: 'no such company' };
	const page = '<html><head><title>Not found</title></head><body>Not found</body></html>';
	const says = ({ message, error }: Record<string, unknown>) => `${error} ${message}`;

	test.each([0, 1, 2])(
		'says that the service found nothing for the values if only item %i gets HTTP 404',
		async (skip) => {
			bench.sandbox.addFault({ path, skip, status: 404, body });
			const failed = jsonOf(await run(companiesNamed('company', 3), { onError }))[skip];
			expect(failed.error).toBe('The service found nothing for these values: "no such company"');
			expect(says(failed)).not.toContain('Base URL');
		},
	);

	test.each([400, 404, 410, 422])(
		'does not blame the Base URL if one call gets HTTP %i with a web page',
		async (status) => {
			bench.sandbox.addFault({ path, status, body: page, contentType: 'text/html' });
			const [failed] = jsonOf(await run(companiesNamed('company', 2), { onError }));
			expect(says(failed)).not.toContain('Base URL');
		},
	);

	test('advises to check the Base URL if all calls get HTTP 404', async () => {
		bench.sandbox.addFault({ path, times: 2, status: 404, body });
		for (const failed of jsonOf(await run(companiesNamed('company', 2), { onError })))
			expect(says(failed)).toContain('Base URL');
	});
});

describe('a stopped execution', () => {
	const items = companiesNamed('company', 12);
	const calls = { maxConcurrent: 3 };

	test.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'returns the results received before the user stops an execution, and counts all sent calls (On Error: %s)',
		async (onError) => {
			// When the execution stops, four calls have a response, and three are in flight.
			bench.sandbox.addFault({ path, skip: 4, times: Infinity, action: 'hang' });
			const cancelWhen = () => bench.sandbox.requests.length >= 7;
			const result = await run(items, { onError, cancelWhen }, calls);
			expect(result.status).toBe('canceled');
			expect(domainsOf(jsonOf(result))).toEqual(domainsOf(items.slice(0, 4)));
			expect(hintsOf(result)).toEqual([
				'Sent 7 calls (may be billed), 3 of them without a response so far. 5 items were not sent, because the execution was stopped.',
			]);
			expect(result.run.data.resultData.metadata).toEqual({ workspaceDataCalls: '7' });
			expect(JSON.stringify(result.run.data)).not.toContain('On Error');
		},
	);

	test('does not count throttled calls as sent if the user stops the execution before their retry', async () => {
		const headers = { 'retry-after': '60' };
		bench.sandbox.addFault({ path, skip: 4, times: Infinity, status: 429, headers });
		let looks = 0;
		const refused = () => bench.sandbox.requests.filter(({ status }) => status === 429);
		const cancelWhen = () => refused().length >= 3 && ++looks > 40;
		const result = await run(items, { cancelWhen }, calls);
		expect(hintsOf(result)[0]).toBe(
			'Sent 4 calls (may be billed). 8 items were not sent, because the execution was stopped.',
		);
	});
});
