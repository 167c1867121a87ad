import type { ListEnvelope, RawResponse } from './api';
import { ServiceFailure } from './failures';
import { findServiceWords } from './words';

/** True for a JSON object: not null, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The body as JSON; undefined when it is not JSON (JSON itself has no undefined). */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/** `meta.ctx_id` of a body of any shape (docs/maintainers/api.md, Envelope). */
export function contextIdOf(body: unknown): string | undefined {
	if (!isObject(body)) return undefined;
	const meta = isObject(body.meta) ? body.meta : body;
	const id = meta.ctx_id;
	if (typeof id !== 'string' && typeof id !== 'number') return undefined;
	return String(id);
}

/**
 * Reads the JSON body of an answer with a success status.
 *
 * @param secrets values to hide in the service's words
 * @throws ServiceFailure `invalidBody` when it is not JSON, `unsuccessful` when it says `success: false`
 */
export function readBody(response: RawResponse, secrets: readonly string[] = []): unknown {
	const body = parseJson(response.text);
	const facts = { statusCode: response.statusCode, ctxId: contextIdOf(body) };
	if (body === undefined) {
		throw new ServiceFailure('invalidBody', {
			...facts,
			words: findServiceWords(response.text, body, secrets),
		});
	}
	if (isObject(body) && body.success === false) {
		throw new ServiceFailure('unsuccessful', {
			...facts,
			words: findServiceWords(response.text, body, secrets),
		});
	}
	return body;
}

/**
 * Checks the envelope of a list (docs/maintainers/api.md, Envelope). A body that lacks it is an error and never an empty list.
 *
 * @throws ServiceFailure `missingItems` or `missingPagination`
 */
export function readListEnvelope(body: unknown): ListEnvelope {
	const ctxId = contextIdOf(body);
	if (!isObject(body) || !isObject(body.data) || !Array.isArray(body.data.items)) {
		throw new ServiceFailure('missingItems', { ctxId });
	}
	if (!body.data.items.every(isObject)) throw new ServiceFailure('missingItems', { ctxId });
	if (!isObject(body.meta) || !isObject(body.meta.pagination)) {
		throw new ServiceFailure('missingPagination', { ctxId });
	}
	return body as ListEnvelope;
}

/** A call's result: the envelope's `data`, or the whole body where there is no envelope. */
export function resultOf(body: unknown): unknown {
	const enveloped = isObject(body) && 'data' in body && ('success' in body || 'meta' in body);
	return enveloped ? body.data : body;
}
