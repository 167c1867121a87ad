import { describe, expect, test } from 'vitest';
import type { INodeExecutionData } from 'n8n-workflow';
import { companiesNamed, domainsOf } from '../../../n8n/service.mts';
import { jsonOf, type RunOptions } from '../../harness/support.mts';
import { enrich, useEnrich } from './enriching.mts';

const { bench } = useEnrich([]);

const atOnce = (maxConcurrent: number) => ({ ...enrich, options: { maxConcurrent } });

/** Expression that returns the input item, but fails for an item with the field `fail`. */
const FAILS_IF_MARKED = '={{ $json.fail ? $("No such node").item : $json }}';

function pairs(items: INodeExecutionData[] | undefined): number[] {
	return (items ?? []).map(({ pairedItem }) => (pairedItem as { item: number }).item);
}

describe('parallel calls', () => {
	test('sends each call once, never more in parallel than Parallel Requests, and returns results in input order', async () => {
		bench.sandbox.setLatency(20);
		const items = companiesNamed('company', 60);
		const run = await bench.run(atOnce(7), { items });
		expect(domainsOf(jsonOf(run))).toEqual(domainsOf(items));
		expect(pairs(run.outputs[0])).toEqual(items.map((_, index) => index));
		expect(Math.max(...bench.sandbox.requests.map(({ inFlight }) => inFlight))).toBe(7);
		// Sort the domains, because parallel requests can arrive in any order.
		expect(domainsOf(bench.sandbox.calls.enrich).toSorted()).toEqual(domainsOf(items));
	});

	test('cancels calls that wait for a retry if a failed call ends the node', async () => {
		bench.sandbox.setQuirks({
			rateLimit: { algorithm: 'fixedWindow', requests: 2, windowMs: 60_000, retryAfter: false },
		});
		// The fifth request fails. The node then cancels the throttled requests, and must not report their errors.
		bench.sandbox.addFault({ path: '/v2/enrich', skip: 4, status: 422, body: { message: 'no' } });
		const run = await bench.run(atOnce(5), { items: companiesNamed('company', 5) });
		expect(run.error?.httpCode).toBe('422');
		const statuses = bench.sandbox.requests.map(({ status }) => status).sort();
		expect(statuses).toEqual([200, 200, 422, 429, 429]);
	});
});

test('shows how many calls were sent, and how many items shared a call', async () => {
	const items = ['a', 'a', 'b', 'a'].map((name) => ({ domain: `${name}.example` }));
	const run = await bench.run({ ...enrich, options: { deduplicateBy: '*' } }, { items });
	expect(run.hints.map(({ message }) => message)).toEqual([
		'Sent 2 calls (may be billed). 2 items were answered by the call of an identical item.',
	]);
	expect(bench.sandbox.requests).toHaveLength(2);
});

test('returns an error for each item that shares a failed call, after only one request', async () => {
	bench.sandbox.addFault({ path: '/v2/enrich', status: 422, body: { message: 'no such field' } });
	const items = Array(3).fill({ domain: 'a' });
	const options = { deduplicateBy: '*' };
	const run = await bench.run({ ...enrich, options }, { items, onError: 'continueRegularOutput' });
	expect(bench.sandbox.requests).toHaveLength(1);
	for (const { error } of jsonOf(run)) expect(error).toContain('no such field');
	expect(pairs(run.outputs[0])).toEqual([0, 1, 2]);
	expect(run.hints).toEqual([]);
});

