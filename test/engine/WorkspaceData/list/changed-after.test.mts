import { beforeAll, describe, expect, test } from 'vitest';
import { hintsOf, idsOf, jsonOf, useSandbox } from '../../harness/support.mts';
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

/** Returns options with the dates of two records, and the ids of all records between these dates. */
function between(first: number, last = 949) {
	const [after, before] = [first, last].map((index) => String(rows[index].updated_at));
	const dates = { changedAfter: after, ...(last < 949 && { changedBefore: before }) };
	const within = rows.filter(
		({ updated_at: date }) => after < String(date) && before >= String(date),
	);
	return { dates, ids: within.map(({ id }) => String(id)) };
}

describe('Changed After and Changed Before', () => {
	test('applies a date range to files and pages, and returns cursors that lead to the remaining records', async () => {
		const { dates, ids } = between(300, 800);
		const options = { ...dates, recordsPerFile: 100 };
		const run = await bench.run({ ...companies, outputAs: 'ndjson', options });
		const files = await filesOf(run);
		expect(linesOf(files).map(idOf).toSorted()).toEqual(ids.toSorted());
		expect(files.at(-1)?.facts).toMatchObject({ isLast: true, nextCursor: null, pageSize: null });
		const { nextCursor: startCursor, pageSize } = files[1].facts;
		const more = { ...dates, pagination: { values: { startCursor, pageSize } } };
		const rest = await bench.succeed({ ...companies, options: more });
		expect(idsOf(rest)).toEqual(linesOf(files.slice(2)).map(idOf));
		const limited = { ...companies, returnAll: false, limit: 450, options };
		const paged = await bench.run({ ...limited, outputAs: 'pages' });
		const onPages = jsonOf(paged).flatMap((page) => (page.data as { items: Row[] }).items);
		expect(onPages.map(({ id }) => String(id))).toEqual(ids.slice(0, 450));
		const [{ meta }] = jsonOf(paged).slice(-1);
		expect(meta).toHaveProperty('pagination.recordsLeftOut', expect.any(Number));
	});
});

test.each<[string, object, RegExp | undefined]>([
	[
		'Changed Before is a day',
		{ changedBefore: '2020-05-01' },
		/^<b>Changed Before<\/b> ends at 1 May 2020, 00:00 \(/,
	],
	[
		'Changed Before is a day from the date picker',
		{ changedBefore: '2020-05-01T00:00:00' },
		/00:00 .*, so no record of that day is/,
	],
	['an expression for a day', { changedBefore: '={{ "2020-05-01" }}' }, /set the time to 23:59:59/],
	['Changed Before has a time', { changedBefore: '2020-05-01T09:00:00' }, undefined],
	['Changed Before is $today', { changedBefore: '={{ $today }}' }, undefined],
	[
		'Changed After is in the future',
		{ changedAfter: '2999-01-01' },
		/^<b>Changed After<\/b> is in the future: 1 Jan/,
	],
	['Changed After is in the past', { changedAfter: '2020-01-01' }, undefined],
])(
	'shows the expected hint, or no hint, on records left out by a date: %s',
	async (_what, options, hint) => {
		const run = await bench.succeed({ ...companies, options }, { items: [{}, {}] });
		const hints = hintsOf(run).filter((one) => /<b>Changed (Before|After)/.test(one));
		expect(hints).toEqual(hint === undefined ? [] : [expect.stringMatching(hint)]);
	},
);

test('gives all files of a run different names, even if input items have the same File Name', async () => {
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

const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();

test.each([
	['updated_at', 'items'],
	['updated_at', 'ndjson'],
	['created_at', 'items'],
	['updated_at:desc', 'items'],
])(
	'shows a hint with the newest date if Changed After leaves out all records: Sort Order %s, Output As %s',
	async (sort, outputAs) => {
		const options = { sort, changedAfter: anHourAgo, pagination: { values: { pageSize: 950 } } };
		const run = await bench.run({ ...companies, outputAs, options });
		const field = sort.replace(':desc', '');
		const newest = rows
			.map((row) => String(row[field]))
			.toSorted()
			.at(-1)!;
		const hints = hintsOf(run).filter((hint) => hint.startsWith('<b>Changed After</b> leaves out'));
		expect(hints).toEqual([
			expect.stringMatching(/: 950 read, the newest from \d+ \w+ \d{4}, \d\d:\d\d \(.+\)\.$/),
		]);
		expect(hints[0]).toContain(`${newest.slice(0, 4)}, `);
		const found = await bench.run({
			...companies,
			outputAs,
			options: { ...options, changedAfter: '2000-01-01' },
		});
		expect(hintsOf(found).filter((hint) => hint.includes('leaves out all'))).toEqual([]);
	},
);

test('shows one hint with the number of records and files, and with the way to continue after Limit', async () => {
	const options = { recordsPerFile: 400, pagination: { values: { pageSize: 100 } } };
	const filesHint = async (more: object, items = [{}]) =>
		hintsOf(await bench.succeed({ ...companies, options, ...more }, { items })).filter((hint) =>
			/ in .* files?\./.test(hint),
		);
	expect(await filesHint({ outputAs: 'csv' })).toEqual(['950 records in 3 files.']);
	expect(await filesHint({ outputAs: 'ndjson' }, [{}, {}])).toEqual(['1,900 records in 6 files.']);
	expect(await filesHint({ outputAs: 'csv', returnAll: false, limit: 200 })).toEqual([
		'200 records in 1 file. More records may follow: continue with nextCursor and pageSize of the last file.',
	]);
	expect(await filesHint({ outputAs: 'csv', returnAll: false, limit: 1 })).toEqual([
		'1 record in 1 file. Limit cut the last page, so no cursor continues after these files. Set <b>Limit</b> to a multiple of <b>Page Size</b>.',
	]);
	expect(await filesHint({ outputAs: 'items' })).toEqual([]);
	const sync = { resource: 'sync', operation: 'getChanges', progress: 'given', checkpoint: '' };
	expect(await filesHint({ ...sync, outputAs: 'ndjson' })).toEqual(['950 records in 3 files.']);
});
