import type { ListEnvelope, RawResponse } from './api';
import { ServiceFailure } from './failures';
import { isObject, parseJson } from './json';

/** Keys of an error body that can contain the error message, the most informative keys first. */
const KEYS_WITH_WORDS = [
	...['message', 'error_description', 'error_message', 'detail', 'description', 'reason', 'title'],
	...['error', 'errors', 'details', 'msg'],
];
const MAX_DEPTH = 6;

/** HTTP statuses of successful responses without a result: 202 (still in progress), and 204 and 205 (no body). */
export const WITHOUT_RESULT = [202, 204, 205];

/** Returns the request ID from any response body: `meta.ctx_id` or `ctx_id` (docs/maintainers/api.md, Envelope). */
export function contextIdOf(body: unknown): string | undefined {
	if (!isObject(body)) return undefined;
	const { ctx_id: id } = isObject(body.meta) ? body.meta : body;
	return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/**
 * Returns the parsed JSON body, or an empty object if the status allows an empty body, as HTTP 204 does.
 * @param nowMs current time in ms since 1970, used for a `Retry-After` date if there is no `Date` header
 * @throws ServiceFailure `status` (error status), `invalidBody` (not JSON) or `unsuccessful` (`success: false`)
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

/** Returns the body if it is a list. Throws ServiceFailure `missingItems` (no `data.items`) or `missingPagination`. */
export function readListEnvelope(body: unknown): ListEnvelope {
	const { data, meta } = Object(body) as { data?: unknown; meta?: unknown };
	const facts = { ctxId: contextIdOf(body), isEnvelope: isEnvelope(body) };
	if (!isObject(data) || !Array.isArray(data.items) || !data.items.every(isObject)) {
		// Do not search an array for an error message, because it may contain records.
		const words = isObject(body) ? findServiceWords(body) : '';
		throw new ServiceFailure('missingItems', { ...facts, words });
	}
	if (!isObject(meta) || !isObject(meta.pagination)) {
		throw new ServiceFailure('missingPagination', facts);
	}
	return body as ListEnvelope;
}

/** Returns the result of a call such as Enrich: `data` if the body is the service's envelope, otherwise the body. */
export function resultOf(body: unknown): unknown {
	return isEnvelope(body) && 'data' in body ? body.data : body;
}

/** Checks whether a body has the envelope: `success` or `meta` (docs/maintainers/api.md, Envelope). */
function isEnvelope(body: unknown): body is Record<string, unknown> {
	return isObject(body) && ('success' in body || 'meta' in body);
}

/** Returns the service's error message from a body of any shape, or ''. It can be long and can contain secrets. */
export function findServiceWords(value: unknown, depth = 0): string {
	if (typeof value === 'string') return visibleText(value);
	if (typeof value === 'number' && depth > 0) return String(value);
	if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return '';
	const record = value as Record<string, unknown>;
	const entries = Array.isArray(value)
		? value.slice(0, 5)
		: KEYS_WITH_WORDS.map((key) => record[key]);
	const parts = entries.map((entry) => findServiceWords(entry, depth + 1));
	// Drop repeated parts, because many services send the same message under two keys.
	const main = parts
		.filter((part, at) => part !== '' && parts.findIndex((other) => other.startsWith(part)) === at)
		.join(' – ')
		.slice(0, MAX_HEAD_LENGTH);
	if (main === '' && depth > 0 && isObject(value)) return wordsByField(value, depth);
	return typeof record.field === 'string' && main !== '' ? `${record.field}: ${main}` : main;
}

/** Returns error messages with their field names, such as "stage: is unknown" for `{ stage: ["is unknown"] }`. */
function wordsByField(record: Record<string, unknown>, depth: number): string {
	const fields = Object.entries(record).slice(0, 5);
	const parts = fields.map(([name, value]) => [name, findServiceWords(value, depth + 1)]);
	return parts.flatMap(([name, words]) => (words === '' ? [] : `${name}: ${words}`)).join(' – ');
}

/** Maximum number of characters to read from an error page, which can be megabytes long. The message comes early. */
const MAX_HEAD_LENGTH = 20_000;
const WEB_PAGE = /<(?:!doctype|html|head|body|title|h1)\b/i;
const ENTITIES = new Map(
	Object.entries({ nbsp: ' ', lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }),
);

/** Returns the title of a web page, or '' if the page has none. Returns undefined if the text is not a web page. */
function titleOfPage(text: string): string | undefined {
	const head = text.slice(0, MAX_HEAD_LENGTH);
	if (!WEB_PAGE.test(head)) return undefined;
	return withoutTags(/<(?:title|h1)\b[^<>]*>([^<]*)/i.exec(head)?.[1] ?? '').trim();
}

/** Returns the first `MAX_HEAD_LENGTH` characters of a text, without HTML tags if it is a web page. */
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
 * Returns the wait that `Retry-After` asks for, in ms; undefined if it is missing or invalid. A date is compared with
 * the `Date` header (or `nowMs`, in ms since 1970), because the service's clock may differ from n8n's. Other rate limit
 * headers are ignored, because services use different units in them.
 */
export function retryAfterOf(response: RawResponse, nowMs: number): number | undefined {
	const text = textOf(response.headers['retry-after']);
	if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1_000);
	const untilMs = timeIn(text);
	if (Number.isNaN(untilMs)) return undefined;
	return Math.max(0, untilMs - (dateOf(response) ?? nowMs));
}

/** Returns the `Date` header in ms since 1970; undefined if the header is missing or invalid. */
export function dateOf({ headers }: RawResponse): number | undefined {
	const dateMs = timeIn(textOf(headers.date));
	return Number.isNaN(dateMs) ? undefined : dateMs;
}

function textOf(header: unknown): string {
	return typeof header === 'string' ? header.trim() : '';
}

/** Parses a header's date to ms since 1970; NaN if it is not a date. A date without a time zone is read as UTC. */
function timeIn(text: string): number {
	// Require a time of day, because Date.parse even accepts texts such as "wait 5".
	const isDate = /^(?:mon|tue|wed|thu|fri|sat|sun|\d{4}-).*\d\d:\d\d:\d\d/i.test(text);
	const hasZone = /(?:[a-z)]|[+-]\d\d(?::?\d\d)?)$/i.test(text);
	return isDate ? Date.parse(hasZone ? text : `${text}Z`) : NaN;
}
