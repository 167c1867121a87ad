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
	type EarlyEnd,
} from '../../unkind/ends.mts';
import { filesOf, linesOf, rowsOf } from '../export/reading.mts';

const bench = useSandbox({ companies: RECORDS.followedCompany, orders: RECORDS.order });

afterEach(() => bench.sandbox.setUnkind({}));

type Json = Record<string, unknown>;
type OutputAs = 'batch' | 'ndjson' | 'csv';
type Reading = Omit<EarlyEnd, 'unkind'> & { startFrom?: 'beginning' | 'now' };

/** What came of a run: records, and the checkpoint of the last item; undefined where nothing came. */
async function gained(
	run: NodeRun,
	outputAs: OutputAs,
): Promise<{ records: Json[]; checkpoint: unknown } | undefined> {
	const items = jsonOf(run);
	if (items.length === 0) return undefined;
	const { checkpoint } = items.at(-1) as Json;
	if (outputAs === 'batch') {
		return { records: items.flatMap(({ records }) => records as Json[]), checkpoint };
	}
	const files = await filesOf(run);
	const records =
		outputAs === 'csv'
			? files.flatMap((file) => rowsOf(file))
			: linesOf(files).map((line) => JSON.parse(line) as Json);
	return { records, checkpoint };
}

/** Runs from a checkpoint, and from the next, until nothing comes or a run fails. */
async function drained(
	{ objectType, options, startFrom = 'beginning' }: Reading,
	outputAs: OutputAs,
	start: unknown = '',
): Promise<{ records: Json[]; checkpoint: unknown; error: NodeRun['error'] }> {
	const records: Json[] = [];
	let checkpoint = start;
	for (let runs = 0; runs < 50; runs++) {
		const run = await bench.run({
			resource: 'sync',
			operation: 'getChanges',
			progress: 'given',
			startFrom,
			objectType,
			outputAs,
			checkpoint,
			options,
		});
		const gain = await gained(run, outputAs);
		if (gain === undefined) return { records, checkpoint, error: run.error };
		expect(run.error).toBeUndefined();
		records.push(...gain.records);
		({ checkpoint } = gain);
	}
	throw new Error('The sync does not come to rest.');
}

describe('every record comes once, from checkpoint to checkpoint', () => {
	test.each(titled(readWhole))('$title', async ({ unkind, objectType, options = {} }) => {
		bench.sandbox.setUnkind(unkind);
		const ways: OutputAs[] = objectType === 'company' ? ['ndjson', 'csv'] : ['batch'];
		for (const outputAs of ways) {
			const { records, checkpoint, error } = await drained({ objectType, options }, outputAs);
			expect(error?.message).toBeUndefined();
			expectEachOnce(bench.sandbox, objectType, records);
			const changed = [...bench.sandbox.records(objectType)].slice(40, 50);
			const ids = changed.map(({ id }) => String(id));
			bench.sandbox.update(objectType, ids);
			const later = await drained({ objectType, options }, outputAs, checkpoint);
			expect(later.error?.message).toBeUndefined();
			expect(later.records).toHaveLength(10);
			expect(distinctOf(objectType, later.records)).toEqual(distinctOf(objectType, changed));
		}
	});

	test('in runs of at most 300 records', async () => {
		for (const unkind of [{ rowCap: 250 }, { rowCap: 50 }, { nothingAbove: 100 }]) {
			bench.sandbox.setUnkind(unkind);
			const how = { objectType: 'order', options: { maxRecords: 300 } } as const;
			const { records, error } = await drained(how, 'batch');
			expect(error?.message).toBeUndefined();
			expectEachOnce(bench.sandbox, 'order', records);
		}
	});
});

describe('what does not come is an error that counts', () => {
	test.each(titled(provenShort))('$title: only $came', async (end) => {
		const { unkind, came, total = bench.sandbox.count(end.objectType), ...how } = end;
		for (const outputAs of ['batch', 'ndjson'] as const) {
			bench.sandbox.setUnkind(unkind);
			const { records, checkpoint, error } = await drained(how, outputAs);
			expect(error?.message).toBe(endedEarly(came, total));
			expect(error?.description).toContain('Ignore Total');
			expect(distinctOf(how.objectType, records).size).toBe(records.length);
			expect(records.length).toBeLessThanOrEqual(came);
			bench.sandbox.setUnkind({});
			const rest = await drained(how, outputAs, checkpoint);
			expect(rest.error?.message).toBeUndefined();
			expectEachOnce(bench.sandbox, how.objectType, [...records, ...rest.records]);
		}
	});

	test.each(titled(overestimated))(
		'$title: an error with both numbers, and nothing twice',
		async (end) => {
			const { unkind, came, total = bench.sandbox.count(end.objectType), ...how } = end;
			bench.sandbox.setUnkind(unkind);
			const { records, error } = await drained(how, 'batch');
			expect(error?.message).toBe(endedEarly(came, total));
			// Until it is read with Ignore Total, what comes is given once.
			expect(distinctOf(how.objectType, records).size).toBe(records.length);
			expect(records.length).toBeLessThanOrEqual(came);
		},
	);

	test('a list that comes newest first', async () => {
		bench.sandbox.setUnkind({ descending: true });
		const { error } = await drained({ objectType: 'order' }, 'batch');
		expect(error?.message).toMatch(/order|newest/i);
	});
});

test.each([{ rowCap: 250 }, { rowCap: 50 }, { nothingAbove: 100 }, { total: 'absent' as const }])(
	'from now on nothing old comes where lists seem to end early, %j',
	async (unkind) => {
		bench.sandbox.setUnkind(unkind);
		const how = { objectType: 'order', startFrom: 'now' } as const;
		const start = await drained(how, 'batch');
		expect([start.records, start.error?.message]).toEqual([[], undefined]);
		const changed = [...bench.sandbox.records('order')].slice(20, 30);
		const ids = changed.map(({ id }) => String(id));
		bench.sandbox.update('order', ids);
		const { records, error } = await drained(how, 'batch', start.checkpoint);
		expect(error?.message).toBeUndefined();
		expect(records.map(({ id }) => String(id)).toSorted()).toEqual(ids.toSorted());
	},
);
