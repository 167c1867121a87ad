/** What a service answers beyond its rate limit. Whatever depends on that asks `isRateLimit`, or goes by this list. */
export const RATE_LIMIT_STATUSES: readonly number[] = [429];

/** True for a request that was one too many in its time: nothing was done with it, and later it may be accepted. */
export function isRateLimit(statusCode: number | undefined): boolean {
	return statusCode !== undefined && RATE_LIMIT_STATUSES.includes(statusCode);
}
