import { InputProblem } from '../../common/errors';
import type { CursorPaging, PagingOptions } from '../../client/pages';
import { findOperation } from '../operations';
import { FIRST_PAGE_SIZE } from '../../client/page-size';
import { readFields } from '../../common/fields';
import { readSource, type ChosenList } from '../../common/object-type';
import { readPageSize, readRequestLimits } from '../../common/request-options';
import { readFileParameters } from '../export/parameters';
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
import type { Task } from '../task';

/** How many of the newest records are wanted, and by which date. */
export type NewestOptions = CursorPaging & { maximum: number };

/** The checked parameters of Get Many and Query for one input item. */
export type ListParameters = ReturnType<typeof readListParameters>;

/** The list whose fields the panel offers. */
export function chosenList(get: GetParameter): ChosenList {
	const operation = findOperation(String(get('resource')), String(get('operation')));
	if (operation?.endpoints.v2 === undefined) throw new RangeError('The operation has no list');
	return { ...operation, endpoint: operation.endpoints.v2 };
}

/** Reads and checks the parameters of a list operation. Throws InputProblem naming the parameter and the fix. */
export function readListParameters({ get, operation, endpoint, context }: Task) {
	const options = readOptions(get);
	const isAll = trueOrFalse(get('returnAll', false), 'Return All', false);
	const maximum = isAll ? undefined : wholeNumber(get('limit', 50), 'Limit', 1);
	const paging = readPaging(options, maximum);
	const outputs = ['items', 'pages', 'ndjson', 'csv'] as const;
	const outputAs = oneOf(get('outputAs', 'items'), 'Output As', outputs);
	const { changedAfter: date } = options;
	/** Only records whose date is later. */
	const changedAfter =
		paging.mode === 'page' || isEmpty(date)
			? undefined
			: { ...paging, afterMs: dateAndTime(date, 'Changed After', context.getTimezone()) };
	return {
		source: readSource(get, { ...operation, endpoint }),
		outputAs,
		/** Undefined where the list is read from its beginning. */
		newest: readOrder(options, outputAs, paging),
		changedAfter,
		files: readFileParameters(options, outputAs),
		// Only records that are kept count towards Limit: `changedAfter` has the maximum.
		paging: changedAfter === undefined ? paging : { ...paging, maximum: undefined },
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
		refuseOptions(options, ['page', 'sortKey'], 'cursor pagination', 'Pagination to Page');
		return {
			...common,
			mode,
			pageSize,
			sort: oneOf(options.sort ?? 'updated_at', 'Sort', ['updated_at', 'created_at']),
			startCursor: optionalText(options.startCursor, 'Start Cursor'),
		};
	}
	const ofCursors = ['sort', 'startCursor', 'changedAfter'] as const;
	refuseOptions(options, ofCursors, BY_PAGE, 'Pagination to Cursor');
	return {
		...common,
		mode,
		pageSize: pageSize ?? FIRST_PAGE_SIZE,
		sortKey: optionalText(options.sortKey, 'Sort Key'),
		firstPage: wholeNumber(options.page ?? 1, 'Page', 1),
	};
}

function readOrder(options: Record<string, unknown>, outputAs: string, paging: PagingOptions) {
	const order = oneOf(options.order ?? 'oldestFirst', 'Order', ['oldestFirst', 'newestFirst']);
	if (order === 'oldestFirst') return undefined;
	const { maximum, ignoreTotal } = paging;
	const otherwise = 'Order to Oldest First';
	const refused = (what: string, fix: string): InputProblem =>
		notWith('order Newest First', what, fix, otherwise);
	if (paging.mode === 'page') throw refused(BY_PAGE, 'Remove the option Pagination');
	if (maximum === undefined) throw refused('Return All', 'Turn off Return All');
	if (outputAs !== 'items') throw refused('pages and files', 'Set Output As to Items');
	refuseOptions(options, ['startCursor'], 'Newest First', otherwise);
	if (ignoreTotal === true) throw refused('Ignore Total', 'Turn off Ignore Total');
	return { ...paging, maximum };
}

const BY_PAGE = 'page pagination';
const LABELS = {
	changedAfter: 'Changed After',
	page: 'Page',
	sort: 'Sort',
	sortKey: 'Sort Key',
	startCursor: 'Start Cursor',
};

/** An option that has no place here would change what is read if it were dropped silently. */
function refuseOptions(
	options: Record<string, unknown>,
	names: ReadonlyArray<keyof typeof LABELS>,
	place: string,
	otherwise: string,
): void {
	const name = names.find((one) => !isEmpty(options[one]));
	if (name === undefined) return;
	const option = `option ${LABELS[name]}`;
	throw notWith(option, place, `Remove the ${option} (it is ${shown(options[name])})`, otherwise);
}

function notWith(what: string, place: string, fix: string, otherwise: string): InputProblem {
	return new InputProblem(
		`The ${what} does not work with ${place}`,
		`${fix}, or set the option ${otherwise}.`,
	);
}
