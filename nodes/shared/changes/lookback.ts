import type { Version } from '../lists/record-identity';
import { MIN_DATE_STEP_MS, type ChangesSettings, type Checkpoint } from './checkpoint';

/**
 * Maximum time in ms by which a record date can be ahead of n8n's clock. A later date counts as missing
 * (docs/maintainers/assumptions.md, A5).
 */
export const MAX_AHEAD_MS = 86_400_000;
/** Coarsest precision of record dates, in ms. A service may round dates down to whole seconds. */
const MAX_DATE_STEP_MS = 1_000;

/**
 * Computes the date before which no further change can appear. A change can appear up to `lookbackMs` after its date.
 * The clocks of n8n and the service may differ. So n8n's clock only measures how long ago the newest date was read.
 */
export class Lookback {
	/** Date in ms since 1970. This poll's pages include all changes with an earlier date. -Infinity if unknown. */
	settled: number;
	/** True if this poll has read a date that is newer than every date of earlier polls. */
	isNewer = false;
	/** Number of records that this poll has read with a date more than a day ahead of n8n's clock. */
	futureDates = 0;
	private readonly now: () => number;
	/**
	 * Start of this poll by n8n's clock, minus the lookback window and the precision of dates, in ms since 1970. If a
	 * record was read before this time, no further change can appear whose date is before the record's date.
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

	/** Removes a date more than a day ahead of n8n's clock. It would move the mark so far that changes are missed. */
	withoutFutureDate(version: Version): Version {
		const { time } = version;
		if (time === null || time <= this.now() + MAX_AHEAD_MS) return version;
		this.futureDates++;
		return { ...version, time: null };
	}

	record(time: number): void {
		// Ignore a date ahead of n8n's clock. It does not prove that the service's clock has reached this date.
		if (time <= this.newest || time > this.now()) return;
		this.newest = time;
		this.newestAt = this.now();
		this.isNewer = true;
		this.settled = Math.max(this.settled, this.settledByNewest());
	}

	/**
	 * Returns the dates to store in the checkpoint.
	 * @param readUpTo date of the last record read, in ms since 1970; Infinity at the end of the list
	 */
	toCheckpoint(readUpTo: number): Pick<Checkpoint, 'newest' | 'newestAt' | 'settled'> {
		const settled = Math.max(this.settledBefore, Math.min(this.settled, readUpTo));
		const { newestAt } = this;
		return { newest: numberOrNull(this.newest), newestAt, settled: numberOrNull(settled) };
	}

	/**
	 * Returns the newest record date, plus the time since it was read, minus the lookback window. The result is capped
	 * just after the newest date, because nothing proves that the service's clock is past that date.
	 */
	private settledByNewest(): number {
		return this.newest + Math.min(this.seenSince - this.newestAt, MIN_DATE_STEP_MS);
	}
}

function numberOrNull(value: number): number | null {
	return value === -Infinity ? null : value;
}
