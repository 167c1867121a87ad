import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { additionalParametersOption } from '../../common/additional-parameters';
import { fieldsOption } from '../../common/fields';
import { objectTypeProperty } from '../../common/object-type';
import {
	DEFAULT_BINARY_PROPERTY,
	DEFAULT_PAGE_SIZE,
	DEFAULT_RECORDS_PER_FILE,
} from '../../common/defaults';
import { rows } from '../operations';
import { maxRetriesOption, maxWaitOption, timeoutOption } from '../../common/request-options';
import { forRows, optionsFor } from '../show';
import type { OutputAs } from './parameters';

const lists = rows.filter(({ input }) => input === 'list');

const outputs: Array<INodePropertyOptions & { value: OutputAs }> = [
	{
		name: 'CSV Files',
		value: 'csv',
		description: 'One item per file, with many records in it as a table',
	},
	{
		name: 'Items',
		value: 'items',
		description: 'One item per record',
	},
	{
		name: 'NDJSON Files',
		value: 'ndjson',
		description: 'One item per file, with many records in it, one line of JSON each',
	},
	{
		name: 'Pages',
		value: 'pages',
		description: 'One item per page, with the whole answer of the service',
	},
];

const forFiles: INodeProperties['displayOptions'] = { show: { '/outputAs': ['ndjson', 'csv'] } };
const forCsv: INodeProperties['displayOptions'] = { show: { '/outputAs': ['csv'] } };
const byCursor: INodeProperties['displayOptions'] = { hide: { pagination: ['page'] } };
const byPage: INodeProperties['displayOptions'] = { show: { pagination: ['page'] } };

/** The options of a list, by name. */
export const listOptions: INodeProperties[] = [
	additionalParametersOption,
	{
		displayName: 'Byte Order Mark',
		name: 'byteOrderMark',
		type: 'boolean',
		default: false,
		displayOptions: forCsv,
		description:
			'Whether to begin each file with a byte order mark. Excel needs it to show letters such as é and ü; most other programs do not expect it.',
	},
	{
		displayName: 'Delimiter',
		name: 'delimiter',
		type: 'options',
		options: [
			{ name: 'Comma', value: 'comma' },
			{
				name: 'Semicolon',
				value: 'semicolon',
				description: 'For Excel where the comma is the decimal sign',
			},
			{ name: 'Tab', value: 'tab' },
		],
		default: 'comma',
		displayOptions: forCsv,
		description: 'What stands between two values of a line',
	},
	{
		displayName: 'Escape Formulas',
		name: 'escapeFormulas',
		type: 'boolean',
		default: true,
		displayOptions: forCsv,
		description:
			"Whether to put an apostrophe before text that begins with =, +, - or @, so that a spreadsheet shows it instead of running it. Turn it off when a program reads the file and needs the exact text, for example phone numbers such as '+49….",
	},
	fieldsOption,
	{
		displayName: 'File Name',
		name: 'fileName',
		type: 'string',
		default: '',
		placeholder: 'e.g. companies.csv',
		displayOptions: forFiles,
		description:
			'Name of the files; the number of each file is added before the extension, as in companies-0001.csv. By default they are called after the records.',
	},
	{
		displayName: 'Line End',
		name: 'lineEnd',
		type: 'options',
		options: [
			{ name: 'CRLF', value: 'crlf', description: 'For Windows, Excel and most imports' },
			{ name: 'LF', value: 'lf', description: 'For tools of Linux and macOS' },
		],
		default: 'crlf',
		displayOptions: forCsv,
		description: 'What stands at the end of each line',
	},
	maxRetriesOption,
	maxWaitOption,
	{
		displayName: 'Order',
		name: 'order',
		type: 'options',
		options: [
			{
				name: 'Newest First',
				value: 'newestFirst',
				description: 'Begins with what was changed last, read by numbered pages from the end',
			},
			{
				name: 'Oldest First',
				value: 'oldestFirst',
				description: 'Begins with what has not been changed for longest',
			},
		],
		default: 'oldestFirst',
		displayOptions: {
			show: { '/returnAll': [false], '/outputAs': ['items'] },
			hide: { pagination: ['page'] },
		},
		description: 'Which records Limit gives, and in which order',
	},
	{
		displayName: 'Page',
		name: 'page',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 1,
		displayOptions: byPage,
		description: 'The first page to read',
	},
	{
		displayName: 'Page Size',
		name: 'pageSize',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: DEFAULT_PAGE_SIZE,
		description:
			'How many records to ask for per request. Larger pages need fewer requests and more memory.',
	},
	{
		displayName: 'Pagination',
		name: 'pagination',
		type: 'options',
		options: [
			{
				name: 'Cursor',
				value: 'cursor',
				description: 'For exports and syncs: reads in order of a date and can be resumed',
			},
			{
				name: 'Page',
				value: 'page',
				description: 'For a certain page of a list that people look at',
			},
		],
		default: 'cursor',
		description: 'How to walk through the list',
	},
	{
		displayName: 'Put Output File in Field',
		name: 'binaryPropertyName',
		type: 'string',
		default: DEFAULT_BINARY_PROPERTY,
		placeholder: 'e.g. data',
		displayOptions: forFiles,
		hint: 'The name of the output binary field to put the file in',
	},
	{
		displayName: 'Records per File',
		name: 'recordsPerFile',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: DEFAULT_RECORDS_PER_FILE,
		displayOptions: forFiles,
		description:
			'How many records to put into one file at most. n8n holds one file in memory at a time.',
	},
	{
		displayName: 'Sort',
		name: 'sort',
		type: 'options',
		options: [
			{ name: 'Created At', value: 'created_at' },
			{ name: 'Updated At', value: 'updated_at' },
		],
		default: 'updated_at',
		displayOptions: byCursor,
		description: 'The date to read by',
	},
	{
		displayName: 'Sort Key',
		name: 'sortKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. name',
		displayOptions: byPage,
		description: 'Sent to the service as it is',
	},
	{
		displayName: 'Start Cursor',
		name: 'startCursor',
		type: 'string',
		default: '',
		placeholder: 'e.g. the cursor of a stopped export',
		displayOptions: { hide: { pagination: ['page'], order: ['newestFirst'] } },
		description:
			'Go on from here: the cursor that a stopped export reported, or meta.pagination.next_cursor of a page',
	},
];

function outputAs(options: INodePropertyOptions[]): INodeProperties {
	return {
		displayName: 'Output As',
		name: 'outputAs',
		type: 'options',
		options,
		default: 'items',
		description: 'What each output item holds',
	};
}

/** Parameters of operations that read lists. */
export const listProperties: INodeProperties[] = [
	...forRows(
		lists.filter(({ choosesObjectType }) => choosesObjectType),
		objectTypeProperty('Which kind of records to read'),
	),
	...forRows(lists, {
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	}),
	...forRows(
		lists,
		{
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			description: 'Max number of results to return',
			hint: 'Oldest first, by the date of the last change. For the newest, add the option Order.',
		},
		{ returnAll: [false] },
	),
	...forRows(lists, { ...outputAs(outputs), displayOptions: { hide: { '@tool': [true] } } }),
	// A model gets no files.
	...forRows(lists, outputAs(outputs.filter(({ value }) => ['items', 'pages'].includes(value))), {
		'@tool': [true],
	}),
	...optionsFor(lists, ({ timeoutMs }) => [...listOptions, timeoutOption(timeoutMs)]),
];
