import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { objectTypeProperty } from '../../common/object-type';
import { csvFiles, ndjsonFiles } from '../export/parameters';
import { operations } from '../operations';
import { timeoutOption } from '../../common/request-options';
import { displayFor, optionsFor } from '../display';
import { listOptions } from './options';
import type { OutputAs } from './parameters';

const lists = operations.filter(({ input }) => input === 'list');

const outputs: Array<INodePropertyOptions & { value: OutputAs }> = [
	csvFiles,
	{ name: 'Items', value: 'items', description: 'One item per record' },
	ndjsonFiles,
	{ name: 'Pages', value: 'pages', description: 'One item per page, with the full API response' },
];

function outputAs(options: INodePropertyOptions[]): INodeProperties {
	return {
		displayName: 'Output As',
		name: 'outputAs',
		type: 'options',
		options,
		default: 'items',
		builderHint: {
			propertyHint:
				'Files for exports of more than 50,000 records, items where the next nodes work on single records.',
		},
		description: 'What each output item holds',
	};
}

/** Shown unless Return All is on or something else hides it. */
function limit(hide: IDisplayOptions['hide'], hint?: string): INodeProperties {
	return {
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		hint,
		displayOptions: { hide: { returnAll: [true], ...hide } },
	};
}

const unlessItems = { outputAs: [{ _cnd: { not: 'items' } }] };

/** Parameters of operations that read lists. */
export const listProperties: INodeProperties[] = [
	...displayFor(
		lists.filter(({ choosesObjectType }) => choosesObjectType),
		objectTypeProperty('Type of the records to read'),
	),
	...displayFor(lists, {
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	}),
	// Exactly one of these is there: only the first where the option Order is, which its hint names.
	...[
		limit(
			{ ...unlessItems, '/options.pagination': ['page'] },
			'Least recently changed records first. For the newest, add the option Order.',
		),
		limit({ outputAs: ['items'] }),
		limit({ ...unlessItems, '/options.pagination': [{ _cnd: { not: 'page' } }] }),
	].flatMap((one) => displayFor(lists, one)),
	...displayFor(lists, { ...outputAs(outputs), displayOptions: { hide: { '@tool': [true] } } }),
	// A model gets no files.
	...displayFor(
		lists,
		outputAs(outputs.filter(({ value }) => ['items', 'pages'].includes(value))),
		{
			'@tool': [true],
		},
	),
	...optionsFor(lists, ({ timeoutMs }) => [...listOptions, timeoutOption(timeoutMs)]),
];
