import { NEXT_DATE, type State } from './state';

/** Dates may be written in whole seconds: what has one may be a second younger. In ms. */
const COARSEST_DATE = 1_000;

/**
 * Before which date nothing late can turn up any more: a change is seen at the latest so much later than its date. The
 * clock of the service may differ from that of n8n. What is known of it: when a record of the newest date was met, that
 * date had come there, and since then as much time has passed as here.
 */
export class Overlap {
	/** Every page of this poll has all that is older than this, in ms since 1970; -Infinity where nothing is known. */
	settled: number;
	/** True once something newer than ever before was met. */
	isNewer = false;
	private readonly now: () => number;
	/** What was there at this time is seen by every request of this poll; by the clock of n8n. */
	private readonly seenSince: number;
	private newest: number;
	private newestAt: number;

	/** @param now and how late a change may be: see `ChangesSettings` */
	constructor({ newest, newestAt }: State, now: () => number, overlapMs: number) {
		this.now = now;
		this.seenSince = now() - overlapMs - COARSEST_DATE;
		this.newest = newest ?? -Infinity;
		this.newestAt = newestAt;
		this.settled = Math.max(this.newest - overlapMs, this.settledByNewest());
	}

	/** A record of this date has come. */
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

	/** Of dates that are newer than the newest one, nothing is known. */
	private settledByNewest(): number {
		return this.newest + Math.min(this.seenSince - this.newestAt, NEXT_DATE);
	}
}
