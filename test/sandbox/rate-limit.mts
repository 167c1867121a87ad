import { ApiError } from './api-error.mts';
import type { RateLimitSettings } from './types.mts';

/** Rate limiting algorithm. Times are in ms, from a clock that never runs backwards. */
export interface Limiter {
	/**
	 * Counts a request. Returns 0 if the limit allows the request. Otherwise returns the time in ms until the limit
	 * allows a request.
	 */
	take(now: number): number;
}

/** Maximum number of requests per window. */
export type Limit = Pick<RateLimitSettings, 'requests' | 'windowMs'>;

function createLimiter(settings: RateLimitSettings): Limiter {
	const { algorithm, requests, burst = requests } = settings;
	if (algorithm === 'fixedWindow') return fixedWindow(settings);
	return algorithm === 'slidingWindow' ? slidingWindow(settings) : tokenBucket(settings, burst);
}

/** Creates a token bucket. It starts full, holds at most `burst` tokens, and gains `requests` tokens per window. */
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

/**
 * Creates a limiter with a fixed number of requests per window. The first window starts at `startedAt`, or at the first
 * request.
 */
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

/** Creates a limiter that accepts a fixed number of requests in any period of `windowMs`. */
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

/** Returns a function that counts a request, and throws HTTP 429 if the limit is exceeded. */
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
