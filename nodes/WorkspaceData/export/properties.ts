import type { INodeProperties } from 'n8n-workflow';

import { choice, number, text, yesOrNo } from '../../common/panel/fields';

export const DEFAULT_RECORDS_PER_FILE = 50_000;

/** Choices of Output As. */
export const FILES = {
	csv: ['CSV Files', 'CSV files you can download or upload'],
	ndjson: [
		'NDJSON Files',
		'Files with one record per line as JSON, for programs and data warehouses',
	],
} as const;

const forFiles: INodeProperties['displayOptions'] = { show: { '/outputAs': ['ndjson', 'csv'] } };
const forCsv: INodeProperties['displayOptions'] = { show: { '/outputAs': ['csv'] } };

/** Beside Output As. */
export const csvFormat = choice('CSV Format', 'csvFormat', {
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
	displayOptions: { show: { outputAs: ['csv'] } },
	description: 'Which program the files are for',
});

const ofEveryExport: INodeProperties[] = [
	yesOrNo('Escape Formulas', 'escapeFormulas', {
		displayOptions: forCsv,
		description:
			'Whether to put an apostrophe before text that begins with =, +, - or @, so that a spreadsheet shows it instead of running it. Numbers and phone numbers stay as they are. Turn it off when a program reads the file and needs the exact text.',
	}),
	number('Records per File', 'recordsPerFile', {
		minValue: 1,
		default: DEFAULT_RECORDS_PER_FILE,
		displayOptions: forFiles,
		description:
			'Maximum records per file, no smaller than Page Size. n8n holds one file in memory at a time.',
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
