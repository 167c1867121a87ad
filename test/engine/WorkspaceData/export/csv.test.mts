import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { cellFor, filesOf, rowsOf } from './reading.mts';
import { useSandbox } from '../../harness/support.mts';

const bench = useSandbox({ companies: 2503, orders: 0 });

const companies = { resource: 'company', operation: 'getAll', returnAll: true };

describe('CSV of 2,503 records', () => {
	test('each cell is the value of its record, in two parsers', async () => {
		const run = await bench.run({
			...companies,
			outputAs: 'csv',
			options: { recordsPerFile: 900 },
		});
		expect(run.error).toBeUndefined();
		const files = await filesOf(run);
		expect(files.map(({ facts }) => facts.records)).toEqual([900, 900, 703]);
		expect(new Set(files.map(({ text }) => text.split('\r\n')[0])).size).toBe(1);
		const rows = new Map(files.flatMap(rowsOf).map((row) => [row.id, row]));
		expect(rows.size).toBe(2503);
		for (const record of bench.sandbox.records('company')) {
			const row = rows.get(String(record.id)) ?? {};
			expect(Object.keys(row)).toEqual(expect.arrayContaining(Object.keys(record)));
			for (const [name, cell] of Object.entries(row)) expect(cell).toBe(cellFor(record[name]));
		}
	});

	test('a field that appears later widens the header of the file under way, with every value in it', async () => {
		// With ten records per page, the first external_number comes on a later page.
		const run = await bench.run({ ...companies, outputAs: 'csv', options: { pageSize: 10 } });
		const files = await filesOf(run);
		expect(files).toHaveLength(1);
		expect(files[0]?.text.split('\r\n', 1)[0]).toMatch(/^id,.*,external_number$/);
		const rows = files.flatMap(rowsOf);
		expect(new Set(rows.map(({ id }) => id)).size).toBe(2503);
		const numbers = rows.map((row) => row.external_number ?? '').filter((cell) => cell !== '');
		const expected = [...bench.sandbox.records('company')]
			.map((record) => record.external_number)
			.filter((number) => number !== undefined);
		expect(numbers.sort()).toEqual(expected.map(String).sort());
	});

	test('Fields gives the columns and their order, and one header for all files', async () => {
		const options = {
			fields: 'name, external_number, missing',
			pageSize: 10,
			recordsPerFile: 2000,
		};
		const run = await bench.run({ ...companies, outputAs: 'csv', options });
		const files = await filesOf(run);
		expect(files.map(({ facts }) => facts.records)).toEqual([2000, 503]);
		for (const { text } of files) {
			expect(text.split('\r\n')[0]).toBe('id,name,external_number,missing');
		}
	});

	test('formulas are made safe unless the option is off', async () => {
		const formula = '=SUM(A1:A9) was pasted from a spreadsheet';
		const notesWith = async (options: Record<string, unknown>): Promise<Set<string>> => {
			const run = await bench.run({ ...companies, outputAs: 'csv', options });
			return new Set((await filesOf(run)).flatMap(rowsOf).map(({ notes }) => notes));
		};
		const safe = await notesWith({});
		expect([safe.has(`'${formula}`), safe.has(formula)]).toEqual([true, false]);
		const exact = await notesWith({ escapeFormulas: false });
		expect([exact.has(`'${formula}`), exact.has(formula)]).toEqual([false, true]);
	});

	test('a byte order mark on request', async () => {
		const options = { byteOrderMark: true, recordsPerFile: 2000 };
		const run = await bench.run({ ...companies, outputAs: 'csv', options });
		for (const item of run.outputs[0] ?? []) {
			expect((await run.binary(item)).subarray(0, 5).toString('hex')).toBe('efbbbf6964');
		}
		expect((await filesOf(run)).flatMap(rowsOf)).toHaveLength(2503);
	});
});

describe('Delimiter and Line End', () => {
	test.each([
		['semicolon', ';', 'crlf', '\r\n'],
		['tab', '\t', 'lf', '\n'],
		['comma', ',', 'lf', '\n'],
	])('%s (%j) and %s: every value comes back', async (delimiter, character, lineEnd, end) => {
		const fields = 'name, notes';
		const run = await bench.run({
			...companies,
			outputAs: 'csv',
			options: { delimiter, lineEnd, fields, escapeFormulas: false },
		});
		const [file] = await filesOf(run);
		const form = { delimiter: character, newline: end as '\n' };
		const parsed = Papa.parse<string[]>(file?.text.slice(0, -end.length) ?? '', form);
		expect(parsed.errors).toEqual([]);
		const [header, ...rows] = parsed.data;
		expect(header).toEqual(['id', 'name', 'notes']);
		const records = [...bench.sandbox.records('company')];
		const expected = new Map(
			records.map(({ id, name, notes }) => [id, [id, name, notes].map((each) => each ?? '')]),
		);
		expect(rows).toHaveLength(records.length);
		for (const row of rows) expect(row).toEqual(expected.get(String(row[0])));
	});
});
