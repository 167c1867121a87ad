import type { INodeProperties } from 'n8n-workflow';

import { additionalParametersOption } from '../../shared/panel/additional-parameters';
import { fieldsOption } from '../../shared/panel/fields-option';
import { objectTypeProperty } from '../../shared/panel/object-type';
import { choice, date, group, number, text, yesOrNo } from '../../shared/panel/parameter-builders';
import {
	ignoreTotalOption,
	pageSizeOption,
	requestOptions,
} from '../../shared/panel/request-options';
import { csvFormat, fileOptions, FILES } from '../export/file-options';
import { operationsOf } from '../operations';
import { displayFor, optionsFor } from '../display';

export const DEFAULT_LIMIT = 50;

const lists = operationsOf('list');
/** Object Type starts in the mode By Name, because the types in From List have operations of their own. */
const BY_NAME = { mode: 'name', value: '' };
const chosenLists = lists.filter(({ choosesObjectType }) => choosesObjectType);

export const outputAs = choice('Output As', 'outputAs', {
	choices: {
		items: ['Items', 'One item per record'],
		pages: ['Pages', 'One item per page, with the full API response'],
		...FILES,
	},
	default: 'items',
	description: 'What each output item contains',
});

const returnAll = yesOrNo('Return All', 'returnAll', {
	default: false,
	description: 'Whether to return all results or only up to a given limit',
});

const limit = number('Limit', 'limit', {
	minValue: 1,
	default: DEFAULT_LIMIT,
	displayOptions: { hide: { returnAll: [true] } },
	hint: 'The least recently changed records come first, unless Sort Order or Pagination sets another order',
	description: 'Max number of results to return',
});

export const sort = choice('Sort Order (Newest, Oldest)', 'sort', {
	choices: {
		created_at: ['Created: Oldest First'],
		'created_at:desc': ['Created: Newest First'],
		updated_at: ['Last Updated: Oldest First'],
		'updated_at:desc': ['Last Updated: Newest First'],
	},
	default: 'updated_at',
	description: 'Which records come first. Newest First needs a Limit or Changed After.',
});

const pagination = group('Pagination (Page Size, Cursor, Resume)', 'pagination', [
	ignoreTotalOption,
	number('Page Number', 'page', {
		minValue: 0,
		default: 0,
		description:
			'Number of the first page to read. With 0, the node reads the list by cursor, so a stopped list can be resumed.',
	}),
	pageSizeOption(
		'Records per request. With 0, the node chooses a size on the first page (100 with Page Number).',
	),
	text('Sort Key', 'sortKey', {
		placeholder: 'e.g. name',
		description:
			'Only with Page Number: the sort order of the pages. It is sent to your service as written.',
	}),
	text('Start Cursor', 'startCursor', {
		placeholder: 'e.g. the cursor of a stopped export',
		description:
			'Cursor to continue from: the nextCursor of the last page, file or error. Set Page Size to the pageSize next to it. File numbers begin with 0001 again, so change File Name too.',
	}),
]);

const OF_CREATION = 'With Sort Order: Created, this is the creation date';

const listOptions: INodeProperties[] = [
	...fileOptions('the object type'),
	additionalParametersOption,
	date('Changed After (Since Date)', 'changedAfter', {
		hint: OF_CREATION,
		description:
			"Returns only records whose date (see Sort Order) is later, for example {{ $now.minus(7, 'days') }} for the last seven days. The node reads the list up to Changed Before. With Newest First, it stops at the first older record. Records without a date that stand before it in the list are then left out; all others are returned.",
	}),
	date('Changed Before (Until Date)', 'changedBefore', {
		hint: OF_CREATION,
		description:
			'Returns only records whose date (see Sort Order) is not later. The node reads the list up to this date. With Newest First, it skips newer records.',
	}),
	fieldsOption,
	pagination,
	sort,
];

export const listProperties: INodeProperties[] = [
	...displayFor(chosenLists, objectTypeProperty('Type of the records to read', BY_NAME)),
	...displayFor(lists, returnAll, limit, outputAs, csvFormat),
	...optionsFor(lists, ({ timeoutMs }) => [...listOptions, requestOptions(timeoutMs)]),
];
