import { NEXT_DATE, type State } from './state';

/** Dates may be written in whole seconds: what has one may be a second younger. In ms. */
const COARSEST_DATE = 1_000;

/**
 * The date before which no change can still appear. The clocks of the service and n8n may differ, so only elapsed time
 * is compared: when the newest date was seen, the service's clock had reached it.
 */
export class Overlap {
	/** Every page of this poll has all that is older, in ms since 1970; -Infinity where nothing is known. */
	settled: number;
	/** Something newer than ever before was met. */
	isNewer = false;
	private readonly now: () => number;
	/** Every request of this poll sees what was there at this time, by the clock of n8n. */
	private readonly seenSince: number;
	private newest: number;
	private newestAt: number;

	/** `now` and `overlapMs` are those of `ChangesSettings`. */
	constructor({ newest, newestAt }: State, now: () => number, overlapMs: number) {
		this.now = now;
		this.seenSince = now() - overlapMs - COARSEST_DATE;
		this.newest = newest ?? -Infinity;
		this.newestAt = newestAt;
		this.settled = Math.max(this.newest - overlapMs, this.settledByNewest());
	}

	meet(time: number): void {
		if (time <= this.newest) return;
		this.newest = time;
		this.newestAt = this.now();
		this.isNewer = true;
		this.settled = Math.max(this.settled, this.settledByNewest());
	}

	toState(): Pick<State, 'newest' | 'newestAt'> {
		return { newest: this.newest === -Infinity ? null : this.newest, newestAt: this.newestAt };
	}

	/** The newest date plus the time since it was met, less the overlap; just past it at most, since no more is known. */
	private settledByNewest(): number {
		return this.newest + Math.min(this.seenSince - this.newestAt, NEXT_DATE);
	}
}
