import type { RawResponse } from './api';

/** Larger numbers are a time since 1970, in seconds or in ms, and not how long to wait. */
const LEAST_EPOCH_SECONDS = 1e9;
const LEAST_EPOCH_MS = 1e11;

/** How long a service asks to wait, in ms from `answeredAt` (ms since 1970); undefined where it does not say. */
export function retryAfterOf({ statusCode, headers }: RawResponse, answeredAt: number) {
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
	// A reset that is over says nothing.
	return Math.max(...usedUp.map(({ reset }) => waitIn(reset, answeredAt) ?? 0)) || undefined;
}

/** When an answer was sent, by the service's own clock where it says so. */
export function timeOfAnswer(headers: RawResponse['headers'], nowMs: number): number {
	const sentMs = Date.parse(textOf(headers.date));
	return Number.isNaN(sentMs) ? nowMs : sentMs;
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
	// Date.parse also finds a date in things such as "wait 5"; one that is meant has a time of day.
	if (!/^(?:mon|tue|wed|thu|fri|sat|sun|\d{4}-).*\d\d:\d\d:\d\d/i.test(text)) return undefined;
	const at = Date.parse(text);
	return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
