import { badRequest } from './api-error.mts';
import type { Access, Caller } from './authentication.mts';
import type { Dataset } from './dataset.mts';
import type { CallName } from './routes-calls.mts';
import type { Quirks } from './types.mts';

/** API request after authentication. */
export interface ApiCall {
	method: string;
	query: Record<string, unknown>;
	/** Parameters in the path, such as `id`. */
	params: Record<string, string>;
	/** Body of the request, unparsed. Undefined if the request has no body. */
	rawBody: string | undefined;
	caller: Caller;
	/** Unique id of the request, for `meta.ctx_id`. */
	contextId: string;
	dataset: Dataset;
	quirks: Quirks;
	/** Number of times that the sandbox has let all cursors expire. */
	generation: number;
}

/**
 * Endpoint of the API: a method, a path, and a handler. `handle` returns the response as JSON text, or throws an
 * ApiError.
 */
export interface Endpoint {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Path. It can contain parameters such as `:id`, whose values are in `params` of the call. */
	path: string;
	access: Access;
	handle(call: ApiCall): string;
	/** Key of `sandbox.calls` under which processed calls are recorded. Undefined for endpoints that only read. */
	recordedAs?: CallName;
}

/**
 * Returns the JSON text of a successful response: `success`, `data` and `meta`. `dataText` is the JSON text of `data`.
 */
export function envelope(dataText: string, contextId: string, pagination?: Pagination): string {
	const paginationText = pagination ? `,"pagination":${JSON.stringify(pagination)}` : '';
	return `{"success":true,"data":${dataText},"meta":{"ctx_id":"${contextId}"${paginationText}}}`;
}

/**
 * Value of `meta.pagination` in a list response. `total` is missing if a quirk omits it, and `next_cursor` is missing
 * on the last page.
 */
export interface Pagination {
	page: number;
	page_size: number;
	total?: number;
	next_cursor?: string;
}

/** Returns the body of a request. Throws HTTP 400 if it is not a JSON object. */
export function bodyObject(call: ApiCall): Record<string, unknown> {
	let body: unknown;
	try {
		body = JSON.parse(call.rawBody ?? '');
	} catch {
		throw badRequest('The body must be a JSON object, and it is not JSON.');
	}
	if (typeof body !== 'object' || body === null || Array.isArray(body)) {
		throw badRequest('The body must be a JSON object.');
	}
	return body as Record<string, unknown>;
}

/**
 * Throws HTTP 400 if `values` has a name that is not in `known`. `what` describes the names in the error message, such
 * as "query parameter".
 */
export function rejectUnknown(
	values: Record<string, unknown>,
	known: readonly string[],
	what: string,
): void {
	for (const name of Object.keys(values)) {
		if (known.includes(name)) continue;
		const hint = known.length > 0 ? `Known: ${known.join(', ')}.` : 'There are none here.';
		throw badRequest(`Unknown ${what} "${name}". ${hint}`);
	}
}
