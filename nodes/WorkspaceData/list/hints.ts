import type { IExecuteFunctions, INodeExecutionData, NodeHint } from 'n8n-workflow';

import { FIRST_PAGE_SIZE } from '../../client/page-size';
import type { Page, PagingOptions } from '../../client/pages';
import { canonicalJson } from '../../client/exact-json';
import { hint, hintOnce, isFirst } from '../hints';
import { CHOSEN, idOf, INPUT_ITEMS, type Operation } from '../operation';
import { operations } from '../operations';
import type { ListParameters } from './parameters';
import { exportSummary } from './progress';

/** From this many items on, n8n's memory and editor suffer, and files are the better output. */
const MANY_ITEMS = 50_000;

/** The lists that n8n does not know for lists: of those named `getAll` it tells by itself that they run once for each item. */
const lists = operations
	.filter(({ input, operation }) => input === 'list' && operation !== 'getAll')
	.map(idOf);

/** Said before the node runs with several input items. */
export const listHints: NodeHint[] = [
	{
		message:
			'This node reads the list once for each input item. To read it only once, turn on <b>Execute Once</b> in the settings of this node.',
		type: 'info',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: `={{ ${INPUT_ITEMS} > 1 && ${JSON.stringify(lists)}.includes(${CHOSEN}) }}`,
	},
];

/** Where a second input item reads the very list that another one has read: n8n runs a list for each of its items. */
export function hintOnListReadAgain(
	context: IExecuteFunctions,
	operation: Operation,
	parameters: ListParameters,
): void {
	if (!lists.includes(idOf(operation))) return;
	if (isFirst(context, `list ${canonicalJson(parameters)}`)) return;
	hintOnce(
		context,
		'readAgain',
		'Several input items read the same list, so its records came out several times. To read it only once, turn on <b>Execute Once</b> in the settings of this node.',
	);
}

/** Where more records came out as items than n8n handles well. */
export function hintOnManyItems(context: IExecuteFunctions, items: number): void {
	if (items <= MANY_ITEMS) return;
	hintOnce(
		context,
		'manyItems',
		`Set <b>Output As</b> to NDJSON Files or CSV Files for large exports: more than ${MANY_ITEMS.toLocaleString('en-US')} items take much memory in n8n and make the editor slow.`,
	);
}

/** After an export that took long, since a person who waited wants to know what came of it. `what` are the records. */
export function hintOnExport(
	context: IExecuteFunctions,
	what: string,
	files: readonly INodeExecutionData[],
	tookMs: number,
): void {
	const records = files.reduce((sum, { json }) => sum + Number(json.records), 0);
	const message = exportSummary({ what, records, files: files.length }, tookMs);
	if (message !== undefined) hint(context, message);
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
		`To continue from where this list ends, turn on <b>Return All</b>, or set <b>Page Size</b> to ${Math.min(pageSize, maximum)} and <b>Limit</b> to a multiple of ${firstPage}. The service returned more records than requested: the last ${recordsLeftOut} were skipped because of <b>Limit</b>, and no cursor leads to them.`,
	);
}
