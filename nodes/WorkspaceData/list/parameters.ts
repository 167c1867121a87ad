import { InputProblem } from '../../common/errors';
import type { PagingOptions } from '../../client/pages';
import type { RequestLimits } from '../../client/request';
import type { Operation } from '../operation';
import { FIRST_PAGE_SIZE } from '../../client/page-size';
import { DEFAULT_MAX_RETRIES } from '../../common/defaults';
import { readFileParameters, type FileParameters } from '../export/parameters';
import {
	oneOf,
	optionalText,
	readFields,
	readObjectType,
	readOptions,
	readRequestLimits,
	shown,
	trueOrFalse,
	wholeNumber,
	type GetParameter,
} from '../../common/parameters';

/** What `outputAs` can be. */
export type OutputAs = 'items' | 'pages' | 'ndjson' | 'csv';

const OUTPUTS: readonly OutputAs[] = ['items', 'pages', 'ndjson', 'csv'];

/** The checked parameters of Get Many and Query for one input item. */
export interface ListParameters {
	/** Where the user chooses it. */
	objectType?: string;
	outputAs: OutputAs;
	paging: PagingOptions;
	/** Top-level fields to keep, `id` among them; undefined keeps all. */
	fields?: string[];
	/** For `ndjson` and `csv` only. */
	files?: FileParameters;
	limits: RequestLimits;
}

/**
 * Reads and checks the parameters of a list operation.
 *
 * @throws InputProblem naming the parameter and the fix, before any request is sent
 */
export function readListParameters(get: GetParameter, operation: Operation): ListParameters {
	const options = readOptions(get);
	const outputAs = oneOf(get('outputAs', 'items'), 'Output As', OUTPUTS);
	return {
		objectType: operation.choosesObjectType ? readObjectType(get('objectType')) : undefined,
		outputAs,
		files:
			outputAs === 'ndjson' || outputAs === 'csv'
				? readFileParameters(options, outputAs)
				: undefined,
		paging: readPaging(options, readMaximum(get)),
		fields: readFields(options.fields),
		limits: readRequestLimits(options, {
			maxRetries: DEFAULT_MAX_RETRIES,
			timeoutMs: operation.timeoutMs,
		}),
	};
}

function readMaximum(get: GetParameter): number | undefined {
	if (trueOrFalse(get('returnAll', false), 'Return All', false)) return undefined;
	return wholeNumber(get('limit', 50), 'Limit', 1);
}

function readPaging(options: Record<string, unknown>, maximum: number | undefined): PagingOptions {
	const mode = oneOf(options.pagination ?? 'cursor', 'Pagination', ['cursor', 'page']);
	const pageSize = readPageSize(options.pageSize);
	if (mode === 'cursor') {
		refuseOptions(options, { page: 'Page', sortKey: 'Sort Key' }, 'cursor', 'Page');
		return {
			mode,
			pageSize,
			maximum,
			sort: oneOf(options.sort ?? 'updated_at', 'Sort', ['updated_at', 'created_at']),
			startCursor: optionalText(options.startCursor, 'Start Cursor'),
		};
	}
	refuseOptions(options, { sort: 'Sort', startCursor: 'Start Cursor' }, 'page', 'Cursor');
	return {
		mode,
		pageSize: pageSize ?? FIRST_PAGE_SIZE,
		maximum,
		sortKey: optionalText(options.sortKey, 'Sort Key'),
		firstPage: wholeNumber(options.page ?? 1, 'Page', 1),
	};
}

/** Undefined where the option is not set. */
function readPageSize(value: unknown): number | undefined {
	return value === undefined || value === null ? undefined : wholeNumber(value, 'Page Size', 1);
}

/** Options of the other pagination would change what is read if they were dropped silently. */
function refuseOptions(
	options: Record<string, unknown>,
	names: Record<string, string>,
	mode: string,
	otherMode: string,
): void {
	for (const [name, label] of Object.entries(names)) {
		const value = options[name];
		if (value === undefined || value === null || value === '') continue;
		throw new InputProblem(
			`The option ${label} does not work with ${mode} pagination`,
			`Remove the option ${label} (it is ${shown(value)}), or set the option Pagination to ${otherMode}.`,
		);
	}
}
