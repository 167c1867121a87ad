import type { INodeProperties } from 'n8n-workflow';

import { fieldsOption } from '../../common/fields';
import {
	DEFAULT_BINARY_PROPERTY,
	DEFAULT_PAGE_SIZE,
	DEFAULT_RECORDS_PER_FILE,
} from '../../common/defaults';
import { rows } from '../operations';
import { maxRetriesOption, maxWaitOption, timeoutOption } from '../request-options';
import { forRows, optionsFor } from '../show';

const lists = rows.filter(({ input }) => input === 'list');

const forFiles: INodeProperties['displayOptions'] = { show: { '/outputAs': ['ndjson', 'csv'] } };
const forCsv: INodeProperties['displayOptions'] = { show: { '/outputAs': ['csv'] } };

/** The options of a list, by name. */
export const listOptions: INodeProperties[] = [
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
	maxRetriesOption,
	maxWaitOption,
	{
		displayName: 'Page',
		name: 'page',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 1,
		description: 'The first page to read. For page pagination only.',
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
		description: 'The date to read by, oldest first. For cursor pagination only.',
	},
	{
		displayName: 'Sort Key',
		name: 'sortKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. name',
		description: 'Sent to the service as it is. For page pagination only.',
	},
	{
		displayName: 'Start Cursor',
		name: 'startCursor',
		type: 'string',
		default: '',
		placeholder: 'e.g. the cursor of a stopped export',
		description:
			'Go on from here: the cursor that a stopped export reported, or meta.pagination.next_cursor of a page. For cursor pagination only.',
	},
];

/** Parameters of operations that read lists. */
export const listProperties: INodeProperties[] = [
	...forRows(
		lists.filter(({ choosesObjectType }) => choosesObjectType),
		{
			displayName: 'Object Type',
			name: 'objectType',
			type: 'string',
			default: 'company',
			required: true,
			placeholder: 'e.g. company',
			description: 'Which kind of records to read, by the name that the service gives it',
		},
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
		},
		{ returnAll: [false] },
	),
	...forRows(lists, {
		displayName: 'Output As',
		name: 'outputAs',
		type: 'options',
		options: [
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
		],
		default: 'items',
		description: 'What each output item holds',
	}),
	...optionsFor(lists, ({ timeoutMs }) => [...listOptions, timeoutOption(timeoutMs)]),
];
