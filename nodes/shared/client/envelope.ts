import type { ListEnvelope, RawResponse } from './api';
import { ServiceFailure } from './failures';
import { isObject, parseJson } from './json';

/** Keys under which services put the words of an error, the most informative keys first. */
const KEYS_WITH_WORDS = [
	...['message', 'error_description', 'error_message', 'detail', 'description', 'reason', 'title'],
	...['error', 'errors', 'details', 'msg'],
];
const MAX_DEPTH = 6;

/** Statuses of successes without a result: still in progress (202), or without a body. */
export const WITHOUT_RESULT = [202, 204, 205];

/** Returns `meta.ctx_id` of a body of any shape (docs/maintainers/api.md, Envelope). */
export function contextIdOf(body: unknown): string | undefined {
	if (!isObject(body)) return undefined;
	const { ctx_id: id } = isObject(body.meta) ? body.meta : body;
	return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/**
 * Returns the parsed JSON body of a response, or an empty object if the status allows an empty body.
 * @param nowMs see `retryAfterOf`
 * @throws ServiceFailure `status` unless the status is a success, `invalidBody` if the body is not JSON, `unsuccessful`
 * if the body has `success: false`
 */
export function readBody(response: RawResponse, nowMs: number): unknown {
	const { statusCode, text } = response;
	const body = parseJson(text);
	const isSuccess = statusCode < 300;
	const isUnsuccessful = isObject(body) && body.success === false;
	if (isSuccess && body !== undefined && !isUnsuccessful) return body;
	if (WITHOUT_RESULT.includes(statusCode) && text.trim() === '') return {};
	const words = findServiceWords(body === undefined ? text : body);
	const isText = body === undefined && text.trim() !== '';
	const facts = {
		...{ statusCode, ctxId: contextIdOf(body), words, isText },
		isEnvelope: isEnvelope(body),
	};
	if (isSuccess) throw new ServiceFailure(isUnsuccessful ? 'unsuccessful' : 'invalidBody', facts);
	const webPage = isText ? titleOfPage(text) : undefined;
	const retryAfterMs = retryAfterOf(response, nowMs);
	throw new ServiceFailure('status', { ...facts, webPage, retryAfterMs });
}

/** Returns a body as the envelope of a list. Throws ServiceFailure `missingItems` or `missingPagination`. */
export function readListEnvelope(body: unknown): ListEnvelope {
	const { data, meta } = Object(body) as { data?: unknown; meta?: unknown };
	const facts = { ctxId: contextIdOf(body), isEnvelope: isEnvelope(body) };
	if (!isObject(data) || !Array.isArray(data.items) || !data.items.every(isObject)) {
		// An array is a list without an envelope, and its words would come from its records.
		const words = isObject(body) ? findServiceWords(body) : '';
		throw new ServiceFailure('missingItems', { ...facts, words });
	}
	if (!isObject(meta) || !isObject(meta.pagination)) {
		throw new ServiceFailure('missingPagination', facts);
	}
	return body as ListEnvelope;
}

/** Returns a call's result: the envelope's `data`, or the whole body without an envelope. */
export function resultOf(body: unknown): unknown {
	return isEnvelope(body) && 'data' in body ? body.data : body;
}

/** Checks whether a body is an envelope (docs/maintainers/api.md, Envelope): an object with `success` or `meta`. */
function isEnvelope(body: unknown): body is Record<string, unknown> {
	return isObject(body) && ('success' in body || 'meta' in body);
}

/**
 * Returns the service's own words from an error body of any shape, or an empty text. Long texts are not yet cut, and
 * secrets are not yet hidden.
 */
export function findServiceWords(value: unknown, depth = 0): string {
	if (typeof value === 'string') return visibleText(value);
	if (typeof value === 'number' && depth > 0) return String(value);
	if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return '';
	const record = value as Record<string, unknown>;
	const entries = Array.isArray(value)
		? value.slice(0, 5)
		: KEYS_WITH_WORDS.map((key) => record[key]);
	const parts = entries.map((entry) => findServiceWords(entry, depth + 1));
	// Many services repeat the same words under two keys.
	const main = parts
		.filter((part, at) => part !== '' && parts.findIndex((other) => other.startsWith(part)) === at)
		.join(' – ')
		.slice(0, MAX_HEAD_LENGTH);
	if (main === '' && depth > 0 && isObject(value)) return wordsByField(value, depth);
	return typeof record.field === 'string' && main !== '' ? `${record.field}: ${main}` : main;
}

/** Returns the words of an object by field name, for example of `errors: { stage: ["is unknown"] }`. */
function wordsByField(record: Record<string, unknown>, depth: number): string {
	const fields = Object.entries(record).slice(0, 5);
	const parts = fields.map(([name, value]) => [name, findServiceWords(value, depth + 1)]);
	return parts.flatMap(([name, words]) => (words === '' ? [] : `${name}: ${words}`)).join(' – ');
}

/**
 * Maximum number of characters read of an error page. Error pages can be megabytes long, but their message stands at
 * the top.
 */
const MAX_HEAD_LENGTH = 20_000;
const WEB_PAGE = /<(?:!doctype|html|head|body|title|h1)\b/i;
const ENTITIES = new Map(
	Object.entries({ nbsp: ' ', lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }),
);

/** Returns the title of a web page, empty if the page has none. Undefined for any other text. */
function titleOfPage(text: string): string | undefined {
	const head = text.slice(0, MAX_HEAD_LENGTH);
	if (!WEB_PAGE.test(head)) return undefined;
	return withoutTags(/<(?:title|h1)\b[^<>]*>([^<]*)/i.exec(head)?.[1] ?? '').trim();
}

/** Returns the visible text of a web page. Returns other texts unchanged, up to the maximum length. */
function visibleText(text: string): string {
	const head = text.slice(0, MAX_HEAD_LENGTH);
	return WEB_PAGE.test(head) ? withoutTags(head) : head;
}

function withoutTags(html: string): string {
	return html
		.replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
		.replace(/<[^<>]*>/g, ' ')
		.replace(
			/&(#39|[a-z]+);/gi,
			(entity, name: string) => ENTITIES.get(name.toLowerCase()) ?? entity,
		);
}

/**
 * Returns how long the service asks to wait, in ms; undefined without a valid Retry-After. The header holds seconds or
 * a date. A date counts from the response's `Date` header. Other headers are not read: they do not show whether a reset
 * is in seconds, in ms or a time.
 * @param nowMs ms since 1970, used if there is no `Date` header
 */
export function retryAfterOf(response: RawResponse, nowMs: number): number | undefined {
	const text = textOf(response.headers['retry-after']);
	if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1_000);
	const untilMs = timeIn(text);
	if (Number.isNaN(untilMs)) return undefined;
	return Math.max(0, untilMs - (dateOf(response) ?? nowMs));
}

/** Returns the `Date` header in ms since 1970; undefined if there is none. */
export function dateOf({ headers }: RawResponse): number | undefined {
	const dateMs = timeIn(textOf(headers.date));
	return Number.isNaN(dateMs) ? undefined : dateMs;
}

function textOf(header: unknown): string {
	return typeof header === 'string' ? header.trim() : '';
}

/**
 * Returns the time of a date in a header, in ms since 1970; NaN if the text is not a date. A date without a time zone
 * is in UTC.
 */
function timeIn(text: string): number {
	// Date.parse even finds a date in "wait 5", so a date must have a time of day.
	const isDate = /^(?:mon|tue|wed|thu|fri|sat|sun|\d{4}-).*\d\d:\d\d:\d\d/i.test(text);
	const hasZone = /(?:[a-z)]|[+-]\d\d(?::?\d\d)?)$/i.test(text);
	return isDate ? Date.parse(hasZone ? text : `${text}Z`) : NaN;
}
