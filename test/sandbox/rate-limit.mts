import { ApiError } from './api-error.mts';
import type { RateLimitSettings, Unkindness } from './types.mts';

/** One way to count requests. Times are milliseconds of a clock that only goes forward. */
export interface Limiter {
	/** Takes a request at a time: 0 where it is accepted, otherwise the milliseconds until one can be. */
	take(now: number): number;
	/** How many more are accepted now, and the milliseconds until there are more. */
	left(now: number): { requests: number; resetMs: number };
}

/** A bucket that fills evenly, `requests` per window, and holds at most `burst`. It starts full. */
export class TokenBucket implements Limiter {
	private readonly perMs: number;
	private readonly burst: number;
	private tokens: number;
	private filledAt: number | undefined;

	constructor(requests: number, windowMs: number, burst: number) {
		this.perMs = requests / windowMs;
		this.burst = burst;
		this.tokens = burst;
	}

	take(now: number): number {
		const gained = (now - (this.filledAt ?? now)) * this.perMs;
		this.tokens = Math.min(this.burst, this.tokens + gained);
		this.filledAt = now;
		if (this.tokens < 1) return (1 - this.tokens) / this.perMs;
		this.tokens -= 1;
		return 0;
	}

	left(): { requests: number; resetMs: number } {
		return { requests: Math.floor(this.tokens), resetMs: (this.burst - this.tokens) / this.perMs };
	}
}

/** So many requests in each window; the windows follow each other from the first request on. */
export class FixedWindow implements Limiter {
	private readonly requests: number;
	private readonly windowMs: number;
	private startedAt: number | undefined;
	private accepted = 0;

	constructor(requests: number, windowMs: number) {
		this.requests = requests;
		this.windowMs = windowMs;
	}

	take(now: number): number {
		this.startedAt ??= now;
		const windows = Math.floor((now - this.startedAt) / this.windowMs);
		if (windows > 0) {
			this.startedAt += windows * this.windowMs;
			this.accepted = 0;
		}
		if (this.accepted >= this.requests) return this.startedAt + this.windowMs - now;
		this.accepted++;
		return 0;
	}

	left(now: number): { requests: number; resetMs: number } {
		const resetMs = (this.startedAt ?? now) + this.windowMs - now;
		return { requests: this.requests - this.accepted, resetMs };
	}
}

/** At most so many requests in the last `windowMs`, whenever one looks. */
export class SlidingWindow implements Limiter {
	private readonly requests: number;
	private readonly windowMs: number;
	private acceptedAt: number[] = [];

	constructor(requests: number, windowMs: number) {
		this.requests = requests;
		this.windowMs = windowMs;
	}

	take(now: number): number {
		this.acceptedAt = this.acceptedAt.filter((time) => time > now - this.windowMs);
		if (this.acceptedAt.length >= this.requests) {
			return (this.acceptedAt[0] as number) + this.windowMs - now;
		}
		this.acceptedAt.push(now);
		return 0;
	}

	left(now: number): { requests: number; resetMs: number } {
		const resetMs = (this.acceptedAt[0] ?? now) + this.windowMs - now;
		return { requests: this.requests - this.acceptedAt.length, resetMs };
	}
}

/** The limiter that the settings describe. */
export function createLimiter(settings: RateLimitSettings): Limiter {
	const { algorithm, requests, windowMs } = settings;
	if (algorithm === 'fixedWindow') return new FixedWindow(requests, windowMs);
	if (algorithm === 'slidingWindow') return new SlidingWindow(requests, windowMs);
	return new TokenBucket(requests, windowMs, settings.burst ?? requests);
}

const daySeconds = 86_400;

function tooMany(message: string, retryAfterSeconds: number | undefined): ApiError {
	const headers: Record<string, string> = {};
	if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds);
	return new ApiError(429, 'rate_limited', message, headers);
}

/** Everything that makes the sandbox answer 429 by itself. */
export class RateLimits {
	private perSecond: Limiter | undefined;
	private unkind: { limiter: Limiter; settings: RateLimitSettings } | undefined;
	private quotaLeft = Infinity;

	/**
	 * Limits the requests per second, with a burst of a fifth of a second's; undefined takes the limit away.
	 * Throws on a number not above 0.
	 */
	setPerSecond(requests: number | undefined): void {
		if (requests !== undefined && !(requests > 0)) {
			throw new Error(`requestsPerSecond must be above 0, not ${requests}.`);
		}
		const burst = Math.max(1, Math.ceil((requests ?? 0) / 5));
		this.perSecond = requests === undefined ? undefined : new TokenBucket(requests, 1000, burst);
	}

	/** Starts the unkind limits anew. */
	setUnkind({ rateLimit, dailyQuota }: Unkindness): void {
		this.unkind = rateLimit && { limiter: createLimiter(rateLimit), settings: rateLimit };
		this.quotaLeft = dailyQuota ?? Infinity;
	}

	/** Takes one request. Throws a 429 where there is no room for it. */
	take(): void {
		const now = performance.now();
		const wait = this.perSecond?.take(now) ?? 0;
		if (wait > 0) throw this.refusal(wait, true);
		const unkindWait = this.unkind?.limiter.take(now) ?? 0;
		if (unkindWait > 0) throw this.refusal(unkindWait, this.unkind?.settings.retryAfter ?? true);
		if (this.quotaLeft < 1) throw tooMany('The quota of the day is used up.', daySeconds);
		this.quotaLeft--;
	}

	/** The headers in which every answer announces the unkind limit, in whole seconds. */
	announcement(): Record<string, string> {
		if (this.unkind?.settings.announce === undefined) return {};
		const { requests, windowMs, announce } = this.unkind.settings;
		const left = this.unkind.limiter.left(performance.now());
		const seconds = Math.max(0, Math.ceil(left.resetMs / 1000));
		if (announce === 'RateLimit') {
			return {
				'ratelimit-policy': `"default";q=${requests};w=${Math.ceil(windowMs / 1000)}`,
				ratelimit: `"default";r=${left.requests};t=${seconds}`,
			};
		}
		const at = Math.ceil((Date.now() + left.resetMs) / 1000);
		return {
			'x-ratelimit-limit': String(requests),
			'x-ratelimit-remaining': String(left.requests),
			'x-ratelimit-reset': String(announce === 'X-RateLimit' ? seconds : at),
		};
	}

	private refusal(waitMs: number, saysWhen: boolean): ApiError {
		const seconds = Math.max(1, Math.ceil(waitMs / 1000));
		const when = saysWhen ? ` Try again in ${seconds} s.` : '';
		return tooMany(`Too many requests.${when}`, saysWhen ? seconds : undefined);
	}
}
