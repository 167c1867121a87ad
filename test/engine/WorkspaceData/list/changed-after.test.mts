import { beforeAll, describe, expect, test } from 'vitest';
import { idsOf, jsonOf, useSandbox } from '../../harness/support.mts';
import { filesOf, idOf, linesOf } from '../export/reading.mts';

const bench = useSandbox({ companies: 950 });
const companies = { resource: 'company', operation: 'getAll', returnAll: true };

type Row = Record<string, unknown>;
let rows: Row[];

beforeAll(() => {
	rows = [...bench.sandbox.records('company')].sort((one, other) =>
		String(one.updated_at).localeCompare(String(other.updated_at)),
	);
});

/** The date of the record at a place in the list, and the ids of all that are later. */
function after(place: number): { date: string; ids: string[] } {
	const date = String(rows[place]?.updated_at);
	const later = rows.filter(
		({ updated_at: updated }) => Date.parse(String(updated)) > Date.parse(date),
	);
	return { date, ids: later.map(({ id }) => String(id)) };
}

describe('Changed After', () => {
	test.each([0, 300, 949])('gives the records that are later than record %i', async (place) => {
		const { date, ids } = after(place);
		const run = await bench.succeed({ ...companies, options: { changedAfter: date } });
		expect(idsOf(run).toSorted()).toEqual(ids.toSorted());
	});

	test('gives files of them, and pages', async () => {
		const { date, ids } = after(300);
		const options = { changedAfter: date, recordsPerFile: 100 };
		const run = await bench.run({ ...companies, outputAs: 'ndjson', options });
		const files = await filesOf(run);
		expect(linesOf(files).map(idOf).toSorted()).toEqual(ids.toSorted());
		expect(files.at(-1)?.facts).toMatchObject({ isLast: true });
		const paged = await bench.run({ ...companies, outputAs: 'pages', options });
		const onPages = jsonOf(paged).flatMap((page) => (page.data as { items: Row[] }).items);
		expect(onPages.map(({ id }) => String(id)).toSorted()).toEqual(ids.toSorted());
	});

	test('newest first reads from the end, and stops where the records are older', async () => {
		const { date, ids } = after(940);
		bench.sandbox.clearRequests();
		const options = { changedAfter: date, order: 'newestFirst', pageSize: 20 };
		const run = await bench.succeed({ ...companies, returnAll: false, limit: 500, options });
		expect(idsOf(run).toSorted()).toEqual(ids.toSorted());
		expect(bench.sandbox.requests.length).toBeLessThan(8);
	});

	test('of a list that goes down in its dates is an error', async () => {
		bench.sandbox.setUnkind({ descending: true });
		const { date } = after(300);
		const run = await bench.run({ ...companies, options: { changedAfter: date } });
		bench.sandbox.setUnkind({});
		expect(run.error?.message).toBe('The list does not come in the order of its dates');
	});
});

test('files of one run have different names, whichever input item they are of', async () => {
	const options = { recordsPerFile: 400, fileName: '={{ $json.name }}' };
	const items = ['all.csv', 'all.csv', 'ALL', 'all-2.csv', 'other.csv'].map((name) => ({ name }));
	const run = await bench.succeed({ ...companies, outputAs: 'csv', options }, { items });
	const names = jsonOf(run).map(({ fileName }) => String(fileName));
	expect(names).toHaveLength(15);
	expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(15);
	expect(names.slice(0, 4)).toEqual([
		'all-0001.csv',
		'all-0002.csv',
		'all-0003.csv',
		'all-2-0001.csv',
	]);
});
