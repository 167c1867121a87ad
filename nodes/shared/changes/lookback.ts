import type { Version } from '../lists/record-identity';
import { MIN_DATE_STEP_MS, type ChangesSettings, type Checkpoint } from './checkpoint';

/**
 * Maximum time in ms by which the date of a record can be ahead of n8n's clock. A record with a later date counts as
 * undated (docs/maintainers/assumptions.md, A5).
 */
export const MAX_AHEAD_MS = 86_400_000;
/** Coarsest precision of record dates, in ms. A service may round dates down to whole seconds. */
const MAX_DATE_STEP_MS = 1_000;

/**
 * Computes the date before which no further change can appear in the list. A change can appear late, up to the lookback
 * window (`lookbackMs`) after its date. This class does not compare n8n's clock with the service's clock, because they
 * may differ. Instead, it measures by n8n's clock how much time has passed since the newest record date was read.
 */
export class Lookback {
	/**
	 * Date in ms since 1970. Changes with an earlier date can no longer appear in the list, because the pages that this
	 * poll reads already include all of them. -Infinity if the date is unknown.
	 */
	settled: number;
	/** True if this poll has read a newer date than all earlier polls. */
	isNewer = false;
	/** Number of records that this poll has read with a date more than a day ahead of n8n's clock. */
	futureDates = 0;
	private readonly now: () => number;
	/**
	 * Start of this poll by n8n's clock, minus the lookback window and the precision of dates, in ms since 1970. Once a
	 * record date was read before this time, no change with an earlier date than the record's can appear any more.
	 */
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

	/**
	 * Returns a record version, but without its date if the date is more than a day ahead of n8n's clock. Such a date
	 * would move the high-water mark into the future, and later changes would be missed.
	 */
	withoutFutureDate(version: Version): Version {
		const { time } = version;
		if (time === null || time <= this.now() + MAX_AHEAD_MS) return version;
		this.futureDates++;
		return { ...version, time: null };
	}

	record(time: number): void {
		// Ignore a date that is ahead of n8n's clock, because it does not prove that the service's clock has reached
		// this date.
		if (time <= this.newest || time > this.now()) return;
		this.newest = time;
		this.newestAt = this.now();
		this.isNewer = true;
		this.settled = Math.max(this.settled, this.settledByNewest());
	}

	/**
	 * Returns the dates to store in the checkpoint.
	 * @param readUpTo date of the last record that this poll has read, in ms since 1970; Infinity at the end of the
	 * list
	 */
	toCheckpoint(readUpTo: number): Pick<Checkpoint, 'newest' | 'newestAt' | 'settled'> {
		const settled = Math.max(this.settledBefore, Math.min(this.settled, readUpTo));
		const { newestAt } = this;
		return { newest: numberOrNull(this.newest), newestAt, settled: numberOrNull(settled) };
	}

	/**
	 * Returns the date before which no further change can appear: the newest record date, plus the time since this date
	 * was read, minus the lookback window. The result is never later than just after the newest date, because nothing
	 * shows that the service's clock has reached a later date.
	 */
	private settledByNewest(): number {
		return this.newest + Math.min(this.seenSince - this.newestAt, MIN_DATE_STEP_MS);
	}
}

function numberOrNull(value: number): number | null {
	return value === -Infinity ? null : value;
}
