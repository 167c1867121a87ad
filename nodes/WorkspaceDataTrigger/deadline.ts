import type { RequestLimits, Wait } from '../client/request';

/** n8n's own budget of a poll, in ms, where it does not tell (older versions). */
const DEFAULT_BUDGET_MS = 5 * 60_000;
/** The first poll runs while a person waits for the activation. */
const FIRST_POLL_BUDGET_MS = 30_000;
/** Shortest time for one attempt that the poll's time leaves to it, in ms. */
const SHORTEST_TIMEOUT_MS = 1_000;

/** Keeps a poll within the time that n8n gives it. */
export class Deadline {
	private readonly now: () => number;
	private readonly startsNothingAfter: number;
	private readonly end: number;
	private readonly most: RequestLimits;
	private timeoutMs = SHORTEST_TIMEOUT_MS;

	/**
	 * @param now ms that have gone by since some moment, whatever happens to the time of day
	 * @param budgetMs what n8n gives; undefined where it does not tell
	 * @param isFirst true for the poll that starts a trigger
	 * @param most what the user allows to one request
	 */
	constructor(
		now: () => number,
		budgetMs: number | undefined,
		isFirst: boolean,
		most: RequestLimits,
	) {
		this.most = most;
		this.now = now;
		const whole = budgetMs ?? DEFAULT_BUDGET_MS;
		const budget = isFirst ? Math.min(whole, FIRST_POLL_BUDGET_MS) : whole;
		this.startsNothingAfter = now() + budget * 0.6;
		this.end = now() + budget * 0.9;
	}

	/** False when no further page should be asked for. */
	mayContinue(): boolean {
		return this.now() < this.startsNothingAfter;
	}

	/**
	 * Limits for the next request: half of the time that is left, so that one more attempt fits in; the rest may be
	 * waited for a service that takes no requests. Never more than the user allows.
	 */
	limits(): RequestLimits {
		const { maxRetries, maxWaitMs, timeoutMs } = this.most;
		const leftMs = this.end - this.now();
		const half = Math.max(SHORTEST_TIMEOUT_MS, Math.floor(leftMs / 2));
		this.timeoutMs = Math.min(timeoutMs, half);
		const canWaitMs = Math.max(0, Math.floor(leftMs - this.timeoutMs));
		return { maxRetries, maxWaitMs: Math.min(maxWaitMs, canWaitMs), timeoutMs: this.timeoutMs };
	}

	/**
	 * Called before a wait for a retry.
	 *
	 * @throws the failure itself when the retry could not end in time: the next poll is the retry then
	 */
	allowWait({ afterMs, failure }: Wait): void {
		if (this.now() + afterMs + this.timeoutMs <= this.end) return;
		throw failure.with({ gaveUp: 'retriesUsed' });
	}
}
