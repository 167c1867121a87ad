import { expect, test } from 'vitest';
import { cellFor, filesOf, rowsOf } from './reading.mts';
import { useSandbox } from '../../harness/support.mts';

const bench = useSandbox({ companies: 2503, orders: 0 });

const companies = { resource: 'company', operation: 'getAll', returnAll: true };

test('CSV of 2,503 records: each cell is the value of its record, in two parsers', async () => {
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

const rounded = [
	expect.stringMatching(/^Excel will change [\d,]+ values: .*long numbers \(external_number\)/),
];

test.each([
	['comma', 'crlf', 'id,external_number\r\n', []],
	['tab', 'lf', 'id\texternal_number\n', []],
	['excel', 'crlf', '\ufeffid,external_number\r\n', rounded],
	['excelDecimalComma', 'lf', '\ufeffid;external_number\n', rounded],
])(
	'CSV Format %s and Line End %s are what the file is written with',
	async (csvFormat, lineEnd, header, hints) => {
		const options = { csvFormat, lineEnd, fields: 'external_number', recordsPerFile: 2000 };
		const run = await bench.succeed(
			{ ...companies, outputAs: 'csv', options },
			{ items: [{}, {}] },
		);
		const files = await filesOf(run);
		expect(files.map(({ text }) => text.startsWith(header))).toEqual([true, true, true, true]);
		expect(run.hints.map(({ message }) => message)).toEqual(hints);
	},
);
