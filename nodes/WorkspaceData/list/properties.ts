import type { INodeProperties } from 'n8n-workflow';

import { additionalParametersOption } from '../../common/panel/additional-parameters';
import { fieldsOption, objectTypeProperty } from '../../common/panel/choices';
import {
	choice,
	date,
	group,
	number,
	text,
	yesOrNo,
	type Choices,
} from '../../common/panel/fields';
import {
	ignoreTotalOption,
	pageSizeOption,
	requestOptions,
} from '../../common/panel/request-options';
import { csvFormat, fileOptions, FILES } from '../export/properties';
import { operationsOf } from '../operations';
import { displayFor, optionsFor } from '../display';

export const DEFAULT_LIMIT = 50;

const lists = operationsOf('list');
const chosenLists = lists.filter(({ choosesObjectType }) => choosesObjectType);

const itemsAndPages = {
	items: ['Items', 'One item per record'],
	pages: ['Pages', 'One item per page, with the full API response'],
} as const;
/** A model gets no files. */
const outputAsOf = <T extends string>(choices: Choices<T | 'items'>, isTool: boolean) =>
	choice('Output As', 'outputAs', {
		choices,
		default: 'items',
		displayOptions: isTool ? { show: { '@tool': [true] } } : { hide: { '@tool': [true] } },
		builderHint: {
			propertyHint:
				'Files for exports of more than 50,000 records, items where the next nodes work on single records.',
		},
		description: 'What each output item holds',
	});
export const outputAs = outputAsOf({ ...itemsAndPages, ...FILES }, false);

const returnAll = yesOrNo('Return All', 'returnAll', {
	default: false,
	description: 'Whether to return all results or only up to a given limit',
});

/** Says only what is right with every choice of the options. */
const limit = number('Limit', 'limit', {
	minValue: 1,
	default: DEFAULT_LIMIT,
	displayOptions: { hide: { returnAll: [true] } },
	hint: 'Least recently changed first, unless Sort Order or Pagination says otherwise',
	description: 'Max number of results to return',
});

export const sort = choice('Sort Order', 'sort', {
	choices: {
		created_at: ['Created: Oldest First'],
		'created_at:desc': ['Created: Newest First'],
		updated_at: ['Last Updated: Oldest First'],
		'updated_at:desc': ['Last Updated: Newest First'],
	},
	default: 'updated_at',
	builderHint: {
		propertyHint:
			'updated_at:desc for "the latest records"; only with a limit (or Changed After) and Output As items or files.',
	},
	description:
		'Which records come first, and so which ones Limit returns. Newest First needs a Limit or Changed After.',
});

const paginationOption = group('Pagination (Page Size, Cursor, Resume)', 'pagination', [
	ignoreTotalOption,
	number('Page Number', 'page', {
		minValue: 0,
		default: 0,
		description:
			'To read numbered pages: the first one to read. 0 reads by cursor, which can be resumed.',
	}),
	pageSizeOption(
		'Records per request. With 0, the node chooses a size on the first page (100 with Page Number).',
	),
	text('Sort Key', 'sortKey', {
		placeholder: 'e.g. name',
		description: 'With Page Number: how your service sorts its pages; sent to it as written',
	}),
	text('Start Cursor', 'startCursor', {
		placeholder: 'e.g. the cursor of a stopped export',
		description:
			'Where to continue: the cursor from a page, a file or an error. Set Page Size to the limit that came with it.',
	}),
]);

const listOptions: INodeProperties[] = [
	...fileOptions('the object type'),
	additionalParametersOption,
	date('Changed After (Since Date)', 'changedAfter', {
		description:
			"Returns only records whose date (see Sort Order) is later, for example {{ $now.minus(7, 'days') }} for the last seven days. Reads the list up to Changed Before; with Newest First it stops at older records, and so before records without a date that stand at the beginning of the list. Others without a date are kept.",
	}),
	date('Changed Before (Until Date)', 'changedBefore', {
		description:
			'Returns only records whose date (see Sort Order) is not later. Reads the list up to this date; with Newest First it passes over newer records.',
	}),
	fieldsOption,
	paginationOption,
	sort,
];

/** Parameters of the operations that read lists. */
export const listProperties: INodeProperties[] = [
	...displayFor(chosenLists, objectTypeProperty('Type of the records to read')),
	...displayFor(lists, returnAll, limit, outputAs, outputAsOf(itemsAndPages, true), csvFormat),
	...optionsFor(lists, ({ timeoutMs }) => [...listOptions, requestOptions(timeoutMs)]),
];
