/** How a service limits the rate of requests. */
export type Algorithm = 'token bucket' | 'full token bucket' | 'fixed window' | 'sliding window';

/** So many requests are allowed in so long a time. */
export interface Limit {
	requests: number;
	windowMs: number;
}

/** The limit of a service in simulated time. */
export interface Limiter {
	/** Asks for one request at that time. Gives 0 when it is allowed, otherwise the ms until one would be. */
	take: (nowMs: number) => number;
	/** How many more requests are allowed at that time, and in how many ms there are more. */
	state: (nowMs: number) => { remaining: number; resetMs: number };
}

/** @param phaseMs how far the first fixed window is over when the run begins */
export function createLimiter(algorithm: Algorithm, limit: Limit, phaseMs: number): Limiter {
	switch (algorithm) {
		case 'token bucket':
			return tokenBucket(limit, Math.max(1, Math.ceil(limit.requests / (limit.windowMs / 200))));
		case 'full token bucket':
			return tokenBucket(limit, limit.requests);
		case 'fixed window':
			return fixedWindow(limit, phaseMs);
		case 'sliding window':
			return slidingWindow(limit);
	}
}

/** The small one holds a fifth of a second's requests, at least one; the full one a window's. */
function tokenBucket({ requests, windowMs }: Limit, size: number): Limiter {
	const perMs = requests / windowMs;
	let tokens = size;
	let filledMs = 0;
	return {
		take: (nowMs) => {
			tokens = Math.min(size, tokens + (nowMs - filledMs) * perMs);
			filledMs = nowMs;
			if (tokens < 1) return (1 - tokens) / perMs;
			tokens -= 1;
			return 0;
		},
		state: () => ({ remaining: Math.floor(tokens), resetMs: (size - tokens) / perMs }),
	};
}

/** Counts anew at every full second or minute of the service's clock. */
function fixedWindow({ requests, windowMs }: Limit, phaseMs: number): Limiter {
	let window = -1;
	let taken = 0;
	return {
		take: (nowMs) => {
			const current = Math.floor((nowMs + phaseMs) / windowMs);
			if (current !== window) taken = 0;
			window = current;
			if (taken >= requests) return (current + 1) * windowMs - phaseMs - nowMs;
			taken += 1;
			return 0;
		},
		state: (nowMs) => ({
			remaining: requests - taken,
			resetMs: (window + 1) * windowMs - phaseMs - nowMs,
		}),
	};
}

/** Allows so many requests in any stretch of the window's length. */
function slidingWindow({ requests, windowMs }: Limit): Limiter {
	const taken: number[] = [];
	let count = 0;
	return {
		take: (nowMs) => {
			const oldest = taken[count % requests] ?? -Infinity;
			const waitMs = oldest + windowMs - nowMs;
			if (waitMs > 0) return waitMs;
			taken[count % requests] = nowMs;
			count += 1;
			return 0;
		},
		state: (nowMs) => {
			const recent = taken.filter((atMs) => atMs > nowMs - windowMs);
			const resetMs = Math.min(nowMs, ...recent) + windowMs - nowMs;
			return { remaining: requests - recent.length, resetMs };
		},
	};
}
