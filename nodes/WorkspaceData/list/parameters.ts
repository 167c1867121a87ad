import { InputProblem } from '../../common/errors/node-errors';
import { findOperation } from '../operations';
import type { NumberPaging } from '../../lists/by-number';
import type { DateRange } from '../../lists/dates';
import type { NewestPaging } from '../../lists/newest';
import { USUAL_PAGE_SIZE } from '../../lists/page-size';
import type { CursorSort } from '../../lists/page';
import type { CursorPaging } from '../../lists/position';
import { readFields, readSource, type ChosenList } from '../../common/panel/choices';
import { readPageSize, readRequestLimits } from '../../common/panel/request-options';
import { readFileParameters } from '../export/parameters';
import {
	choiceOf,
	dateAndTime,
	isEmpty,
	optionalText,
	readChoice,
	shown,
	trueOrFalse,
	wholeNumber,
	worksNotWith,
	type GetParameter,
} from '../../common/panel/parameters';
import { isTool, type Task } from '../task';
import * as offered from './properties';

/** What Get Many or Query was asked for by one input item. */
export type ListParameters = ReturnType<typeof readListParameters>;

/** The list whose fields the panel offers. */
export function chosenList(get: GetParameter): ChosenList {
	const operation = findOperation(String(get('resource')), String(get('operation')));
	if (operation?.endpoints.v2 === undefined) throw new RangeError('The operation has no list');
	return { ...operation, endpoint: operation.endpoints.v2 };
}

/** Throws InputProblem naming the parameter and the fix. */
export function readListParameters(task: Task) {
	const { get, operation, endpoint, context, options } = task;
	const isAll = trueOrFalse(get('returnAll', false), 'Return All', false);
	const maximum = isAll ? undefined : wholeNumber(limitOf(task), 'Limit', 1);
	const [sort, direction] = readSort(options);
	refuseCombinations(options, direction !== undefined);
	const paging = readPaging(options, maximum, sort, context.getTimezone());
	const outputAs = choiceOf(get, offered.outputAs);
	const files = readFileParameters(get, options, outputAs);
	if (files !== undefined) assertFits(paging, files.recordsPerFile);
	return {
		source: readSource(get, options, { ...operation, endpoint }),
		outputAs,
		/** Undefined where the list is read from its beginning. */
		newest: direction === undefined ? undefined : newestOf(paging, outputAs),
		files,
		paging,
		fields: readFields(options.fields),
		limits: readRequestLimits(options, operation.timeoutMs),
	};
}

/** The date, and `desc` where the newest come first. */
function readSort({ sort }: Record<string, unknown>) {
	return readChoice(sort, offered.sort).split(':') as [sort: CursorSort, direction?: 'desc'];
}

/** A model may leave Limit empty; an expression that a person wrote may not. */
function limitOf({ get, context, itemIndex }: Task): unknown {
	if (!isTool(context)) return get('limit', offered.DEFAULT_LIMIT);
	const limit = context.getNodeParameter('limit', itemIndex, offered.DEFAULT_LIMIT);
	return isEmpty(limit) ? offered.DEFAULT_LIMIT : limit;
}

function readPaging(
	options: Record<string, unknown>,
	maximum: number | undefined,
	sort: CursorSort,
	timezone: string,
): CursorPaging | NumberPaging {
	const pageSize = readPageSize(options);
	const firstPage = wholeNumber(options.page ?? 0, 'Page Number', 0);
	const common = { maximum, ignoreTotal: trueOrFalse(options.ignoreTotal, 'Ignore Total', false) };
	const sortKey = optionalText(options.sortKey, 'Sort Key');
	if (firstPage > 0) {
		assertPageSize(firstPage, pageSize);
		const byNumber = { firstPage, pageSize: pageSize ?? USUAL_PAGE_SIZE, sortKey };
		return { mode: 'page', ...common, ...byNumber };
	}
	if (sortKey !== undefined) {
		throw new InputProblem(
			"'Sort Key' needs 'Page Number'",
			`Set 'Page Number' to 1, or remove 'Sort Key' (it is ${shown(sortKey)}).`,
		);
	}
	const startCursor = readStartCursor(options, pageSize);
	return {
		mode: 'cursor',
		...common,
		pageSize,
		sort,
		startCursor,
		range: readRange(options, timezone),
	};
}