test('returns the input fields and files of failed, invalid and skipped items with Include Input Fields', async () => {
	const binary = { data: { data: 'aGk=', mimeType: 'text/plain', fileName: 'hi.txt' } };
	const [domain, note] = ['a.example', 'mine'];
	const items = [{ domain, note }, { domain, failed: 1 }, { refused: 1 }, { domain, skipped: 1 }];
	// The third item has an invalid option, but the node must still apply Include Input Fields to this item.
	const maxConcurrent = '={{ $json.domain ? 1 : 0 }}';
	const parameters = { ...enrich, includeInputFields: true };
	const options = { maxCalls: 2, maxConcurrent };
	bench.sandbox.addFault({ path: '/v2/enrich', skip: 1, status: 422 });
	const input = items.map((json) => ({ json, binary }));
	const run = await bench.run(
		{ ...parameters, options },
		{ items: input, onError: 'continueErrorOutput' },
	);
	expect(run.hints[0]?.message).toBe(
		'Sent 1 call (may be billed). 1 item was not sent, or rejected by the service. 1 item was refused before sending. Limit Calls skipped 1 item.',
	);
	const [made = [], failed = []] = run.outputs;
	const error = { error: expect.any(String), message: expect.any(String) };
	expect(made.map(({ json }) => json)).toMatchObject([{ domain, note, enrichment: { domain } }]);
	expect(failed.map(({ json }) => json)).toMatchObject(
		items.slice(1).map((json) => ({ ...json, ...error })),
	);
	const files = [...made, ...failed].map((item) => item.binary?.data.fileName);
	expect(files).toEqual(items.map(() => 'hi.txt'));
	const { outputs } = await bench.run(
		{ ...parameters, options },
		{ items: input, onError: 'continueRegularOutput' },
	);
	expect(outputs[0]).toMatchObject(items.map((json) => ({ json })));
});

describe('On Error with a failure at the first, a middle and the last item', () => {
	const items = companiesNamed('company', 9);

	async function runWithFailureAt(position: number, onError: RunOptions['onError']) {
		bench.sandbox.clearFaults();
		bench.sandbox.clearRequests();
		bench.sandbox.addFault({ path: '/v2/enrich', skip: position, status: 500 });
		return await bench.run(atOnce(1), { items, onError });
	}

	test.each([0, 4, 8])(
		'returns an error only for item %i, with both kinds of On Error: Continue',
		async (position) => {
			const all = items.map((_, index) => index);
			const run = await runWithFailureAt(position, 'continueRegularOutput');
			expect(run.status).toBe('success');
			expect(pairs(run.outputs[0])).toEqual(all);
			const failed = jsonOf(run).map((json) => 'error' in json);
			expect(failed).toEqual(all.map((index) => index === position));
			expect(bench.sandbox.calls.enrich).toHaveLength(8);

			const routed = await runWithFailureAt(position, 'continueErrorOutput');
			expect(pairs(routed.outputs[0])).toEqual(all.filter((index) => index !== position));
			expect(pairs(routed.outputs[1])).toEqual([position]);
			expect(routed.outputs[1]?.[0]?.json).toMatchObject({
				...items[position],
				error: expect.stringContaining('HTTP 500'),
				details: { httpCode: '500' },
			});
			expect(bench.sandbox.requests).toHaveLength(9);
		},
	);

	test.each([0, 4, 8])(
		'fails at item %i with On Error: Stop, and sends no later item',
		async (position) => {
			const run = await runWithFailureAt(position, 'stopWorkflow');
			expect(run.status).toBe('error');
			expect(run.error?.context).toMatchObject({ itemIndex: position });
			expect(bench.sandbox.requests).toHaveLength(position + 1);
			const calls = `${position} call${position === 1 ? '' : 's'}`;
			const lost = `Lost: the results of ${calls} that may be billed, because this node stops on errors. To keep results next time, set On Error to Continue in the settings of this node.<br>1. Check in the service`;
			if (position > 0) expect(run.error?.description?.startsWith(lost)).toBe(true);
			else expect(run.error?.description).not.toContain('On Error');
		},
	);

	test.each([
		[
			'no data to send',
			{},
			/\[item 49\] has no values to send.*Nothing was sent now, because this node stops/,
		],
		['an expression that fails', { fail: true }, /Nothing was sent now, because this node stops/],
	])('sends no item with On Error: Stop if one item has %s', async (_why, bad, said) => {
		const run = await bench.run(
			{ ...enrich, dataToSend: 'json', jsonBody: FAILS_IF_MARKED },
			{ items: [...companiesNamed('company', 49), bad, ...companiesNamed('company', 10)] },
		);
		expect(bench.sandbox.requests).toEqual([]);
		expect(run.error?.context).toMatchObject({ itemIndex: 49 });
		expect(`${run.error?.message} ${run.error?.description ?? ''}`).toMatch(said);
	});
});
