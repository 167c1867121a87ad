import { InputProblem } from '../../common/errors';
import type { CursorSort, ListSource, PagingOptions } from '../../client/pages';
import type { RequestLimits } from '../../client/request';
import type { Endpoint, Operation } from '../operation';
import { findOperation } from '../operations';
import { FIRST_PAGE_SIZE } from '../../client/page-size';
import { readFields } from '../../common/fields';
import { readSource, type ChosenList } from '../../common/object-type';
import { readPageSize, readRequestLimits } from '../../common/request-options';
import type { ChangedAfter } from './changed-after';
import { readFileParameters, type FileParameters } from '../export/parameters';
import {
	dateAndTime,
	isEmpty,
	oneOf,
	optionalText,
	readOptions,
	shown,
	trueOrFalse,
	wholeNumber,
	type GetParameter,
} from '../../common/parameters';

const OUTPUTS = ['items', 'pages', 'ndjson', 'csv'] as const;

/** What `outputAs` can be. */
export type OutputAs = (typeof OUTPUTS)[number];

/** Which records are wanted: the newest by a date. */
export interface NewestOptions {
	/** How many, at least 1. */
	maximum: number;
	/** Records asked for per request, at least 1. */
	pageSize: number;
	sort: CursorSort;
	/** Only those whose date is later, in ms since 1970; undefined means all. */
	afterMs?: number;
}

/** The checked parameters of Get Many and Query for one input item. */
export interface ListParameters {
	source: ListSource;
	outputAs: OutputAs;
	/** The newest records, newest first; undefined where the list is read from its beginning. */
	newest?: NewestOptions;
	/** Only records whose date is later, in the order of the list; `paging` then has no maximum. */
	changedAfter?: ChangedAfter;
	paging: PagingOptions;
	/** Top-level fields to keep, `id` among them; undefined keeps all. */
	fields?: string[];
	/** For `ndjson` and `csv` only. */
	files?: FileParameters;
	limits: RequestLimits;
}

/** The list whose fields the panel offers. */
export function chosenList(get: GetParameter): ChosenList {
	const operation = findOperation(String(get('resource')), String(get('operation')));
	if (operation?.endpoints.v2 === undefined) throw new RangeError('The operation has no list');
	return { ...operation, endpoint: operation.endpoints.v2 };
}

/**
 * Reads and checks the parameters of a list operation.
 *
 * @param timezone of the workflow, for a date that names none
 * @throws InputProblem naming the parameter and the fix, before any request is sent
 */
export function readListParameters(
	get: GetParameter,
	operation: Operation,
	{ endpoint, timezone }: { endpoint: Endpoint; timezone: string },
): ListParameters {
	const options = readOptions(get);
	const isAll = trueOrFalse(get('returnAll', false), 'Return All', false);
	const maximum = isAll ? undefined : wholeNumber(get('limit', 50), 'Limit', 1);
	const paging = readPaging(options, maximum);
	const outputAs = oneOf(get('outputAs', 'items'), 'Output As', OUTPUTS);
	const changedAfter = readChangedAfter(options, paging, timezone);
	const newest = readOrder(options, outputAs, paging);
	if (newest !== undefined) newest.afterMs = changedAfter?.afterMs;
	else if (changedAfter !== undefined) paging.maximum = undefined;
	const isFiles = outputAs === 'ndjson' || outputAs === 'csv';
	return {
		source: readSource(get, { ...operation, endpoint }),
		outputAs,
		newest,
		changedAfter,
		files: isFiles ? readFileParameters(options, outputAs) : undefined,
		paging,
		fields: readFields(options.fields),
		limits: readRequestLimits(options, operation.timeoutMs),
	};
}

function readPaging(options: Record<string, unknown>, maximum: number | undefined): PagingOptions {
	const mode = oneOf(options.pagination ?? 'cursor', 'Pagination', ['cursor', 'page']);
	const pageSize = readPageSize(options);
	const ignoreTotal = trueOrFalse(options.ignoreTotal, 'Ignore Total', false);
	const common = { maximum, ignoreTotal };
	if (mode === 'cursor') {
		const ofPages = { page: 'Page', sortKey: 'Sort Key' };
		refuseOptions(options, ofPages, 'cursor pagination', 'set the option Pagination to Page');
		return {
			...common,
			mode,
			pageSize,
			sort: oneOf(options.sort ?? 'updated_at', 'Sort', ['updated_at', 'created_at']),
			startCursor: optionalText(options.startCursor, 'Start Cursor'),
		};
	}
	const ofCursors = { sort: 'Sort', startCursor: 'Start Cursor' };
	refuseOptions(options, ofCursors, 'page pagination', 'set the option Pagination to Cursor');
	return {
		...common,
		mode,
		pageSize: pageSize ?? FIRST_PAGE_SIZE,
		sortKey: optionalText(options.sortKey, 'Sort Key'),
		firstPage: wholeNumber(options.page ?? 1, 'Page', 1),
	};
}

function readChangedAfter(
	{ changedAfter }: Record<string, unknown>,
	paging: PagingOptions,
	timezone: string,
): ChangedAfter | undefined {
	if (isEmpty(changedAfter)) return undefined;
	if (paging.mode === 'page') {
		throw new InputProblem(
			'The option Changed After does not work with page pagination',
			'Remove the option Changed After, or set the option Pagination to Cursor.',
		);
	}
	const afterMs = dateAndTime(changedAfter, 'Changed After', timezone);
	return { afterMs, sort: paging.sort, maximum: paging.maximum };
}

function readOrder(
	options: Record<string, unknown>,
	outputAs: OutputAs,
	paging: PagingOptions,
): NewestOptions | undefined {
	const order = oneOf(options.order ?? 'oldestFirst', 'Order', ['oldestFirst', 'newestFirst']);
	if (order === 'oldestFirst') return undefined;
	const otherwise = 'set the option Order to Oldest First';
	if (paging.mode === 'page')
		throw notNewestFirst('page pagination', 'Remove the option Pagination');
	if (paging.maximum === undefined) throw notNewestFirst('Return All', 'Turn off Return All');
	if (outputAs !== 'items') throw notNewestFirst('pages and files', 'Set Output As to Items');
	refuseOptions(options, { startCursor: 'Start Cursor' }, 'Newest First', otherwise);
	if (paging.ignoreTotal === true) throw notNewestFirst('Ignore Total', 'Turn off Ignore Total');
	const { maximum, pageSize = FIRST_PAGE_SIZE, sort } = paging;
	return { maximum, pageSize, sort };
}

function notNewestFirst(what: string, fix: string): InputProblem {
	return new InputProblem(
		`The order Newest First does not work with ${what}`,
		`${fix}, or set the option Order to Oldest First.`,
	);
}

/** An option that has no place here would change what is read if it were dropped silently. */
function refuseOptions(
	options: Record<string, unknown>,
	names: Record<string, string>,
	place: string,
	otherwise: string,
): void {
	for (const [name, label] of Object.entries(names)) {
		const value = options[name];
		if (isEmpty(value)) continue;
		throw new InputProblem(
			`The option ${label} does not work with ${place}`,
			`Remove the option ${label} (it is ${shown(value)}), or ${otherwise}.`,
		);
	}
}
