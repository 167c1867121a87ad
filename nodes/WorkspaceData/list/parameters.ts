import { InputProblem } from '../../common/errors/node-errors';
import { findOperation } from '../operations';
import type { NumberPaging } from '../../lists/by-number';
import type { DateRange } from '../../lists/dates';
import type { NewestPaging } from '../../lists/newest';
import { FIRST_PAGE_SIZE } from '../../lists/page-size';
import type { CursorPaging } from '../../lists/place';
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
	const paging = readPaging(options, maximum, context.getTimezone());
	const outputAs = choiceOf(get, offered.outputAs);
	const files = readFileParameters(options, outputAs);
	if (files !== undefined) assertFits(paging, files.recordsPerFile);
	return {
		source: readSource(get, options, { ...operation, endpoint }),
		outputAs,
		/** Undefined where the list is read from its beginning. */
		newest: readOrder(options, outputAs, paging),
		files,
		paging,
		fields: readFields(options.fields),
		limits: readRequestLimits(options, operation.timeoutMs),
	};
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
	timezone: string,
): CursorPaging | NumberPaging {
	const mode = readChoice(options.pagination, offered.pagination);
	const pageSize = readPageSize(options);
	const common = { maximum, ignoreTotal: trueOrFalse(options.ignoreTotal, 'Ignore Total', false) };
	if (mode === 'page') return { mode, ...common, ...readPages(options, pageSize) };
	refuseExcluded(options, 'cursor pagination');
	const startCursor = readStartCursor(options, pageSize);
	const sort = readChoice(options.sort, offered.sort);
	const range = readRange(options, timezone);
	return { mode, ...common, pageSize, sort, startCursor, range };
}

function readStartCursor(options: Record<string, unknown>, pageSize: number | undefined) {
	if (optionalText(options.startCursor, 'Start Cursor') === undefined) return undefined;
	if (pageSize === undefined) {
		throw new InputProblem(
			"The option 'Start Cursor' needs the option 'Page Size'",
			`Set 'Page Size' to the "limit" that came with the cursor: it stands beside it in meta.pagination of a page, in the item of a file, and in the details of an error. A cursor may lead elsewhere with another one.`,
		);
	}
	// Sent as it is: a cursor may end with anything, also with a space.
	return String(options.startCursor);
}

/** What is asked for by number. */
function readPages(options: Record<string, unknown>, pageSize: number | undefined) {
	refuseExcluded(options, 'page pagination');
	const { page = 1 } = options;
	const firstPage = wholeNumber(page, 'Page', 1);
	if (firstPage > 1 && pageSize === undefined) {
		throw new InputProblem(
			"The option 'Page' needs the option 'Page Size'",
			`Set 'Page Size', for example to ${FIRST_PAGE_SIZE}: where page ${firstPage} begins depends on it.`,
		);
	}
	const sortKey = optionalText(options.sortKey, 'Sort Key');
	return { firstPage, pageSize: pageSize ?? FIRST_PAGE_SIZE, sortKey };
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

/** A file ends with a whole page, so that its cursors are exact; and the limit of a Start Cursor cannot be changed. */
function assertFits(paging: CursorPaging | NumberPaging, recordsPerFile: number): void {
	const { pageSize = 0 } = paging;
	const isResumed = paging.mode === 'cursor' && paging.startCursor !== undefined;
	if (!isResumed || pageSize <= recordsPerFile) return;
	throw new InputProblem(
		`'Records per File' must be at least ${pageSize}, as 'Page Size' is`,
		`Raise 'Records per File': it is ${recordsPerFile} now. The 'Page Size' of a 'Start Cursor' has to stay as it is.`,
	);
}

function readOrder(
	options: Record<string, unknown>,
	outputAs: string,
	paging: CursorPaging | NumberPaging,
): NewestPaging | undefined {
	const order = readChoice(options.order, offered.order);
	if (order === 'oldestFirst' || paging.mode === 'page') return undefined;
	const { maximum } = paging;
	const { otherwise } = offered.EXCLUSIONS['Newest First'];
	const refused = (what: string, fix: string): InputProblem =>
		notWith("option 'Order: Newest First'", what, fix, otherwise);
	if (maximum === undefined) throw refused("'Return All'", "Turn off 'Return All'");
	if (outputAs === 'pages') throw refused('pages', "Set 'Output As' to Items or files");
	refuseExcluded(options, 'Newest First');
	return { ...paging, maximum };
}

/** Throws InputProblem for an option that would change what is read if it were dropped silently. */
function refuseExcluded(
	options: Record<string, unknown>,
	setting: keyof typeof offered.EXCLUSIONS,
): void {
	const { names, otherwise }: { names: string[]; otherwise: string } = offered.EXCLUSIONS[setting];
	const isSet = (name: string): boolean => !isEmpty(options[name]) && options[name] !== false;
	const found = offered.listOptions.find(({ name }) => names.includes(name) && isSet(name));
	if (found === undefined) return;
	const option = `option '${found.displayName}'`;
	const fix = `Remove the ${option} (it is ${shown(options[found.name])})`;
	throw notWith(option, setting, fix, otherwise);
}

function notWith(what: string, setting: string, fix: string, otherwise: string): InputProblem {
	return new InputProblem(
		`The ${what} does not work with ${setting}`,
		`${fix}, or set the option ${otherwise}.`,
	);
}
