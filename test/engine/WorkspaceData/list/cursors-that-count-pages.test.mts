import { beforeEach, describe, expect, test } from 'vitest';

import { filesOf, idOf, linesOf } from '../export/reading.mts';
import { idsOf, useSandbox } from '../../harness/support.mts';

const RECORDS = 1_030;
const bench = useSandbox({ companies: RECORDS });
const companies = { resource: 'company', operation: 'getAll' };

// Dates of different lengths are not in the order of their texts.
beforeEach(() => bench.sandbox.setUnkind({ cursorsCountPages: true, dates: 'withoutZeros' }));

/** The ids of the first so many companies, in the order of cursors. */
const first = (count: number): unknown[] =>
	[...bench.sandbox.records('company')]
		.map(({ id, updated_at }) => ({ id, date: String(updated_at) }))
		.sort((a, b) => a.date.localeCompare(b.date) || String(a.id).localeCompare(String(b.id)))
		.slice(0, count)
		.map(({ id }) => id);

// The specification does not say that a cursor leads to the same record with another `limit`.
describe.each([{}, { pageSize: 100 }])('a cursor that counts pages, with %o', (options) => {
	test.each([1, 100, 101, 250, 999, 1_030, 2_000])('a limit of %i', async (limit) => {
		const run = await bench.succeed({ ...companies, limit, options });
		expect(idsOf(run)).toEqual(first(limit));
	});

	test('every record', async () => {
		const run = await bench.run({ ...companies, returnAll: true, options });
		expect(idsOf(run)).toEqual(first(RECORDS));
	});

	test.each([30, 250, 1_000])('files of %i records', async (recordsPerFile) => {
		const run = await bench.run({
			...companies,
			returnAll: true,
			outputAs: 'ndjson',
			options: { ...options, recordsPerFile },
		});
		const files = await filesOf(run);
		expect(linesOf(files).map(idOf)).toEqual(first(RECORDS));
		const full = Math.floor(RECORDS / recordsPerFile);
		expect(files.slice(0, full).map(({ facts }) => facts.records)).toEqual(
			Array<number>(full).fill(recordsPerFile),
		);
	});
});
