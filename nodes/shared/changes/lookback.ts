import type { Version } from '../lists/record-identity';
import { MIN_DATE_STEP_MS, type ChangesSettings, type Checkpoint } from './checkpoint';

/**
 * Maximum time in ms by which the date of a record can be ahead of n8n's clock. A record with a later date counts as
 * undated (docs/maintainers/assumptions.md, A5).
 */
export const MAX_AHEAD_MS = 86_400_000;
/** Coarsest precision of record dates in ms. A service may cut its dates to whole seconds. */
const MAX_DATE_STEP_MS = 1_000;

/**
 * Computes the date before which no change can appear in the list any more. A change can appear up to the lookback
 * window (`lookbackMs`) after its date. The clocks of the service and of n8n may differ, so this class does not compare
 * them. It measures the time since the newest record date was read, because the service's clock had reached this date
 * at that moment.
 */
export class Lookback {
	/**
	 * Date in ms since 1970 before which no change can appear any more. Every page of this poll shows all record
	 * versions with an older date. -Infinity if this date is unknown.
	 */
	settled: number;
	/** True if this poll has read a newer date than all earlier polls. */
	isNewer = false;
	/** Number of records dated more than a day ahead of n8n's clock. */
	futureDates = 0;
	private readonly now: () => number;
	/**
	 * Start of this poll by n8n's clock in ms since 1970, minus the lookback window and the precision of dates. The
	 * start is used, because every request of the poll comes after it.
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
	 * Returns a record version, without its date if the date is more than a day ahead of n8n's clock. Such a date could
	 * move the high-water mark too far and hide later changes.
	 */
	withoutFutureDate(version: Version): Version {
		const { time } = version;
		if (time === null || time <= this.now() + MAX_AHEAD_MS) return version;
		this.futureDates++;
		return { ...version, time: null };
	}

	record(time: number): void {
		// Ignore dates in the future, because the service's clock may not have reached them yet.
		if (time <= this.newest || time > this.now()) return;
		this.newest = time;
		this.newestAt = this.now();
		this.isNewer = true;
		this.settled = Math.max(this.settled, this.settledByNewest());
	}

	/**
	 * Returns the dates to store in the checkpoint.
	 * @param readUpTo record date up to which this poll has read the list, in ms since 1970
	 */
	toCheckpoint(readUpTo: number): Pick<Checkpoint, 'newest' | 'newestAt' | 'settled'> {
		const settled = Math.max(this.settledBefore, Math.min(this.settled, readUpTo));
		const { newestAt } = this;
		return { newest: numberOrNull(this.newest), newestAt, settled: numberOrNull(settled) };
	}

	/**
	 * Returns the newest record date, plus the time since that date was read, minus the lookback window. The result is
	 * at most a time just after the newest date, because nothing is known about later dates.
	 */
	private settledByNewest(): number {
		return this.newest + Math.min(this.seenSince - this.newestAt, MIN_DATE_STEP_MS);
	}
}

function numberOrNull(value: number): number | null {
	return value === -Infinity ? null : value;
}
