import type { RawResponse } from './api';

/** What begins anew later than this is no rate to keep, or not meant. */
const LONGEST_WINDOW_MS = 24 * 3_600_000;
/** Larger numbers are a time since 1970, in seconds or in ms, and not how long to wait. */
const LEAST_EPOCH_SECONDS = 1e9;
const LEAST_EPOCH_MS = 1e11;
/** Longest wait for a window, in ms: what a service says about it may be wrong. */
const LONGEST_WAIT_MS = 60_000;
/** A request that comes a little too early is refused, and not all take equally long to arrive. */
const MARGIN_MS = 30;
/** Whole seconds say too little about the end of a shorter window: in those, requests start evenly. */
const SHORT_WINDOW_MS = 10_000;
/** How much of an announced rate is used, so that no window is ever full. */
const EVEN_PART = 0.972;
/** After a window's end one request asks how many the next one allows, and another one where no answer comes. */
const ASK_AGAIN_MS = 1_000;

/** What a service says about its rate limit; each field only where it does. */
export interface Announcement {
	/** So many more requests are accepted until a new window begins, and in how many ms that is. */
	remaining: number;
	resetMs: number;
	/** So many requests are accepted in each window, and how long one is in ms. */
	limit?: number;
	windowMs?: number;
}

/** A request that was started: its number, from 1, and when that was, in ms. */
export type Started = { number: number; atMs: number };

/**
 * What a service announces about its rate limit, as far as it bounds how fast requests may start: so many until a
 * window ends, or evenly where windows are short. Where the service accepts what its numbers rule out, they are
 * believed no more. Knows no clock: times come from outside, in ms.
 */
export class AnnouncedLimit {
	/** Requests per ms that may start; infinite where only their number in a window counts. */
	rate = Infinity;
	private isBelieved = true;
	private started = 0;
	/** Requests without an answer: whether the service has counted them is not known. */
	private readonly underWay = new Set<number>();
	private remaining = Infinity;
	private resetAtMs = 0;
	/** The window is over, and one request is under way that asks about the next one. */
	private isAsking = false;
	private windowMs = 0;
	/** Until when nothing was left by the first of the answers that said so; infinite while there is something. */
	private emptyUntilMs = Infinity;
	private hasHadMore = false;

	/** How long to wait for the next window, in ms; 0 where another request may start. */
	waitMs(nowMs: number): number {
		return this.isUsedUp() ? Math.max(0, this.resetAtMs - nowMs) : 0;
	}

	/** Notes that a request starts, and gives its number. */
	start(nowMs: number): number {
		if (this.isUsedUp()) {
			this.resetAtMs = Math.max(this.resetAtMs, nowMs + ASK_AGAIN_MS);
			this.isAsking = true;
			this.underWay.clear();
		}
		this.underWay.add(++this.started);
		return this.started;
	}

	/** An answer came that announces something. To be told before `end`. */
	hear(said: Announcement, { number, atMs }: Started, isAccepted: boolean): void {
		this.underWay.delete(number);
		if (!this.isBelieved) return;
		const { remaining, resetMs, limit, windowMs } = said;
		this.hasHadMore ||= remaining > 0;
		this.windowMs = windowMs ?? Math.max(this.windowMs, resetMs);
		const evenRate = limit === undefined ? Infinity : limit / this.windowMs;
		this.rate = this.windowMs <= SHORT_WINDOW_MS ? evenRate * EVEN_PART : Infinity;
		const resetAtMs = atMs + Math.min(resetMs, LONGEST_WAIT_MS) + MARGIN_MS;
		const isEmpty = remaining === 0 && isAccepted;
		if (isEmpty && atMs >= this.emptyUntilMs && 1 / resetMs < evenRate / 2) {
			this.isBelieved = false;
			if (windowMs === undefined && !this.hasHadMore) this.rate = Infinity;
			return;
		}
		// Answers come in another order than they were made in.
		const isSameWindow = !this.isAsking && atMs < this.resetAtMs && this.rate === Infinity;
		this.remaining = isSameWindow ? Math.min(this.remaining, remaining) : remaining;
		this.resetAtMs = isSameWindow ? Math.max(this.resetAtMs, resetAtMs) : resetAtMs;
		if (isEmpty) this.emptyUntilMs = Math.min(this.emptyUntilMs, resetAtMs);
		else if (this.remaining > 0) this.emptyUntilMs = Infinity;
		this.isAsking = false;
	}

