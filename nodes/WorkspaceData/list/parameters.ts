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
	if (mode === 'cursor') {
		refuseOptions(options, ['page', 'sortKey'], 'cursor pagination', "'Pagination' to Page");
		// Sent as it is: a cursor may end with anything.
		const hasCursor = optionalText(options.startCursor, 'Start Cursor') !== undefined;
		const startCursor = hasCursor ? String(options.startCursor) : undefined;
		if (startCursor !== undefined && pageSize === undefined) {
			throw new InputProblem(
				"The option 'Start Cursor' needs the option 'Page Size'",
				`Set 'Page Size' to the "limit" that came with the cursor: it stands beside it in meta.pagination of a page, in the item of a file, and in the details of an error. A cursor may lead elsewhere with another one.`,
			);
		}
		const sort = readChoice(options.sort, offered.sort);
		const range = readRange(options, timezone);
		return { ...common, mode, pageSize, sort, startCursor, range };
	}
	const ofCursors = ['sort', 'startCursor', 'changedAfter', 'changedBefore'] as const;
	refuseOptions(options, ofCursors, BY_PAGE, "'Pagination' to Cursor");
	const firstPage = wholeNumber(options.page ?? 1, 'Page', 1);
	if (firstPage > 1 && pageSize === undefined) {
		throw new InputProblem(
			"The option 'Page' needs the option 'Page Size'",
			`Set 'Page Size', for example to ${FIRST_PAGE_SIZE}: where page ${firstPage} begins depends on it.`,
		);
	}
	return {
		...common,
		mode,
		pageSize: pageSize ?? FIRST_PAGE_SIZE,
		sortKey: optionalText(options.sortKey, 'Sort Key'),
		firstPage,
	};
}

function readRange(options: Record<string, unknown>, timezone: string): DateRange | undefined {
	const dateOf = (name: 'changedAfter' | 'changedBefore'): number | undefined =>
		options[name] === undefined ? undefined : dateAndTime(options[name], LABELS[name], timezone);
	const after = dateOf('changedAfter');
	const before = dateOf('changedBefore');
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
	if (order === 'oldestFirst') return undefined;
	const { maximum, ignoreTotal } = paging;
	const otherwise = "'Order' to Oldest First";
	const refused = (what: string, fix: string): InputProblem =>
		notWith("option 'Order: Newest First'", what, fix, otherwise);
	if (paging.mode === 'page') throw refused(BY_PAGE, "Remove the option 'Pagination'");
	if (maximum === undefined) throw refused("'Return All'", "Turn off 'Return All'");
	if (outputAs === 'pages') throw refused('pages', "Set 'Output As' to Items or files");
	refuseOptions(options, ['startCursor'], 'Newest First', otherwise);
	if (ignoreTotal === true) throw refused("'Ignore Total'", "Remove the option 'Ignore Total'");
	return { ...paging, maximum };
}

const BY_PAGE = 'page pagination';
const LABELS = {
	changedAfter: 'Changed After',
	changedBefore: 'Changed Before',
	page: 'Page',
	sort: 'Sort',
	sortKey: 'Sort Key',
	startCursor: 'Start Cursor',
};

/** An option that cannot be combined with `setting` would change what is read if it were dropped silently. */
function refuseOptions(
	options: Record<string, unknown>,
	names: ReadonlyArray<keyof typeof LABELS>,
	setting: string,
	otherwise: string,
): void {
	const name = names.find((one) => !isEmpty(options[one]));
	if (name === undefined) return;
	const option = `option '${LABELS[name]}'`;
	throw notWith(option, setting, `Remove the ${option} (it is ${shown(options[name])})`, otherwise);
}

function notWith(what: string, setting: string, fix: string, otherwise: string): InputProblem {
	return new InputProblem(
		`The ${what} does not work with ${setting}`,
		`${fix}, or set the option ${otherwise}.`,
	);
}
