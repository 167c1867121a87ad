import type { ServiceFailure } from './failures';

/** A time in which no request is sent, and the refusal that began it. */
export interface Pause {
	untilMs: number;
	refusal: ServiceFailure;
}

/**
 * What the requests of one run know together of a service that takes none of them: until when all have to wait, and
 * whether one has waited in vain. After that no other waits or is sent, since each would end in the same way.
 * Knows no clock: times come from outside.
 */
export class Standstill {
	private pause: Pause | undefined;
	private end: ServiceFailure | undefined;
	/** How many requests the service has taken: while the number grows, it does not stand still. */
	taken = 0;

	/** The service refused a request: all wait until then. A shorter pause never cuts a longer one. */
	pauseUntil(untilMs: number, refusal: ServiceFailure): void {
		if (untilMs > (this.pause?.untilMs ?? -Infinity)) this.pause = { untilMs, refusal };
	}

	/** The pause that is under way, if any. */
	pauseAt(nowMs: number): Pause | undefined {
		return this.pause !== undefined && this.pause.untilMs > nowMs ? this.pause : undefined;
	}

	/** A request could not wait any longer; the first one speaks for all. */
	giveUp(failure: ServiceFailure): void {
		this.end ??= failure;
	}

	/**
	 * To be asked before a request is sent or waits.
	 *
	 * @param attempts how often this one was sent
	 * @throws ServiceFailure the one that ended the waiting
	 */
	assertGoing(attempts: number): void {
		if (this.end !== undefined) throw this.end.with({ attempts });
	}
}
