import { expect, test } from 'vitest';
import { filesOf } from './reading.mts';
import { useSandbox } from '../../harness/support.mts';

const bench = useSandbox({ companies: 2503, orders: 0 });

const companies = { resource: 'company', operation: 'getAll', returnAll: true };

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
