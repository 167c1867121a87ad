import { expect, test } from 'vitest';
import { hurry } from '../../harness/clock.mts';
import { useSandbox } from '../../harness/support.mts';

const bench = useSandbox({ companies: 300 });
const items = Array.from({ length: 12 }, (_none, index) => ({
	type: index === 3 ? 'deal' : 'company',
}));
const OF_ITEM = { __rl: true, mode: 'name', value: '={{ $json.type }}' };
const short = { resource: 'company', operation: 'getAll', limit: 5 };
const mostAtOnce = (): number =>
	Math.max(...bench.sandbox.requests.map(({ inFlight }) => inFlight));

test.each([
	['items', 5],
	['pages', 5],
	['ndjson', 1],
	['csv', 1],
])('reads the lists of several items as %s, at most %i in parallel', async (outputAs, atOnce) => {
	bench.sandbox.setLatency(20);
	const run = await bench.run({ ...short, outputAs }, { items });
	expect(bench.sandbox.requests).toHaveLength(items.length);
	expect(mostAtOnce()).toBeLessThanOrEqual(atOnce);
	// On a busy machine, fewer than five lists may run at once.
	expect(mostAtOnce() > 1).toBe(atOnce > 1);
	const sources = run.outputs[0].map(({ pairedItem }) => (pairedItem as { item: number }).item);
	expect(sources).toEqual([...sources].sort((one, other) => one - other));
	expect(new Set(sources).size).toBe(items.length);
});

/**
 * Parameters that read one list for each input item. Item 3 reads deals, and tests can make this list fail. All other
 * items read companies.
 */
const query = { ...short, resource: 'record', operation: 'query', objectType: OF_ITEM };
const failDeals = () => bench.sandbox.addFault({ bodyHas: '"deal"', status: 404, times: Infinity });

test('stops all lists of a run if one list fails, and reports the error of the list that failed', async () => {
	bench.sandbox.setLatency(20);
	failDeals();
	const run = await bench.run(query, { items });
	expect(run.error?.message).not.toMatch(/cancel/i);
	expect(run.error).toMatchObject({ context: { itemIndex: 3 } });
	expect(bench.sandbox.requests.length).toBeLessThan(items.length);
});

test('returns records or an error for each list in the order of the input, with On Error: Continue', async () => {
	bench.sandbox.setLatency(20);
	failDeals();
	const onError = 'continueRegularOutput';
	const run = await bench.run(query, { items, onError });
	const failed = run.outputs[0].filter(({ json }) => 'error' in json);
	expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 3 }]);
	expect(run.outputs[0]).toHaveLength(5 * (items.length - 1) + 1);
	const sources = run.outputs[0].map(({ pairedItem }) => (pairedItem as { item: number }).item);
	expect(sources).toEqual([...sources].sort((one, other) => one - other));
});

test('applies Requests per Minute to lists that run in parallel', async () => {
	hurry();
	const options = { requests: { values: { maxRequestsPerMinute: 3 } } };
	const run = await bench.succeed({ ...short, options }, { items: items.slice(0, 8) });
	expect(run.outputs[0]).toHaveLength(5 * 8);
	const arrived = bench.sandbox.requests.map(({ at }) => at * 300);
	expect(arrived).toHaveLength(8);
	// With a limit of 3 requests per minute, the fourth request arrives at least a minute after the first, and so on.
	// Allow some tolerance for the network.
	for (const [index, atMs] of arrived.slice(3).entries())
		expect(atMs - arrived[index], 'ms between two requests').toBeGreaterThan(50_000);
});
