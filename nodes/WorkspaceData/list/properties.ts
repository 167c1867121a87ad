import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { FIRST_PAGE_SIZE } from '../../lists/page-size';
import { additionalParametersOption } from '../../common/panel/additional-parameters';
import { fieldsOption, objectTypeProperty } from '../../common/panel/choices';
import { choice, date, number, text, yesOrNo, type Choices } from '../../common/panel/fields';
import { ignoreTotalOption, requestOptions } from '../../common/panel/request-options';
import { fileOptions, FILES } from '../export/properties';
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
	hint: 'Oldest first, unless the option Order or Pagination says otherwise',
	description: 'Max number of results to return',
});

/** What excludes options: the panel shows them otherwise, and they are refused where they come all the same. */
export const EXCLUSIONS = {
	'cursor pagination': {
		names: ['page', 'sortKey'],
		shown: { show: { pagination: ['page'] } },
		otherwise: "'Pagination' to Page",
	},
	'page pagination': {
		names: ['changedAfter', 'changedBefore', 'order', 'sort', 'startCursor'],
		shown: { hide: { pagination: ['page'] } },
		otherwise: "'Pagination' to Cursor",
	},
	'Newest First': {
		names: ['ignoreTotal', 'startCursor'],
		shown: { hide: { order: ['newestFirst'] } },
		otherwise: "'Order' to Oldest First",
	},
} satisfies Record<string, { names: string[]; shown: IDisplayOptions; otherwise: string }>;

/** The option, shown only where nothing excludes it. */
function unlessExcluded(option: INodeProperties): INodeProperties {
	const excluding = Object.values(EXCLUSIONS).filter(({ names }) => names.includes(option.name));
	const [first, ...more] = excluding.map(({ shown }): IDisplayOptions => shown);
	if (first === undefined) return option;
	const hide = first.hide && Object.assign({}, first.hide, ...more.map((one) => one.hide));
	return { ...option, displayOptions: { ...first, ...(hide && { hide }) } };
}

export const order = choice('Order', 'order', {
	choices: {
		newestFirst: ['Newest First', 'Latest date first (see Sort)'],
		oldestFirst: ['Oldest First', 'Earliest date first (see Sort)'],
	},
	default: 'oldestFirst',
	builderHint: {
		propertyHint:
			'newestFirst for "the latest records"; only with Return All off and Output As items or files.',
	},
	description:
		'Which records come first, and so which ones Limit returns. Newest First needs a Limit.',
});

export const pagination = choice('Pagination', 'pagination', {
	choices: {
		cursor: ['Cursor', 'For exports: reads in the order of a date, and can be resumed'],
		page: ['Page', 'To fetch one specific page'],
	},
	default: 'cursor',
	description: 'How to read the list',
});

export const sort = choice('Sort', 'sort', {
	choices: { created_at: ['Created At'], updated_at: ['Updated At'] },
	default: 'updated_at',
	description: 'The date that decides the order',
});

export const listOptions: INodeProperties[] = [
	...fileOptions('the object type'),
	additionalParametersOption,
	date('Changed After', 'changedAfter', {
		description:
			"Returns only records whose date (see Sort) is later, for example {{ $now.minus(7, 'days') }} for the last seven days. Reads the list up to Changed Before; with Order: Newest First it stops at older records, and so before records without a date that stand at the beginning of the list. Others without a date are kept.",
	}),
	date('Changed Before', 'changedBefore', {
		description:
			'Returns only records whose date (see Sort) is not later. Reads the list up to this date; with Order: Newest First it passes over newer records.',
	}),
	fieldsOption,
	ignoreTotalOption,
	order,
	number('Page', 'page', {
		minValue: 1,
		default: 1,
		description: 'The first page to read. Needs Page Size',
	}),
	number('Page Size', 'pageSize', {
		minValue: 1,
		default: FIRST_PAGE_SIZE,
		description:
			'Records per request. Without this option, the node chooses a size on the first page (with page pagination: 100).',
	}),
	pagination,
	sort,
	text('Sort Key', 'sortKey', {
		placeholder: 'e.g. name',
		description: 'How your service sorts its pages; sent to it as written',
	}),
	text('Start Cursor', 'startCursor', {
		placeholder: 'e.g. the cursor of a stopped export',
		description:
			'Where to continue: the cursor from a page, a file or an error. Set Page Size to the limit that came with it.',
	}),
].map(unlessExcluded);

/** Parameters of the operations that read lists. */
export const listProperties: INodeProperties[] = [
	...displayFor(chosenLists, objectTypeProperty('Type of the records to read')),
	...displayFor(lists, returnAll, limit, outputAs, outputAsOf(itemsAndPages, true)),
	...optionsFor(lists, ({ timeoutMs }) => [...listOptions, ...requestOptions(timeoutMs)]),
];
