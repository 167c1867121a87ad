import type { Version } from '../lists/record-identity';
import { MIN_DATE_STEP_MS, type ChangesSettings, type Checkpoint } from './checkpoint';

/** What is dated later than this after n8n's clock counts as undated (docs/maintainers/assumptions.md, A5). */
const MAX_AHEAD_MS = 86_400_000;
/** Dates may be written in whole seconds: what has one may be a second younger. */
const MAX_DATE_STEP_MS = 1_000;

/**
 * The date before which no change can still appear. The clocks of the service and n8n may differ, so elapsed time is compared:
 * when the newest date was seen, the service's clock had reached it.
 */
export class Lookback {
	/** Every page of this poll has all that is older, in ms since 1970; -Infinity where nothing is known. */
	settled: number;
	/** Something newer than ever before was met. */
	isNewer = false;
	/** How many records came that are dated more than a day ahead of n8n's clock. */
	futureDates = 0;
	private readonly now: () => number;
	/** Every request of this poll sees what was there at this time, by the clock of n8n. */
	private readonly seenSince: number;
	private newest: number;
	private newestAt: number;
	private readonly settledBefore: number;

	constructor({ newest, newestAt, settled }: Checkpoint, { now, lookbackMs }: ChangesSettings) {
		this.now = now;
		this.seenSince = now() - lookbackMs - MAX_DATE_STEP_MS;
		this.newest = newest ?? -Infinity;
		this.newestAt = newestAt;
		this.settledBefore = settled ?? -Infinity;
		this.settled = Math.max(this.newest - lookbackMs, this.settledByNewest());
	}

	/** The version as it counts for a position: one that is dated far ahead would pass for newer than all that is to come. */
	withoutFutureDate(version: Version): Version {
		const { time } = version;
		if (time === null || time <= this.now() + MAX_AHEAD_MS) return version;
		this.futureDates++;
		return { ...version, time: null };
	}

	record(time: number): void {
		// A record may be dated ahead: n8n's clock has to have come to its date as well.
		if (time <= this.newest || time > this.now()) return;
		this.newest = time;
		this.newestAt = this.now();
		this.isNewer = true;
		this.settled = Math.max(this.settled, this.settledByNewest());
	}

	/** @param readUpTo how far this poll has read the list, in ms since 1970 */
	toCheckpoint(readUpTo: number): Pick<Checkpoint, 'newest' | 'newestAt' | 'settled'> {
		const settled = Math.max(this.settledBefore, Math.min(this.settled, readUpTo));
		const { newestAt } = this;
		return { newest: numberOrNull(this.newest), newestAt, settled: numberOrNull(settled) };
	}

	/** The newest date plus the time since it was met, less the lookback window; just past it at most, since no more is known. */
	private settledByNewest(): number {
		return this.newest + Math.min(this.seenSince - this.newestAt, MIN_DATE_STEP_MS);
	}
}

function numberOrNull(value: number): number | null {
	return value === -Infinity ? null : value;
}
