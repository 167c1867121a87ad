import type { INodeProperties } from 'n8n-workflow';

import { choice, NOT_IN_TOOLS, number, text, yesOrNo } from '../../shared/panel/parameter-builders';
import {
	choiceOf,
	optionalText,
	trueOrFalse,
	wholeNumber,
	type GetParameter,
} from '../../shared/panel/read-parameters';
import { checkFileName } from './file-name';

export const DEFAULT_RECORDS_PER_FILE = 50_000;

/** The kinds of files, as choices of Output As. A model gets none. */
export const FILES = {
	csv: ['CSV Files', 'CSV files you can download or upload', NOT_IN_TOOLS],
	ndjson: [
		'NDJSON Files',
		'Files with one record per line as JSON, for programs and data warehouses',
		NOT_IN_TOOLS,
	],
} as const;

export type FileKind = keyof typeof FILES;
const FILE_KINDS = Object.keys(FILES) as FileKind[];

const forFiles: INodeProperties['displayOptions'] = { show: { '/outputAs': FILE_KINDS } };
const forCsv: INodeProperties['displayOptions'] = { show: { '/outputAs': ['csv'] } };

/** No option, since nobody would look for what a spreadsheet needs among them. */
export const csvFormat = choice('CSV Format', 'csvFormat', {
	choices: {
		excel: [
			'CSV for Excel',
			'Comma-separated. Shows letters such as é correctly. Opens with a double click.',
		],
		excelDecimalComma: [
			'CSV for Excel, Comma as Decimal Sign',
			'Semicolon-separated. Writes 1.5 as 1,5. Opens with a double click.',
		],
		comma: ['Standard', 'Comma-separated, for programs that import CSV'],
		tab: ['Tab-Separated', 'Tab-separated, for programs that import TSV'],
	},
	default: 'comma',
	displayOptions: { show: { outputAs: ['csv'] } },
	description: 'Program that will open the files',
});

/** The options of operations that write files; `names` is what these are called after where the user gives no name. */
export const fileOptions = (names: string): INodeProperties[] => [
	yesOrNo('Escape Formulas', 'escapeFormulas', {
		displayOptions: forCsv,
		description:
			'Whether to put an apostrophe before text that begins with =, +, - or @, so that a spreadsheet shows it instead of running it. Numbers and phone numbers stay as they are. Turn it off if a program reads the file and needs the exact text.',
	}),
	text('File Name', 'fileName', {
		placeholder: 'e.g. companies.csv',
		displayOptions: forFiles,
		description: `Name of the files. Each file gets a number before its extension, as in companies-0001.csv. Defaults to ${names}.`,
	}),
	number('Records per File', 'recordsPerFile', {
		minValue: 1,
		default: DEFAULT_RECORDS_PER_FILE,
		displayOptions: forFiles,
		description: 'Maximum records per file, at least Page Size. n8n holds one file in memory.',
	}),
];

/** Files for Excel begin with a byte order mark, by which it recognises UTF-8. */
const CSV_FORMATS = {
	comma: { delimiter: ',', decimalSign: '.', isForExcel: false },
	tab: { delimiter: '\t', decimalSign: '.', isForExcel: false },
	excel: { delimiter: ',', decimalSign: '.', isForExcel: true },
	excelDecimalComma: { delimiter: ';', decimalSign: ',', isForExcel: true },
} as const;

/** A sheet of Excel has 1,048,576 rows, the header among them. */
const MAX_RECORDS_FOR_EXCEL = 1_048_575;

export type FileParameters = NonNullable<ReturnType<typeof readFileParameters>>;

/** The options of an export to files; undefined where Output As is something else. Throws InputProblem. */
export function readFileParameters(
	get: GetParameter,
	options: Record<string, unknown>,
	outputAs: string,
) {
	const kind = FILE_KINDS.find((one) => one === outputAs);
	if (kind === undefined) return undefined;
	const { recordsPerFile = DEFAULT_RECORDS_PER_FILE } = options;
	const fileName = optionalText(options.fileName, 'File Name');
	const format = CSV_FORMATS[kind === 'csv' ? choiceOf(get, csvFormat) : csvFormat.default];
	const most = format.isForExcel ? MAX_RECORDS_FOR_EXCEL : undefined;
	return {
		kind,
		recordsPerFile: wholeNumber(recordsPerFile, 'Records per File', 1, most),
		fileName: fileName && checkFileName(fileName),
		escapeFormulas: trueOrFalse(options.escapeFormulas, 'Escape Formulas', true),
		...format,
	};
}