	/** An answer came, or a request was refused. One that is accepted without a word has left no bound behind. */
	end(number: number, isAccepted: boolean): void {
		if (this.underWay.delete(number) && isAccepted) this.remaining = Infinity;
	}

	/** Whether no further request may start before the next window. */
	isUsedUp(): boolean {
		return this.isBelieved && this.rate === Infinity && this.underWay.size >= this.remaining;
	}
}

/** When an answer was sent, by the service's own clock where it says so. */
export function timeOfAnswer(headers: RawResponse['headers'], nowMs: number): number {
	const sentMs = Date.parse(headerText(headers.date));
	return Number.isNaN(sentMs) ? nowMs : sentMs;
}

/**
 * Reads what the headers of an answer say about the rate limit: `RateLimit` and `RateLimit-Policy` (IETF draft),
 * `RateLimit-*` (its older drafts) or `X-RateLimit-*`, with seconds or a time, which is measured from `nowMs` (in ms
 * since 1970). Of several limits the narrowest counts.
 */
export function announcementOf(headers: RawResponse['headers'], nowMs: number) {
	const ms = (seconds?: number) => (seconds === undefined ? undefined : seconds * 1_000);
	const named = (name: string): string =>
		headerText(headers[`ratelimit-${name}`] ?? headers[`x-ratelimit-${name}`]);
	const [policy] = [...itemsOf(named('policy')), ...itemsOf(named('limit'))]
		.map((item) => ({
			limit: numberIn(item, 'q') ?? numberIn(item),
			windowMs: ms(numberIn(item, 'w')),
		}))
		.filter(({ limit }) => limit !== undefined)
		.sort((one, other) => (one.windowMs ?? Infinity) - (other.windowMs ?? Infinity));
	const states = itemsOf(headerText(headers.ratelimit)).map((item) => ({
		remaining: numberIn(item, 'r') ?? numberIn(item, 'remaining'),
		resetMs: ms(numberIn(item, 't') ?? numberIn(item, 'reset')) ?? policy?.windowMs,
	}));
	const resetMs = waitIn(named('reset'), nowMs) ?? policy?.windowMs;
	states.push({ remaining: numberIn(named('remaining')), resetMs });
	const [narrowest] = states.filter(isUsable).sort((one, other) => one.remaining - other.remaining);
	return narrowest && { ...policy, ...narrowest };
}

function isUsable(state: { remaining?: number; resetMs?: number }): state is Announcement {
	const { remaining, resetMs = Infinity } = state;
	return remaining !== undefined && resetMs <= LONGEST_WINDOW_MS;
}

function headerText(header: unknown): string {
	return typeof header === 'string' ? header.trim() : '';
}

/** The members of a list, without the names that stand in quotes; an older draft has one in several members. */
function itemsOf(header: string): string[] {
	const text = header.replace(/"[^"]*"/g, '');
	return /remaining=/.test(text) ? [text] : text.split(',');
}

/** The number that a member has under a name; the one that it begins with where no name is given. */
function numberIn(item: string, name?: string): number | undefined {
	const before = name === undefined ? '^\\s*' : `(?:^|[;,\\s])${name}=`;
	const found = new RegExp(`${before}(\\d{1,15})`).exec(item)?.[1];
	return found === undefined ? undefined : Number(found);
}

/**
 * How long to wait by a header, in ms, 0 for a time in the past: it has seconds, a time since 1970 or a date, which are
 * measured from `nowMs` (in ms since 1970). Undefined when it is absent or makes no sense.
 */
export function waitIn(header: unknown, nowMs: number): number | undefined {
	const text = headerText(header);
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
