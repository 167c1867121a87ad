import { ApiError } from './api-error.mts';
import type { RateLimitSettings, Unkindness } from './types.mts';

/** One way to count requests. Times are milliseconds of a clock that only goes forward. */
export interface Limiter {
	/** Takes a request at a time: 0 where it is accepted, otherwise the milliseconds until one can be. */
	take(now: number): number;
	/** How many more are accepted now, and the milliseconds until there are more. */
	left(now: number): { requests: number; resetMs: number };
}

/** The limiter that the settings describe. */
export function createLimiter(settings: RateLimitSettings): Limiter {
	const { algorithm, requests, burst = requests } = settings;
	if (algorithm === 'fixedWindow') return fixedWindow(settings);
	return algorithm === 'slidingWindow' ? slidingWindow(settings) : tokenBucket(settings, burst);
}

type Limit = Pick<RateLimitSettings, 'requests' | 'windowMs'>;

/** A bucket that fills evenly, `requests` per window, and holds at most `burst`. It starts full. */
function tokenBucket({ requests, windowMs }: Limit, burst: number): Limiter {
	const perMs = requests / windowMs;
	let tokens = burst;
	let filledAt: number | undefined;
	return {
		take(now) {
			tokens = Math.min(burst, tokens + (now - (filledAt ?? now)) * perMs);
			filledAt = now;
			if (tokens < 1) return (1 - tokens) / perMs;
			tokens -= 1;
			return 0;
		},
		left: () => ({ requests: Math.floor(tokens), resetMs: (burst - tokens) / perMs }),
	};
}

/** So many requests in each window; the windows follow each other from the first request on. */
function fixedWindow({ requests, windowMs }: Limit): Limiter {
	let startedAt: number | undefined;
	let accepted = 0;
	return {
		take(now) {
			startedAt ??= now;
			const windows = Math.floor((now - startedAt) / windowMs);
			startedAt += windows * windowMs;
			if (windows > 0) accepted = 0;
			if (accepted >= requests) return startedAt + windowMs - now;
			accepted++;
			return 0;
		},
		left: (now) => ({
			requests: requests - accepted,
			resetMs: (startedAt ?? now) + windowMs - now,
		}),
	};
}

/** At most so many requests in the last `windowMs`, whenever one looks. */
function slidingWindow({ requests, windowMs }: Limit): Limiter {
	let acceptedAt: number[] = [];
	return {
		take(now) {
			acceptedAt = acceptedAt.filter((time) => time > now - windowMs);
			if (acceptedAt.length >= requests) return (acceptedAt[0] as number) + windowMs - now;
			acceptedAt.push(now);
			return 0;
		},
		left: (now) => ({
			requests: requests - acceptedAt.length,
			resetMs: (acceptedAt[0] ?? now) + windowMs - now,
		}),
	};
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
		this.perSecond =
			requests === undefined ? undefined : tokenBucket({ requests, windowMs: 1000 }, burst);
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
