/** One limit for a whole list, chosen where no cursor exists yet: what a limit that grows lost, once. */
import { afterEach, describe, expect, test } from 'vitest';

import { idsOf, jsonOf, useSandbox, type NodeRun } from '../../harness/support.mts';
import { filesOf, idOf, linesOf } from '../export/reading.mts';

const bench = useSandbox({ companies: 2_000, orders: 700, items: 5, deals: 5 });
const orders = { resource: 'order', operation: 'getAll' };
const keepOn = { onError: 'continueRegularOutput' } as const;

afterEach(() => bench.sandbox.setUnkind({}));

function expectOnce(ids: readonly string[], howMany: number): void {
	expect([ids.length, new Set(ids).size]).toEqual([howMany, howMany]);
}

test('what the cursors of one list are says nothing of the next list of the run', async () => {
	const refusePageSizeAbove = { size: 200, status: 422 } as const;
	bench.sandbox.setUnkind({ cursorsCountPages: ['order'], refusePageSizeAbove });
	const query = { resource: 'record', operation: 'query', objectType: '={{ $json.type }}' };
	const items = [{ type: 'company' }, { type: 'order' }];
	const run = await bench.succeed({ ...query, returnAll: true }, { items });
	expectOnce(idsOf(run), 2_700);
	const bodies = bench.sandbox.requests.slice(-3).map(({ body }) => body);
	expect(bodies).toMatchObject(Array(3).fill({ object_type: 'order', cursor: expect.any(String) }));
});

describe('records of one date, with ids in an order that nobody knows, and cursors that count pages', () => {
	test.each([
		[{ limit: 150 }, {}, 150],
		[{ returnAll: true }, { recordsPerFile: 250 }, 700],
		[{ returnAll: true }, { recordsPerFile: 90, pageSize: 40 }, 700],
	])('with %j and %j', async (how, options, howMany) => {
		const ids = [...bench.sandbox.records('order')].map(({ id }) => String(id));
		bench.sandbox.update('order', ids);
		bench.sandbox.setUnkind({ cursorsCountPages: true, numericIds: 'mixed' });
		const outputAs = 'recordsPerFile' in options ? 'ndjson' : 'items';
		const run = await bench.succeed({ ...orders, ...how, outputAs, options });
		expectOnce(outputAs === 'items' ? idsOf(run) : linesOf(await filesOf(run)).map(idOf), howMany);
	});
});

describe('a cursor and its limit', () => {
	const lastPage = (run: NodeRun) =>
		(jsonOf(run).at(-1)?.meta as { pagination: Record<string, unknown> }).pagination;

	test('lead from Pages to the rest', async () => {
		bench.sandbox.setUnkind({ cursorsCountPages: true });
		const first = await bench.succeed({ ...orders, limit: 50, outputAs: 'pages' });
		const { next_cursor: startCursor, limit: pageSize } = lastPage(first);
		const rest = await bench.succeed({
			...orders,
			returnAll: true,
			options: { startCursor, pageSize },
		});
		expectOnce(idsOf(rest), 650);
		expect(new Set(bench.sandbox.requests.slice(1).map(({ query }) => query.limit)).size).toBe(1);
	});

	test('lead from a file, and from an error, to the rest', async () => {
		bench.sandbox.setUnkind({ cursorsCountPages: true });
		bench.sandbox.addFault({ skip: 5, status: 413, times: Infinity });
		const options = { recordsPerFile: 90, pageSize: 40 };
		const broken = { ...orders, returnAll: true, outputAs: 'ndjson', options };
		const run = await bench.run(broken, keepOn);
		bench.sandbox.clearFaults();
		const [, , last, failed] = jsonOf(run);
		const details = failed.details as Record<string, unknown>;
		expect([details.nextCursor, details.limit]).toEqual([last.nextCursor, last.limit]);
		expect(String(failed.message)).toMatch(
			/set the option 'Page Size' to 40 .* and 'Start Cursor' to:\n/,
		);
		const more = { startCursor: details.nextCursor, pageSize: details.limit };
		const rest = await bench.succeed({ ...orders, returnAll: true, options: more });
		expectOnce(idsOf(rest), 700 - Number(details.recordsRead));
	});
});

test('a service that ignores the cursor but gives a new text each time ends in an error, before anything comes twice', async () => {
	bench.sandbox.setUnkind({ cursorIgnored: true });
	const run = await bench.run({ ...orders, returnAll: true, options: { pageSize: 100 } }, keepOn);
	const items = jsonOf(run);
	expect(items.at(-1)?.error).toContain('The service repeats itself');
	expectOnce(
		items.slice(0, -1).map(({ id }) => String(id)),
		100,
	);
	expect(bench.sandbox.requests).toHaveLength(2);
});
