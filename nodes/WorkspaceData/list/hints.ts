import type { IExecuteFunctions, NodeHint } from 'n8n-workflow';

import { FIRST_PAGE_SIZE } from '../../client/page-size';
import type { Page, PagingOptions } from '../../client/pages';
import { canonicalJson } from '../../client/exact-json';
import { hintOnce, isFirst } from '../hints';
import { operations } from '../operations';
import type { ListParameters } from './parameters';

/** From this many items on, n8n's memory and editor suffer, and files are the better output. */
const MANY_ITEMS = 50_000;

const lists = operations
	.filter(({ input }) => input === 'list')
	.map(({ resource, operation }) => `${resource}:${operation}`);

/** Said before the node runs with several input items. */
export const listHints: NodeHint[] = [
	{
		message:
			'This node reads the list once for each of its input items. If you want the records once, turn on <b>Execute Once</b> in the settings of this node.',
		type: 'info',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: `={{ $input.all().length > 1 && ${JSON.stringify(lists)}.includes($parameter.resource + ":" + $parameter.operation) }}`,
	},
];

/** Where a second input item reads the very list that another one has read: n8n runs a list for each of its items. */
export function hintOnListReadAgain(context: IExecuteFunctions, parameters: ListParameters): void {
	if (isFirst(context, `list ${canonicalJson(parameters)}`)) return;
	hintOnce(
		context,
		'readAgain',
		'This node ran once for each of its input items, and several of them read the same list, so its records came out several times. If you want them once, turn on <b>Execute Once</b> in the settings of this node.',
	);
}

/** Where more records came out as items than n8n handles well. */
export function hintOnManyItems(context: IExecuteFunctions, items: number): void {
	if (items <= MANY_ITEMS) return;
	hintOnce(
		context,
		'manyItems',
		`More than ${MANY_ITEMS.toLocaleString('en-US')} items take much memory in n8n and make the editor slow. For large exports, set <b>Output As</b> to NDJSON Files or CSV Files.`,
	);
}

/**
 * Where a page was truncated to Limit, since what comes out then has no cursor to continue from.
 *
 * @param firstPage how many records the first page of the list held
 */
export function hintOnRecordsLeftOut(
	context: IExecuteFunctions,
	{ recordsLeftOut }: Page,
	{ pageSize = FIRST_PAGE_SIZE, maximum = pageSize }: PagingOptions,
	firstPage: number,
): void {
	if (recordsLeftOut === 0) return;
	hintOnce(
		context,
		'leftOut',
		`The service gave more records than were asked for. The last ${recordsLeftOut} were left out to keep to <b>Limit</b>, and there is no cursor that leads to them. To continue from where this list ends, turn on <b>Return All</b>, or set <b>Page Size</b> to ${Math.min(pageSize, maximum)} and <b>Limit</b> to a multiple of ${firstPage}, which is what one page of this service held.`,
	);
}
