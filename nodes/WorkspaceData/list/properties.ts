import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { FIRST_PAGE_SIZE } from '../../lists/page-size';
import { additionalParametersOption } from '../../common/additional-parameters';
import { fieldsOption } from '../../common/fields';
import { objectTypeProperty } from '../../common/object-type';
import {
	ignoreTotalOption,
	maxRequestsPerMinuteOption,
	maxRetriesOption,
	maxWaitOption,
	timeoutOption,
} from '../../common/request-options';
import { csvFiles, fileOptions, ndjsonFiles } from '../export/parameters';
import { operationsOf } from '../operations';
import { displayFor, optionsFor } from '../display';

const lists = operationsOf('list');
const chosenLists = lists.filter(({ choosesObjectType }) => choosesObjectType);

const items = { name: 'Items', value: 'items', description: 'One item per record' };
const pages = {
	name: 'Pages',
	value: 'pages',
	description: 'One item per page, with the full API response',
};
const outputAs: INodeProperties = {
	displayName: 'Output As',
	name: 'outputAs',
	type: 'options',
	options: [csvFiles, items, ndjsonFiles, pages],
	default: 'items',
	displayOptions: { hide: { '@tool': [true] } },
	builderHint: {
		propertyHint:
			'Files for exports of more than 50,000 records, items where the next nodes work on single records.',
	},
	description: 'What each output item holds',
};

const unlessItems = { outputAs: [{ _cnd: { not: 'items' } }] };

/** What hides each Limit besides Return All. Exactly one is there: only the first where its hint's option Order is. */
const limits: Array<{ hide: IDisplayOptions['hide']; hint?: string }> = [
	{
		hide: { ...unlessItems, '/options.pagination': ['page'] },
		hint: 'Least recently changed records first. For the newest, add the option Order.',
	},
	{ hide: { outputAs: ['items'] } },
	{ hide: { ...unlessItems, '/options.pagination': [{ _cnd: { not: 'page' } }] } },
];

const byCursor: INodeProperties['displayOptions'] = { hide: { pagination: ['page'] } };
const byPage: INodeProperties['displayOptions'] = { show: { pagination: ['page'] } };

/** What Options offers for lists; `displayOptions` says which belong together. */
const listOptions: INodeProperties[] = [
	...fileOptions('the object type'),
	additionalParametersOption,
	{
		displayName: 'Changed After',
		name: 'changedAfter',
		type: 'dateTime',
		default: '',
		displayOptions: byCursor,
		description:
			'Returns only records whose date (see Sort) is later. The node still reads the whole list, unless Order is Newest First. Records without a date are kept.',
	},
	{
		displayName: 'Changed Before',
		name: 'changedBefore',
		type: 'dateTime',
		default: '',
		displayOptions: byCursor,
		description:
			'Returns only records whose date (see Sort) is not later. The node reads the list up to this date; with Order Newest First it passes over newer records.',
	},
	fieldsOption,
	{ ...ignoreTotalOption, displayOptions: { hide: { order: ['newestFirst'] } } },
	maxRequestsPerMinuteOption,
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
				description: 'Most recently changed records first',
			},
			{
				name: 'Oldest First',
				value: 'oldestFirst',
				description: 'Least recently changed records first',
			},
		],
		default: 'oldestFirst',
		builderHint: {
			propertyHint:
				'newestFirst for "the latest records"; only with Return All off and Output As items or files.',
		},
		displayOptions: byCursor,
		description: 'Which records come first, and so which ones Limit returns',
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
		default: FIRST_PAGE_SIZE,
		description:
			'Records per request. Without this option, the node chooses a size on the first page (with page pagination: 100).',
	},
	{
		displayName: 'Pagination',
		name: 'pagination',
		type: 'options',
		options: [
			{
				name: 'Cursor',
				value: 'cursor',
				description: 'For exports: reads in the order of a date, and can be resumed',
			},
			{ name: 'Page', value: 'page', description: 'To fetch one specific page' },
		],
		default: 'cursor',
		description: 'How to read the list',
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
		description: 'The date that decides the order',
	},
	{
		displayName: 'Sort Key',
		name: 'sortKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. name',
		displayOptions: byPage,
		description: 'How your service sorts its pages; sent to it as written',
	},
	{
		displayName: 'Start Cursor',
		name: 'startCursor',
		type: 'string',
		default: '',
		placeholder: 'e.g. the cursor of a stopped export',
		displayOptions: { hide: { pagination: ['page'], order: ['newestFirst'] } },
		description:
			'Where to continue: the cursor from a page, a file or an error. Set Page Size to the limit that came with it.',
	},
];

/** Parameters of operations that read lists. */
export const listProperties: INodeProperties[] = [
	...displayFor(chosenLists, objectTypeProperty('Type of the records to read')),
	...displayFor(lists, {
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	}),
	...limits.flatMap(({ hide, hint }) =>
		displayFor(lists, {
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			description: 'Max number of results to return',
			hint,
			displayOptions: { hide: { returnAll: [true], ...hide } },
		}),
	),
	...displayFor(lists, outputAs),
	// A model gets no files.
	...displayFor(lists, {
		...outputAs,
		options: [items, pages],
		displayOptions: { show: { '@tool': [true] } },
	}),
	...optionsFor(lists, ({ timeoutMs }) => [...listOptions, timeoutOption(timeoutMs)]),
];
