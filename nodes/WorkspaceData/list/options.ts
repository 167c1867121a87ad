import type { INodeProperties } from 'n8n-workflow';

import { FIRST_PAGE_SIZE } from '../../client/page-size';
import { additionalParametersOption } from '../../common/additional-parameters';
import { fieldsOption } from '../../common/fields';
import { ignoreTotalOption, maxRetriesOption, maxWaitOption } from '../../common/request-options';
import { fileOptions } from '../export/parameters';

const byCursor: INodeProperties['displayOptions'] = { hide: { pagination: ['page'] } };
const withoutNewestFirst: INodeProperties['displayOptions'] = { hide: { order: ['newestFirst'] } };
const byPage: INodeProperties['displayOptions'] = { show: { pagination: ['page'] } };

/** What Options offers for lists; `displayOptions` says which belong together. */
export const listOptions: INodeProperties[] = [
	...fileOptions,
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
	fieldsOption,
	{ ...ignoreTotalOption, displayOptions: withoutNewestFirst },
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
				'newestFirst for "the latest records"; only with Return All off and Output As items.',
		},
		displayOptions: {
			show: { '/returnAll': [false], '/outputAs': ['items'] },
			hide: { pagination: ['page'] },
		},
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
			'Records per request. Without this option, the node finds a good size (with page pagination: 100).',
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
			'Where to continue: the cursor from the error of a stopped export, or meta.pagination.next_cursor of a page',
	},
];
