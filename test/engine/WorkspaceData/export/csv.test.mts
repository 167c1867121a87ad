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

	test('a byte order mark on request', async () => {
		const options = { byteOrderMark: true, recordsPerFile: 2000 };
		const run = await bench.run({ ...companies, outputAs: 'csv', options });
		for (const item of run.outputs[0] ?? []) {
			expect((await run.binary(item)).subarray(0, 5).toString('hex')).toBe('efbbbf6964');
		}
		expect((await filesOf(run)).flatMap(rowsOf)).toHaveLength(2503);
	});
});

test.each([
	['semicolon', 'crlf', 'id;name\r\n'],
	['tab', 'lf', 'id\tname\n'],
])('Delimiter %s and Line End %s', async (delimiter, lineEnd, header) => {
	const options = { delimiter, lineEnd, fields: 'name' };
	const [file] = await filesOf(await bench.run({ ...companies, outputAs: 'csv', options }));
	expect(file?.text.startsWith(header)).toBe(true);
});
