import { describe, expect, test } from 'vitest';
import { cellFor, filesOf, rowsOf } from './reading.mts';
import { useSandbox } from '../../harness/support.mts';

const bench = useSandbox({ companies: 2503, orders: 0 });

const companies = { resource: 'company', operation: 'getAll', returnAll: true };

describe('CSV of 2,503 records', () => {
	test('each cell is the value of its record, in two parsers', async () => {
		const options = { recordsPerFile: 900 };
		const run = await bench.succeed({ ...companies, outputAs: 'csv', options });
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

	test('Fields gives the columns and their order, and one header for all files', async () => {
		const options = { fields: 'name, external_number, missing', recordsPerFile: 2000 };
		const run = await bench.run({ ...companies, outputAs: 'csv', options });
		const files = await filesOf(run);
		expect(files.map(({ facts }) => facts.records)).toEqual([2000, 503]);
		for (const { text } of files) {
			expect(text.split('\r\n')[0]).toBe('id,name,external_number,missing');
		}
	});
});

test.each([
	['comma', 'crlf', 'id,name\r\n'],
	['tab', 'lf', 'id\tname\n'],
	['excel', 'crlf', '\ufeffid,name\r\n'],
	['excelDecimalComma', 'lf', '\ufeffid;name\n'],
])('CSV Format %s and Line End %s', async (csvFormat, lineEnd, header) => {
	const options = { csvFormat, lineEnd, fields: 'name', recordsPerFile: 2000 };
	const files = await filesOf(await bench.run({ ...companies, outputAs: 'csv', options }));
	expect(files.map(({ text }) => text.startsWith(header))).toEqual([true, true]);
});

test('numbers that Excel would round are told once, and only where the files are for Excel', async () => {
	const hintsFor = async (csvFormat: string): Promise<string[]> => {
		const options = { csvFormat, recordsPerFile: 2000 };
		const given = { ...companies, outputAs: 'csv', options };
		return (await bench.succeed(given, { items: [{}, {}] })).hints.map(({ message }) => message);
	};
	const told = [expect.stringMatching(/^Excel keeps 15 digits of a number/)];
	expect(await hintsFor('excel')).toEqual(told);
	expect(await hintsFor('excelDecimalComma')).toEqual(told);
	expect(await hintsFor('comma')).toEqual([]);
});
