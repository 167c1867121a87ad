import { InputProblem } from '../../shared/errors/node-errors';
import { findOperation } from '../operations';
import type { NumberPaging } from '../../shared/lists/by-number';
import type { DateRange } from '../../shared/lists/dates';
import { USUAL_PAGE_SIZE } from '../../shared/lists/page-size';
import type { CursorSort } from '../../shared/lists/page';
import type { CursorPaging } from '../../shared/lists/position';
import { readFields } from '../../shared/panel/fields-option';
import { readSource, type ChosenList } from '../../shared/panel/list-source';
import { readPageSize, readRequestLimits } from '../../shared/panel/request-options';
import { readFileParameters } from '../export/file-options';
import {
	choiceOf,
	dateAndTime,
	isBlank,
	isEmpty,
	optionalText,
	readChoice,
	shown,
	trueOrFalse,
	wholeNumber,
	worksNotWith,
	type GetParameter,
} from '../../shared/panel/read-parameters';
import { isTool, type Task } from '../task';
import * as properties from './list-properties';

/** Checked parameters of a list operation. */
export type ListParameters = ReturnType<typeof readListParameters>;

/** Returns the list of the chosen operation, for the option Fields. Throws RangeError if there is no endpoint. */
export function chosenList(get: GetParameter): ChosenList {
	const operation = findOperation(String(get('resource')), String(get('operation')));
	const { endpoints = {} } = operation ?? {};
	if (Object.keys(endpoints).length === 0) throw new RangeError('The operation has no list');
	return { ...operation, endpoints };
}

/** Reads the parameters of a list operation. Throws InputProblem for invalid values or combinations. */
export function readListParameters(task: Task) {
	const { get, operation, endpoint, context, options } = task;
	const isAll = trueOrFalse(get('returnAll', false), 'Return All', false);
	const limit = isAll ? undefined : wholeNumber(get('limit', properties.DEFAULT_LIMIT), 'Limit', 1);
	const sortOrder = readChoice(options.sort, properties.sort).split(':');
	const [sort, direction] = sortOrder as [CursorSort, 'desc'?];
	const outputAs = choiceOf(get, properties.outputAs);
	refuseCombinations(options, isAll, outputAs, direction);
	const paging = readPaging(options, limit, sort, context.getTimezone());
	const files = readFileParameters(get, options, outputAs);
	if (files !== undefined) assertFits(paging, files.recordsPerFile);
	const isNewestFirst = direction === 'desc' && paging.mode === 'cursor';
	return {
		source: readSource(get, filtersOf(task), { ...operation, endpoint }),
		outputAs,
		/** Paging for a list that is read from its end. Undefined if the list is read from its beginning. */
		newest: isNewestFirst ? paging : undefined,
		files,
		paging,
		fields: readFields(options.fields),
		limits: readRequestLimits(options, operation.timeoutMs),
	};
}

/** Returns the options. In an AI tool, leaves out filters without a value, because a model need not use them all. */
function filtersOf({ context, options }: Task): Record<string, unknown> {
	const { values } = Object(options.additionalParameters) as { values?: unknown };
	if (!isTool(context) || !Array.isArray(values)) return options;
	const filled = values.filter((row) => !isBlank(Object(row).value));
	return { ...options, additionalParameters: { values: filled } };
}

function readPaging(
	options: Record<string, unknown>,
	limit: number | undefined,
	sort: CursorSort,
	timezone: string,
): CursorPaging | NumberPaging {
	const pageSize = readPageSize(options);
	const firstPage = wholeNumber(options.page ?? 0, 'Page Number', 0);
	const common = { limit, ignoreTotal: trueOrFalse(options.ignoreTotal, 'Ignore Total', false) };
	if (firstPage > 0) {
		if (firstPage > 1 && pageSize === undefined) {
			throw new InputProblem(
				"'Page Number' needs 'Page Size'",
				`Set 'Page Size', for example to ${USUAL_PAGE_SIZE}: the beginning of page ${firstPage} depends on it.`,
			);
		}
		const sortKey = optionalText(options.sortKey, 'Sort Key');
		const numbered = { firstPage, pageSize: pageSize ?? USUAL_PAGE_SIZE, sort, sortKey };
		return { mode: 'page', ...common, ...numbered };
	}
	const startCursor = readStartCursor(options, pageSize);
	const range = readRange(options, timezone);
	return { mode: 'cursor', ...common, pageSize, sort, startCursor, range };
}

function readStartCursor(options: Record<string, unknown>, pageSize: number | undefined) {
	if (optionalText(options.startCursor, 'Start Cursor') === undefined) return undefined;
	if (pageSize === undefined) {
		throw new InputProblem(
			"'Start Cursor' needs 'Page Size'",
			`Set 'Page Size' to the pageSize that stands next to the cursor: in meta.pagination of a page, in the item of a file, or in the details of an error. With another size, the cursor may lead to another page.`,
		);
	}
	// Do not trim the cursor, because it may end with a space.
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

/** Throws InputProblem if options exclude each other, because ignoring one would silently return other records. */
function refuseCombinations(
	options: Record<string, unknown>,
	isAll: boolean,
	outputAs: string,
	direction: 'desc' | undefined,
): void {
	const { page, sortKey, startCursor, changedAfter, changedBefore, ignoreTotal, sort } = options;
	const isByNumber = !isEmpty(page) && Number(page) !== 0;
	const refuse = (label: string, value: unknown, other: string, fix: string): void => {
		const isSet = !isEmpty(value) && value !== false && value !== 'false';
		if (isSet) throw worksNotWith(label, value, other, fix);
	};
	if (isByNumber) {
		const dates = { 'Changed After': changedAfter, 'Changed Before': changedBefore };
		const excluded = { 'Start Cursor': startCursor, ...dates, 'Sort Order': direction && sort };
		for (const [label, value] of Object.entries(excluded))
			refuse(label, value, 'Page Number', "'Page Number' to 0");
	} else refuse('Sort Key', sortKey, 'Page Number: 0', "'Page Number' to 1");
	if (direction === undefined) return;
	const excluded = {
		'Return All': isAll && isEmpty(changedAfter),
		'Output As': outputAs === 'pages' && outputAs,
		'Start Cursor': startCursor,
		'Ignore Total': ignoreTotal,
	};
	for (const [label, value] of Object.entries(excluded))
		refuse(label, value, 'Sort Order: Newest First', "'Sort Order' to Oldest First");
}

/** Throws InputProblem if a page does not fit into a file, because no cursor leads into the middle of a page. */
function assertFits({ pageSize = 0 }: CursorPaging | NumberPaging, recordsPerFile: number): void {
	if (pageSize <= recordsPerFile) return;
	throw new InputProblem(
		`'Records per File' must be at least ${pageSize}, as 'Page Size' is`,
		`Raise 'Records per File' (it is ${recordsPerFile}), or set a smaller 'Page Size'.`,
	);
}
