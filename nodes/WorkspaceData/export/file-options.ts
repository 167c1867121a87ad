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

/** Kinds of files, as choices of Output As. The panel of an AI tool does not offer them. */
export const FILES = {
	csv: ['CSV Files', 'CSV files you can download or upload', NOT_IN_TOOLS],
	ndjson: [
		'NDJSON Files',
		'Files with one record per line as JSON, for programs and data warehouses',
		NOT_IN_TOOLS,
	],
} as const;

/** Kind of file that the user can choose in Output As. */
export type FileKind = keyof typeof FILES;
const FILE_KINDS = Object.keys(FILES) as FileKind[];

const forFiles: INodeProperties['displayOptions'] = { show: { '/outputAs': FILE_KINDS } };
const forCsv: INodeProperties['displayOptions'] = { show: { '/outputAs': ['csv'] } };

/** Parameter CSV Format. It is not an option, because users would not look for the format among the options. */
export const csvFormat = choice('CSV Format', 'csvFormat', {
	choices: {
		excel: [
			'CSV for Excel',
			'Opens with a double click. Excel drops leading zeros and +, and rounds numbers over 15 digits.',
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

/** Returns the options of operations that write files. `names` is text that describes the default file name. */
export const fileOptions = (names: string): INodeProperties[] => [
	yesOrNo('Escape Formulas', 'escapeFormulas', {
		displayOptions: forCsv,
		description:
			'Whether to put an apostrophe before text that begins with =, +, - or @, so that a spreadsheet shows it instead of running it. Numbers and phone numbers stay as they are. Turn it off if a program reads the file and needs the exact text.',
	}),
	text('File Name', 'fileName', {
		placeholder: 'e.g. companies.csv',
		displayOptions: forFiles,
		description: `Name of the files. Each file gets a number before its extension, as in companies-0001.csv. Every run begins with 0001. Defaults to ${names}.`,
	}),
	number('Records per File', 'recordsPerFile', {
		minValue: 1,
		default: DEFAULT_RECORDS_PER_FILE,
		displayOptions: forFiles,
		description: 'Maximum records per file, at least Page Size. n8n holds one file in memory.',
	}),
];

/** Settings of each CSV format. A file for Excel begins with a byte order mark, so that Excel recognises UTF-8. */
const CSV_FORMATS = {
	comma: { delimiter: ',', decimalSign: '.', isForExcel: false },
	tab: { delimiter: '\t', decimalSign: '.', isForExcel: false },
	excel: { delimiter: ',', decimalSign: '.', isForExcel: true },
	excelDecimalComma: { delimiter: ';', decimalSign: ',', isForExcel: true },
} as const;

/** Maximum number of records in an Excel sheet, which has 1,048,576 rows including the header. */
const MAX_RECORDS_FOR_EXCEL = 1_048_575;

/** Checked parameters of an export to files. */
export type FileParameters = NonNullable<ReturnType<typeof readFileParameters>>;

/**
 * Reads the parameters of an export to files. Returns undefined if Output As is not a kind of file. Throws InputProblem
 * for invalid values.
 */
export function readFileParameters(
	get: GetParameter,
	options: Record<string, unknown>,
	outputAs: string,
) {
	const kind = FILE_KINDS.find((each) => each === outputAs);
	if (kind === undefined) return undefined;
	const { recordsPerFile = DEFAULT_RECORDS_PER_FILE } = options;
	const fileName = optionalText(options.fileName, 'File Name');
	const format = CSV_FORMATS[kind === 'csv' ? choiceOf(get, csvFormat) : csvFormat.default];
	const maxRecords = format.isForExcel ? MAX_RECORDS_FOR_EXCEL : undefined;
	return {
		kind,
		recordsPerFile: wholeNumber(recordsPerFile, 'Records per File', 1, maxRecords),
		fileName: fileName && checkFileName(fileName),
		escapeFormulas: trueOrFalse(options.escapeFormulas, 'Escape Formulas', true),
		...format,
	};
}
