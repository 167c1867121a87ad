import type { INodeProperties } from 'n8n-workflow';

import { DEFAULT_PAGE_SIZE, DEFAULT_READ_TIMEOUT_MS } from '../parameters/defaults';
import { maxRetriesOption, timeoutOption } from './request-options';
import { showFor } from './show';

const forLists = showFor((row) => row.kind === 'list');

const listOptions: INodeProperties[] = [
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'string',
		default: '',
		placeholder: 'e.g. name, domain, updated_at',
		description:
			'Comma-separated names of the fields to keep; everything else is left out. The ID is always kept.',
	},
	maxRetriesOption,
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
		description:
			'Go on from here: the cursor that a stopped export reported, or meta.pagination.next_cursor of a page. For cursor pagination only.',
	},
	timeoutOption(DEFAULT_READ_TIMEOUT_MS),
];

/** Parameters of Get Many and Query (design section 4, "List operations"). */
export const listProperties: INodeProperties[] = [
	{
		displayName: 'Object Type',
		name: 'objectType',
		type: 'string',
		default: 'company',
		required: true,
		placeholder: 'e.g. company',
		displayOptions: showFor((row) => row.operation === 'query'),
		description: 'Which kind of records to read, by the name that the service gives it',
	},
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		displayOptions: forLists,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		displayOptions: showFor((row) => row.kind === 'list', { returnAll: [false] }),
		description: 'Max number of results to return',
	},
	{
		displayName: 'Output As',
		name: 'outputAs',
		type: 'options',
		options: [
			{
				name: 'Items',
				value: 'items',
				description: 'One item per record',
			},
			{
				name: 'Pages',
				value: 'pages',
				description: 'One item per page, with the whole answer of the service',
			},
		],
		default: 'items',
		displayOptions: forLists,
		description: 'What each output item holds',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: forLists,
		options: listOptions,
	},
];
