import type { RawResponse } from './api';

/**
 * How long a service asks to wait, in ms: seconds, or a date that counts from the answer's own `Date`, or where it has none
 * from `nowMs` (ms since 1970). Undefined where Retry-After does not say. No other header counts: resets come in units that
 * nothing tells apart.
 */
export function retryAfterOf({ headers }: RawResponse, nowMs: number): number | undefined {
	const text = textOf(headers['retry-after']);
	if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1_000);
	const untilMs = timeIn(text);
	if (Number.isNaN(untilMs)) return undefined;
	const dateMs = timeIn(textOf(headers.date));
	return Math.max(0, untilMs - (Number.isNaN(dateMs) ? nowMs : dateMs));
}

function textOf(header: unknown): string {
	return typeof header === 'string' ? header.trim() : '';
}

/** A date of a header in ms since 1970, NaN if it is none; in UTC where it names no zone. */
function timeIn(text: string): number {
	// Date.parse also finds a date in things such as "wait 5"; one that is meant has a time of day.
	const isDate = /^(?:mon|tue|wed|thu|fri|sat|sun|\d{4}-).*\d\d:\d\d:\d\d/i.test(text);
	const hasZone = /(?:[a-z)]|[+-]\d\d(?::?\d\d)?)$/i.test(text);
	return isDate ? Date.parse(hasZone ? text : `${text}Z`) : NaN;
}