function assertPageSize(firstPage: number, pageSize: number | undefined): void {
	if (firstPage === 1 || pageSize !== undefined) return;
	throw new InputProblem(
		"'Page Number' needs 'Page Size'",
		`Set 'Page Size', for example to ${USUAL_PAGE_SIZE}: where page ${firstPage} begins depends on it.`,
	);
}

function readStartCursor(options: Record<string, unknown>, pageSize: number | undefined) {
	if (optionalText(options.startCursor, 'Start Cursor') === undefined) return undefined;
	if (pageSize === undefined) {
		throw new InputProblem(
			"'Start Cursor' needs 'Page Size'",
			`Set 'Page Size' to the "limit" that came with the cursor: it stands beside it in meta.pagination of a page, in the item of a file, and in the details of an error. A cursor may lead elsewhere with another one.`,
		);
	}
	// Sent as it is: a cursor may end with anything, also with a space.
	return String(options.startCursor);
}

function readRange(options: Record<string, unknown>, timezone: string): DateRange | undefined {
	const dateOf = (value: unknown, label: string): number | undefined =>
		value === undefined ? undefined : dateAndTime(value, label, timezone);
	const after = dateOf(options.changedAfter, 'Changed After');
	const before = dateOf(options.changedBefore, 'Changed Before');
	if (after === undefined && before === undefined) return undefined;
	if (after !== undefined && before !== undefined && after >= before) {
		throw new InputProblem(
			"'Changed Before' must be later than 'Changed After'",
			`Change one of them: no record can be later than ${shown(options.changedAfter)} and not later than ${shown(options.changedBefore)}.`,
		);
	}
	return { after, before };
}

/** What would change what is read if it were dropped silently, by what it does not work with. */
function refuseCombinations(options: Record<string, unknown>, isNewestFirst: boolean): void {
	const { page, startCursor, changedAfter, changedBefore, sort } = options;
	const ignoreTotal = trueOrFalse(options.ignoreTotal, 'Ignore Total', false);
	const byNumber = "'Page Number' to 0";
	const byOldest = "'Sort Order' to Oldest First";
	const isByNumber = !isEmpty(page) && Number(page) !== 0;
	const excluded: Array<[isOn: boolean, name: string, other: string, value: unknown, fix: string]> =
		[
			[isByNumber, 'Start Cursor', 'Page Number', startCursor, byNumber],
			[isByNumber, 'Changed After', 'Page Number', changedAfter, byNumber],
			[isByNumber, 'Changed Before', 'Page Number', changedBefore, byNumber],
			[isByNumber && isNewestFirst, 'Sort Order', 'Page Number', sort, byNumber],
			[isNewestFirst, 'Start Cursor', 'Sort Order: Newest First', startCursor, byOldest],
			[isNewestFirst, 'Ignore Total', 'Sort Order: Newest First', ignoreTotal, byOldest],
		];
	for (const [isOn, name, other, value, fix] of excluded) {
		const isSet = !isEmpty(value) && value !== false;
		if (isOn && isSet) throw worksNotWith(name, value, other, fix);
	}
}

/** A file ends with a whole page, so that its cursors are exact. */
function assertFits({ pageSize = 0 }: CursorPaging | NumberPaging, recordsPerFile: number): void {
	if (pageSize <= recordsPerFile) return;
	throw new InputProblem(
		`'Records per File' must be at least ${pageSize}, as 'Page Size' is`,
		`Raise 'Records per File' (it is ${recordsPerFile}), or set a smaller 'Page Size'.`,
	);
}

function newestOf(paging: CursorPaging | NumberPaging, outputAs: string): NewestPaging | undefined {
	if (paging.mode === 'page') return undefined;
	const { maximum, range } = paging;
	const newest = "'Sort Order' to Oldest First";
	if (maximum === undefined && range?.after === undefined) {
		throw worksNotWith('Return All', true, 'Sort Order: Newest First', newest);
	}
	if (outputAs === 'pages') {
		throw worksNotWith('Output As: Pages', outputAs, 'Sort Order: Newest First', newest);
	}
	return { ...paging, maximum: maximum ?? Infinity };
}
