import type { Version } from '../lists/record-identity';
import { MIN_DATE_STEP_MS, type ChangesSettings, type Checkpoint } from './checkpoint';

/**
 * Maximum time in ms that a date may be ahead of n8n's clock. A later date counts as no date
 * (docs/maintainers/assumptions.md, A5).
 */
const MAX_AHEAD_MS = 86_400_000;
/** Coarsest date in ms: a service may cut its dates to whole seconds. */
const MAX_DATE_STEP_MS = 1_000;

/**
 * Computes the date before which no change can still appear. The clocks of the service and n8n may differ, so only
 * elapsed time counts: when the newest date was read, the service's clock had reached it.
 */
export class Lookback {
	/**
	 * Date in ms since 1970: no page of this poll can miss an older version that the service will show later. -Infinity
	 * if unknown.
	 */
	settled: number;
	/** True if this poll has read a date newer than all before. */
	isNewer = false;
	/** Number of records dated more than a day ahead of n8n's clock. */
	futureDates = 0;
	private readonly now: () => number;
	/**
	 * Start of this poll by n8n's clock less the lookback window, in ms since 1970. All requests of the poll come after
	 * the start.
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
	 * Returns a version dated far ahead without its date. Otherwise the high-water mark could move to that date and
	 * hide later changes.
	 */
	withoutFutureDate(version: Version): Version {
		const { time } = version;
		if (time === null || time <= this.now() + MAX_AHEAD_MS) return version;
		this.futureDates++;
		return { ...version, time: null };
	}

	record(time: number): void {
		// Skip dates in the future: they do not show the time of the service's clock.
		if (time <= this.newest || time > this.now()) return;
		this.newest = time;
		this.newestAt = this.now();
		this.isNewer = true;
		this.settled = Math.max(this.settled, this.settledByNewest());
	}

	/**
	 * Returns the members to store.
	 * @param readUpTo date up to which this poll has read the list, in ms since 1970
	 */
	toCheckpoint(readUpTo: number): Pick<Checkpoint, 'newest' | 'newestAt' | 'settled'> {
		const settled = Math.max(this.settledBefore, Math.min(this.settled, readUpTo));
		const { newestAt } = this;
		return { newest: numberOrNull(this.newest), newestAt, settled: numberOrNull(settled) };
	}

	/**
	 * Returns the newest date plus the time since it was read, less the lookback window, but at most just past the
	 * newest date. Nothing is known about later dates.
	 */
	private settledByNewest(): number {
		return this.newest + Math.min(this.seenSince - this.newestAt, MIN_DATE_STEP_MS);
	}
}

function numberOrNull(value: number): number | null {
	return value === -Infinity ? null : value;
}
