import type { RawResponse } from './api';

type Headers = RawResponse['headers'];

/** Longer than this nobody asks to wait; keeps absurd headers from becoming absurd texts (one year). */
const LONGEST_SENSIBLE_MS = 365 * 24 * 3_600_000;
/** What begins anew later than this is no rate to keep, or not meant. */
const LONGEST_WINDOW_MS = 24 * 3_600_000;
/** Larger numbers are a time since 1970, in seconds or in ms, and not how long to wait. */
const LEAST_EPOCH_SECONDS = 1e9;
const LEAST_EPOCH_MS = 1e11;

/** What a service says about its rate limit; each field only where it does. */
export interface Announcement {
	/** So many more requests are accepted until a new window begins, and in how many ms that is. */
	remaining: number;
	resetMs: number;
	/** So many requests are accepted in each window, and how long one is in ms. */
	limit?: number;
	windowMs?: number;
}

/** When an answer was sent, by the service's own clock where it says so. */
export function timeOfAnswer(headers: Headers, nowMs: number): number {
	const sentMs = Date.parse(textOf(headers.date));
	return Number.isNaN(sentMs) ? nowMs : sentMs;
}

/**
 * Reads a `Retry-After` header: seconds or an HTTP date.
 *
 * @param header the header's value
 * @param nowMs the present in ms since 1970, to measure a date from
 * @returns the wait in ms, 0 for a date in the past; undefined when the header is absent or makes no sense
 */
export function parseRetryAfter(header: unknown, nowMs: number): number | undefined {
	const value = Array.isArray(header) ? (header as unknown[])[0] : header;
	const waitMs = secondsOrDate(textOf(value), nowMs);
	return waitMs === undefined ? undefined : Math.min(LONGEST_SENSIBLE_MS, waitMs);
}

/**
 * Reads what the headers of an answer say about the rate limit: `RateLimit` and `RateLimit-Policy` (IETF draft),
 * `RateLimit-*` (its older drafts) or `X-RateLimit-*`, with seconds or a time. Of several limits the narrowest counts.
 *
 * @param nowMs the present in ms since 1970, to measure a time from
 */
export function announcementOf(headers: Headers, nowMs: number): Announcement | undefined {
	const named = (name: string): string =>
		textOf(headers[`ratelimit-${name}`] ?? headers[`x-ratelimit-${name}`]);
	const policies = [...itemsOf(named('policy')), ...itemsOf(named('limit'))]
		.map((item) => ({ limit: numberIn(item, 'q') ?? leading(item), windowMs: msIn(item, 'w') }))
		.sort((one, other) => (one.windowMs ?? Infinity) - (other.windowMs ?? Infinity));
	const policy = policies.find(({ limit }) => limit !== undefined);
	const states = itemsOf(textOf(headers.ratelimit)).map((item) => ({
		remaining: numberIn(item, 'r') ?? numberIn(item, 'remaining'),
		resetMs: msIn(item, 't') ?? msIn(item, 'reset') ?? policy?.windowMs,
	}));
	const reset = named('reset');
	const resetMs = secondsOrDate(reset, nowMs) ?? policy?.windowMs;
	states.push({ remaining: leading(named('remaining')), resetMs });
	const known = states.filter(isUsable).sort((one, other) => one.remaining - other.remaining);
	return known.length === 0 ? undefined : { ...policy, ...known[0] };
}

function isUsable(state: { remaining?: number; resetMs?: number }): state is Announcement {
	const { remaining, resetMs = Infinity } = state;
	return remaining !== undefined && resetMs <= LONGEST_WINDOW_MS;
}

function textOf(header: unknown): string {
	if (Array.isArray(header)) return header.join(', ');
	return typeof header === 'string' || typeof header === 'number' ? String(header).trim() : '';
}

/** The members of a list, without the names that stand in quotes; an older draft has one in several members. */
function itemsOf(header: string): string[] {
	const text = header.replace(/"[^"]*"/g, '');
	return /remaining=/.test(text) ? [text] : text.split(',').filter((item) => item.trim() !== '');
}

function numberIn(item: string, name: string): number | undefined {
	const found = new RegExp(`(?:^|[;,\\s])${name}=(\\d{1,15})`).exec(item)?.[1];
	return found === undefined ? undefined : Number(found);
}

function msIn(item: string, name: string): number | undefined {
	const found = numberIn(item, name);
	return found === undefined ? undefined : found * 1_000;
}

function leading(text: string): number | undefined {
	const found = /^\s*(\d{1,15})/.exec(text)?.[1];
	return found === undefined ? undefined : Number(found);
}

/** How long from now, in ms: as seconds, as a time since 1970 or as a date. */
function secondsOrDate(text: string, nowMs: number): number | undefined {
	if (/^\d+(\.\d+)?$/.test(text)) {
		const given = Number(text);
		if (given < LEAST_EPOCH_SECONDS) return Math.ceil(given * 1_000);
		return Math.max(0, (given < LEAST_EPOCH_MS ? given * 1_000 : given) - nowMs);
	}
	// Date.parse also finds a date in things such as "wait 5"; one that is meant has a time of day.
	if (!/^(mon|tue|wed|thu|fri|sat|sun|\d{4}-)\S*,? ?.*\d\d:\d\d:\d\d/i.test(text)) return undefined;
	const at = Date.parse(text);
	return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
