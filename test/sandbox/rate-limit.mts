import { ApiError } from './api-error.mts';
import type { RateLimitSettings } from './types.mts';

/** One way to count requests. Times are milliseconds of a clock that only goes forward. */
export interface Limiter {
	/** Takes a request at a time: 0 where it is accepted, otherwise the milliseconds until one can be. */
	take(now: number): number;
}

/** So many requests in so long a time. */
export type Limit = Pick<RateLimitSettings, 'requests' | 'windowMs'>;

/** The limiter that the settings describe. */
function createLimiter(settings: RateLimitSettings): Limiter {
	const { algorithm, requests, burst = requests } = settings;
	if (algorithm === 'fixedWindow') return fixedWindow(settings);
	return algorithm === 'slidingWindow' ? slidingWindow(settings) : tokenBucket(settings, burst);
}

/** A bucket that fills evenly, `requests` per window, and holds at most `burst`. It starts full. */
export function tokenBucket({ requests, windowMs }: Limit, burst: number): Limiter {
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
	};
}

/** So many requests in each window; the windows follow each other from `startedAt`, by default the first request, on. */
export function fixedWindow({ requests, windowMs }: Limit, startedAt?: number): Limiter {
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
	};
}

/** At most so many requests in the last `windowMs`, whenever one looks. */
export function slidingWindow({ requests, windowMs }: Limit): Limiter {
	let acceptedAt: number[] = [];
	return {
		take(now) {
			acceptedAt = acceptedAt.filter((time) => time > now - windowMs);
			if (acceptedAt.length >= requests) return (acceptedAt[0] as number) + windowMs - now;
			acceptedAt.push(now);
			return 0;
		},
	};
}

/** What makes the sandbox answer 429 by itself: takes one request, and throws a 429 where there is no room for it. */
export function rateLimit(settings: RateLimitSettings): () => void {
	const limiter = createLimiter(settings);
	return () => {
		const waitMs = limiter.take(performance.now());
		if (waitMs <= 0) return;
		const seconds = String(Math.max(1, Math.ceil(waitMs / 1000)));
		const [when, headers] =
			settings.retryAfter === false
				? ['', {}]
				: [` Try again in ${seconds} s.`, { 'retry-after': seconds }];
		throw new ApiError(429, 'rate_limited', `Too many requests.${when}`, headers);
	};
}
