import type { INodeProperties } from 'n8n-workflow';

import { FIRST_PAGE_SIZE } from '../../client/page-size';
import { additionalParametersOption } from '../../common/additional-parameters';
import { fieldsOption } from '../../common/fields';
import { ignoreTotalOption, maxRetriesOption, maxWaitOption } from '../../common/request-options';
import { fileOptions } from '../export/properties';

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
			'Only records whose date (see Sort) is later. The whole list is still read, unless the newest come first. Records without a date are kept.',
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
				description:
					'Most recently changed records first. Read by numbered pages from the end, so the service must sort numbered pages by date too.',
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
		default: FIRST_PAGE_SIZE,
		description:
			'How many records to ask for per request. Without this option the node finds the size that the service allows and that is quick (with page pagination: 100).',
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
