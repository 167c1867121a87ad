import { ApiError } from './api-error.mts';

/** A token bucket: a burst of a fifth of a second's requests, at least one. */
export class RateLimit {
	private requestsPerSecond: number | undefined;
	private tokens = 0;
	private filledAt = 0;

	constructor(requestsPerSecond: number | undefined) {
		this.set(requestsPerSecond);
	}

	/** Sets a new limit with a full bucket; undefined takes the limit away. Throws on a number not above 0. */
	set(requestsPerSecond: number | undefined): void {
		if (requestsPerSecond !== undefined && !(requestsPerSecond > 0)) {
			throw new Error(`requestsPerSecond must be above 0, not ${requestsPerSecond}.`);
		}
		this.requestsPerSecond = requestsPerSecond;
		this.tokens = this.burst;
		this.filledAt = performance.now();
	}

	/** Takes one token. Throws a 429 with Retry-After, in whole seconds, where there is none. */
	take(): void {
		if (this.requestsPerSecond === undefined) return;
		const now = performance.now();
		const gained = ((now - this.filledAt) / 1000) * this.requestsPerSecond;
		this.tokens = Math.min(this.burst, this.tokens + gained);
		this.filledAt = now;
		if (this.tokens >= 1) {
			this.tokens -= 1;
			return;
		}
		const seconds = Math.max(1, Math.ceil((1 - this.tokens) / this.requestsPerSecond));
		throw new ApiError(
			429,
			'rate_limited',
			`More than ${this.requestsPerSecond} requests per second. Try again in ${seconds} s.`,
			{ 'retry-after': String(seconds) },
		);
	}

	private get burst(): number {
		return Math.max(1, Math.ceil((this.requestsPerSecond ?? 0) / 5));
	}
}
