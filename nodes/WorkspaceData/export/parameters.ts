import type { INodeProperties } from 'n8n-workflow';

import { InputProblem } from '../../common/errors';
import { oneOf, optionalText, shown, trueOrFalse, wholeNumber } from '../../common/parameters';
import { choice, number, text, yesOrNo, type Choices } from '../../common/panel';
import { checkFileName } from './file-name';

export const DEFAULT_RECORDS_PER_FILE = 50_000;
const DEFAULT_BINARY_PROPERTY = 'data';

/** Choices of Output As. */
export const FILES: Choices = {
	csv: ['CSV Files', 'CSV files you can download or upload'],
	ndjson: [
		'NDJSON Files',
		'Files with one record per line as JSON, for programs and data warehouses',
	],
};

const forFiles: INodeProperties['displayOptions'] = { show: { '/outputAs': ['ndjson', 'csv'] } };
const forCsv: INodeProperties['displayOptions'] = { show: { '/outputAs': ['csv'] } };

const ofEveryExport: INodeProperties[] = [
	choice('CSV Format', 'csvFormat', {
		choices: {
			excel: ['Excel', 'Commas, letters such as é shown right, opens with a double click'],
			excelDecimalComma: [
				'Excel, Comma as Decimal Sign',
				'Semicolons, numbers with a comma, opens with a double click',
			],
			comma: ['Standard', 'Commas, for programs that import CSV'],
			tab: ['Tab-Separated', 'Tabs, for programs that import TSV'],
		},
		default: 'comma',
		displayOptions: forCsv,
		description: 'Which program the files are for',
	}),
	yesOrNo('Escape Formulas', 'escapeFormulas', {
		displayOptions: forCsv,
		description:
			'Whether to put an apostrophe before text that begins with =, +, - or @, so that a spreadsheet shows it instead of running it. Numbers and phone numbers stay as they are. Turn it off when a program reads the file and needs the exact text.',
	}),
	choice('Line End', 'lineEnd', {
		choices: {
			crlf: ['CRLF', 'For Windows, Excel and most imports'],
			lf: ['LF', 'For tools of Linux and macOS'],
		},
		default: 'crlf',
		displayOptions: forCsv,
		description: 'Characters at the end of each line',
	}),
	text('Put Output File in Field', 'binaryPropertyName', {
		default: DEFAULT_BINARY_PROPERTY,
		placeholder: 'e.g. data',
		displayOptions: forFiles,
		hint: 'The name of the output binary field to put the file in',
	}),
	number('Records per File', 'recordsPerFile', {
		minValue: 1,
		default: DEFAULT_RECORDS_PER_FILE,
		displayOptions: forFiles,
		description: 'Maximum records per file. n8n holds one file in memory at a time.',
	}),
];

/** The options of operations that write files; `names` is what these are called after where the user gives no name. */
export const fileOptions = (names: string): INodeProperties[] => [
	...ofEveryExport,
	text('File Name', 'fileName', {
		placeholder: 'e.g. companies.csv',
		displayOptions: forFiles,
		description: `Name of the files. Each gets a number before its extension, as in companies-0001.csv. Defaults to ${names}.`,
	}),
];

/** Files for Excel begin with a byte order mark, by which it recognises UTF-8. */
const CSV_FORMATS = {
	comma: { delimiter: ',', decimalSign: '.', isForExcel: false },
	tab: { delimiter: '\t', decimalSign: '.', isForExcel: false },
	excel: { delimiter: ',', decimalSign: '.', isForExcel: true },
	excelDecimalComma: { delimiter: ';', decimalSign: ',', isForExcel: true },
} as const;
const LINE_ENDS = { crlf: '\r\n', lf: '\n' } as const;

/** What an export to files was asked for. */
export type FileParameters = NonNullable<ReturnType<typeof readFileParameters>>;

/** The options of an export to files; undefined where Output As is something else. Throws InputProblem. */
export function readFileParameters(options: Record<string, unknown>, outputAs: string) {
	if (outputAs !== 'ndjson' && outputAs !== 'csv') return undefined;
	const most = options.recordsPerFile ?? DEFAULT_RECORDS_PER_FILE;
	const fileName = optionalText(options.fileName, 'File Name');
	return {
		kind: outputAs,
		recordsPerFile: wholeNumber(most, 'Records per File', 1),
		fileName: fileName && checkFileName(fileName),
		binaryPropertyName: readFieldName(options.binaryPropertyName ?? DEFAULT_BINARY_PROPERTY),
		escapeFormulas: trueOrFalse(options.escapeFormulas, 'Escape Formulas', true),
		...oneKeyOf(CSV_FORMATS, options.csvFormat ?? 'comma', 'CSV Format'),
		lineEnd: oneKeyOf(LINE_ENDS, options.lineEnd ?? 'crlf', 'Line End'),
	};
}

function oneKeyOf<T>(values: Record<string, T>, value: unknown, label: string): T {
	return values[oneOf(value, label, Object.keys(values))];
}

function readFieldName(value: unknown): string {
	const name = optionalText(value, 'Put Output File in Field');
	if (name !== undefined) return name;
	throw new InputProblem(
		"'Put Output File in Field' must be the name of a field",
		`Write for example: ${DEFAULT_BINARY_PROPERTY}. It is ${shown(value)} now.`,
	);
}
