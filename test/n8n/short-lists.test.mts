/**
 * Tests in a real n8n how many requests the first page of a list takes, and whether the node reads short lists in
 * parallel.
 */
import { expect, test } from 'vitest';
import { useLab } from './lab.mts';
import { fieldsOf } from './rest.mts';
import { chain, companiesNode, dataNode, items, manualTrigger } from './workflows.mts';

const RECORDS = 2_000;
const LISTS = 20;

const longList = chain('Long list', [manualTrigger(), companiesNode()]);

/** Workflow that reads one page of five records for each of 20 input items: page 1 for the first item, and so on. */
const shortLists = chain('Short lists', [
	manualTrigger(),
	items(Array.from({ length: LISTS }, (_none, index) => ({ page: index + 1 }))),
	dataNode({
		...{ resource: 'company', operation: 'getAll', limit: 5 },
		options: { pagination: { values: { pageSize: 5, page: '={{ $json.page }}' } } },
	}),
]);

const lab = useLab({
	name: 'short-lists',
	sandbox: { companies: RECORDS },
	workflows: () => [longList, shortLists],
});

test.each([10_000, 200, 20])(
	'needs at most 6 requests for the first page of a list if the service leaves out one of every %i records',
	async (every) => {
		lab.sandbox.clearRequests();
		lab.sandbox.setQuirks({ hidden: { every } });
		const execution = await lab.succeed(longList);
		expect(fieldsOf(execution)).toHaveLength(RECORDS - Math.ceil(RECORDS / every));
		const first = lab.sandbox.requests.filter(({ query }) => query.cursor === undefined);
		expect(first.length).toBeLessThanOrEqual(6);
	},
);

test('reads the lists of 20 input items in parallel, and returns their records in the order of the items', async () => {
	lab.sandbox.setQuirks({});
	lab.sandbox.clearRequests();
	lab.sandbox.setLatency(100);
	const execution = await lab.succeed(shortLists);
	const all = [...lab.sandbox.records('company')].sort((one, other) =>
		String(one.updated_at).localeCompare(String(other.updated_at)),
	);
	const ids = fieldsOf(execution).map(({ id }) => id);
	expect(ids).toEqual(all.slice(0, 5 * LISTS).map(({ id }) => id));
	const { requests } = lab.sandbox;
	expect(requests).toHaveLength(LISTS);
	const mostAtOnce = Math.max(...requests.map(({ inFlight }) => inFlight));
	expect(mostAtOnce).toBeGreaterThan(1);
	expect(mostAtOnce).toBeLessThanOrEqual(5);
});
