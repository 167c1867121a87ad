import { afterEach, describe, expect, test } from 'vitest';

import { jsonOf, useSandbox, type NodeRun } from '../../harness/support.mts';
import {
	distinctOf,
	endedEarly,
	expectEachOnce,
	overestimated,
	provenShort,
	readWhole,
	RECORDS,
	titled,
	type ListedType,
} from '../../unkind/ends.mts';
import { filesOf, linesOf, rowsOf } from '../export/reading.mts';

const bench = useSandbox({ companies: RECORDS.company, orders: RECORDS.order, items: 5, deals: 5 });
const keepOn = { onError: 'continueRegularOutput' } as const;

afterEach(() => bench.sandbox.setUnkind({}));

/** One way of a list to come out. */
interface Way {
	isQuery: boolean;
	outputAs: 'items' | 'ndjson' | 'csv';
}

const everyWay: Way[] = [
	{ isQuery: false, outputAs: 'items' },
	{ isQuery: false, outputAs: 'ndjson' },
	{ isQuery: false, outputAs: 'csv' },
	{ isQuery: true, outputAs: 'items' },
];
const someWays: Way[] = [
	{ isQuery: false, outputAs: 'items' },
	{ isQuery: true, outputAs: 'ndjson' },
];
const waysOf = (objectType: ListedType): Way[] => (objectType === 'company' ? everyWay : someWays);

/** The parameters of a list that is read to its end. */
function allOf(objectType: ListedType, { isQuery, outputAs }: Way, options = {}) {
	const place = isQuery
		? { resource: 'record', operation: 'query', objectType }
		: { resource: objectType, operation: 'getAll' };
	return { ...place, returnAll: true, outputAs, options };
}

/** The records that came, whatever they came as. */
async function recordsIn(run: NodeRun, { outputAs }: Way): Promise<Array<Record<string, unknown>>> {
	if (outputAs === 'items') return jsonOf(run);
	const files = await filesOf(run);
	if (outputAs === 'csv') return files.flatMap((file) => rowsOf(file));
	return linesOf(files).map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** What a run under On Error: Continue has kept, and its error item. No file of it is the last. */
function keptBy(run: NodeRun): { kept: NodeRun; failed: Record<string, unknown> | undefined } {
	expect(run.error).toBeUndefined();
	const items = run.outputs[0] ?? [];
	const failed = items.filter(({ json }) => 'error' in json).map(({ json }) => json);
	expect(failed).toHaveLength(1);
	const kept = { ...run, outputs: [items.filter(({ json }) => !('error' in json))] };
	for (const { isLast } of jsonOf(kept)) expect(isLast ?? false).toBe(false);
	return { kept, failed: failed[0] };
}

describe('every record comes once', () => {
	test.each(titled(readWhole))('$title', async ({ unkind, objectType, options }) => {
		bench.sandbox.setUnkind(unkind);
		for (const way of waysOf(objectType)) {
			const run = await bench.succeed(allOf(objectType, way, options));
			expectEachOnce(bench.sandbox, objectType, await recordsIn(run, way));
			if (way.outputAs !== 'items') expect(jsonOf(run).at(-1)).toMatchObject({ isLast: true });
		}
	});
});

describe('what does not come is an error that counts', () => {
	test.each(titled([...provenShort, ...overestimated]))(
		'$title: only $came',
		async ({ unkind, objectType, options, came, total = bench.sandbox.count(objectType) }) => {
			bench.sandbox.setUnkind(unkind);
			for (const way of everyWay) {
				const all = allOf(objectType, way, options);
				const stopped = await bench.run(all);
				expect(stopped.error?.message).toBe(endedEarly(came, total));
				expect(stopped.error?.description).toContain('Ignore Total');
				expect(stopped.outputs.flat()).toEqual([]);

				const { kept, failed } = keptBy(await bench.run(all, keepOn));
				expect(failed).toMatchObject({
					error: endedEarly(came, total),
					details: { recordsRead: came, total },
				});
				const records = await recordsIn(kept, way);
				expect([records.length, distinctOf(objectType, records).size]).toEqual([came, came]);
			}
		},
	);

	test('a request that fails midway keeps what was read', async () => {
		bench.sandbox.setUnkind({ rowCap: 250 });
		for (const way of everyWay) {
			bench.sandbox.addFault({ skip: 6, status: 404, times: Infinity });
			const run = await bench.run(allOf('company', way), keepOn);
			bench.sandbox.clearFaults();
			const { kept, failed } = keptBy(run);
			const { recordsRead } = failed?.details as { recordsRead: number };
			const records = await recordsIn(kept, way);
			expect(records.length).toBeGreaterThan(100);
			expect([records.length, distinctOf('company', records).size]).toEqual(
				Array(2).fill(recordsRead),
			);
		}
	});
});

const byPage = { pagination: 'page', pageSize: 100 };

test.each([
	{ totalInPages: 50 },
	{ totalInPages: 0 },
	{ rowCap: 50 },
	{ nothingAbove: 50 },
	{ total: 'absent' as const },
])('a page by number that contradicts its own numbers is an error, %j', async (unkind) => {
	bench.sandbox.setUnkind(unkind);
	for (const way of someWays) {
		const { failed } = keptBy(await bench.run(allOf('order', way, byPage), keepOn));
		expect(failed?.error).toEqual(expect.any(String));
	}
});

test.each([{ total: 'absent' as const }, { total: { factor: 1.1 }, ignoreTotal: true }])(
	'a cap below the smallest page cannot be seen where no total tells, %j: a smaller Page Size helps',
	async ({ total, ignoreTotal }) => {
		bench.sandbox.setUnkind({ rowCap: 10, total });
		const run = await bench.run(allOf('order', everyWay[0], { ignoreTotal }));
		expect([run.error, jsonOf(run).length]).toEqual([undefined, 10]);
		const better = allOf('order', everyWay[0], { pageSize: 5, ignoreTotal });
		expectEachOnce(bench.sandbox, 'order', jsonOf(await bench.run(better)));
	},
);

test('a list that ended early names a smaller Page Size than the one with which it did', async () => {
	bench.sandbox.setUnkind({ rowCap: 4 });
	const deals = { resource: 'record', operation: 'query', objectType: 'deal', returnAll: true };
	const { error } = await bench.run({ ...deals, options: { pageSize: 4 } });
	expect(error?.description).toContain("set the option 'Page Size' to 3,");
});
