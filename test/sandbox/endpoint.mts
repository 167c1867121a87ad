import { badRequest } from './api-error.mts';
import type { Access, Caller } from './authentication.mts';
import type { Dataset } from './dataset.mts';
import type { CallName } from './routes-calls.mts';
import type { Unkindness } from './types.mts';

/** One request, once the caller is known. */
export interface ApiCall {
	method: string;
	query: Record<string, unknown>;
	/** Parts of the path. */
	params: Record<string, string>;
	/** The body as it came, or undefined where there was none. */
	rawBody: string | undefined;
	caller: Caller;
	/** Unique for each request. */
	contextId: string;
	dataset: Dataset;
	unkind: Unkindness;
	/** How often all cursors were let expire before. */
	generation: number;
}

/** One path and method of the API. `handle` gives the text of the JSON answer, or throws an ApiError. */
export interface Endpoint {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** A part such as `:id` stands in `params` of the call. */
	path: string;
	access: Access;
	handle(call: ApiCall): string;
	/** What `sandbox.calls` keeps those under that were processed. */
	keptAs?: CallName;
}

/** The success envelope around ready JSON text. */
export function envelope(dataText: string, contextId: string, pagination?: Pagination): string {
	const paginationText = pagination ? `,"pagination":${JSON.stringify(pagination)}` : '';
	return `{"success":true,"data":${dataText},"meta":{"ctx_id":"${contextId}"${paginationText}}}`;
}

/** meta.pagination of a list answer; total is left out where that is set, next_cursor where there is no more by cursor. */
export interface Pagination {
	page: number;
	page_size: number;
	total?: number;
	next_cursor?: string;
}

/** The body as a JSON object. Throws a 400 where it is anything else. */
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

/** Throws a 400 where a query parameter or a body field is not one of those known. */
export function refuseUnknown(
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
