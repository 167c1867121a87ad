import type { RawResponse } from './api';

/** Larger numbers are a time since 1970, in seconds or in ms, and not how long to wait. */
const LEAST_EPOCH_SECONDS = 1e9;
const LEAST_EPOCH_MS = 1e11;

/** How long a service asks to wait, in ms from `answeredAt` (ms since 1970); undefined where it does not say. */
export function retryAfterOf(response: RawResponse, answeredAt: number, maxWaitMs: number) {
	const { statusCode, headers } = response;
	const asked = waitIn(headers['retry-after'], answeredAt);
	if (asked !== undefined || statusCode !== 429) return asked;
	const ietf = textOf(headers.ratelimit).replace(/"[^"]*"/g, '');
	const limits = [
		// One member for each limit; an older draft has a single limit in several members.
		...(ietf.includes('remaining=') ? [ietf] : ietf.split(',')).map((limit) => ({
			left: /\b(?:r|remaining)=(\d+)/.exec(limit)?.[1],
			reset: /\b(?:t|reset)=(\d+)/.exec(limit)?.[1],
		})),
		...['ratelimit', 'x-ratelimit'].map((name) => ({
			left: textOf(headers[`${name}-remaining`]),
			reset: headers[`${name}-reset`],
		})),
	];
	const usedUp = limits.filter(({ left = '' }) => !(Number.parseInt(left, 10) > 0));
	const resetMs = Math.max(...usedUp.map(({ reset }) => waitIn(reset, answeredAt) ?? 0));
	// One that is over says nothing; no standard says what a reset is, and one in ms would read as hours.
	return resetMs > 0 && resetMs <= maxWaitMs ? resetMs : undefined;
}

/** When an answer was sent, by the service's own clock where it says so. */
export function timeOfAnswer(headers: RawResponse['headers'], nowMs: number): number {
	const date = timeIn(textOf(headers.date));
	// A date is one of whole seconds: where this machine's clock agrees with it, that one is finer.
	const isSame = nowMs >= date && nowMs < date + 1_000;
	return isSame ? nowMs : date || nowMs;
}

function textOf(header: unknown): string {
	return typeof header === 'string' ? header.trim() : '';
}

/** The wait in a header, in ms: seconds, or a date or time since 1970, from `nowMs` (0 if past). Undefined if it is none. */
function waitIn(header: unknown, nowMs: number): number | undefined {
	const text = textOf(header);
	if (/^\d+(\.\d+)?$/.test(text)) {
		const given = Number(text);
		if (given < LEAST_EPOCH_SECONDS) return Math.ceil(given * 1_000);
		return Math.max(0, (given < LEAST_EPOCH_MS ? given * 1_000 : given) - nowMs);
	}
	const at = timeIn(text);
	return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

/** A date of a header in ms since 1970, NaN if it is none; in UTC where it names no zone. */
function timeIn(text: string): number {
	// Date.parse also finds a date in things such as "wait 5"; one that is meant has a time of day.
	const isDate = /^(?:mon|tue|wed|thu|fri|sat|sun|\d{4}-).*\d\d:\d\d:\d\d/i.test(text);
	const hasZone = /(?:[a-z)]|[+-]\d\d(?::?\d\d)?)$/i.test(text);
	return isDate ? Date.parse(hasZone ? text : `${text}Z`) : NaN;
}
