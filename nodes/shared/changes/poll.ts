// nodes/shared/changes/: finds new and changed records of a list. Does not use n8n or a clock of its own.

import { isCancelled, ServiceFailure } from '../client/failures';
import { failureClassOf, isUnprocessed } from '../client/failure-classes';
import type { Page } from '../lists/page';
import type { Version } from '../lists/record-identity';
import { MAX_AHEAD_MS } from './lookback';
import { Progress } from './progress';
import type { ChangesReader } from './reader';
import type { ChangesSettings, SavedCursor, Checkpoint } from './checkpoint';
import { cursorRefused, OLDER, STARTED, stoppedEarly, type Notice } from './notices';

/** New records from one page, or from a part of a page. The last batch of a poll can be empty. */
export interface Batch {
	records: Array<Record<string, unknown>>;
	/** `page` is the page that contains the records. `indexes` are the indexes of these records on the page, from 0. */
	page?: Page;
	indexes: number[];
	/** Checkpoint to store after the records of this batch have been returned. */
	checkpoint: Checkpoint;
	notices: Notice[];
	reachedEnd: boolean;
}

/**
 * After this many consecutive polls without progress, the poll ends in an error. A poll makes no progress if it returns
 * no records and comes no closer to the end of the list.
 */
const MAX_FUTILE_POLLS = 3;

/** Reads all batches of one poll and joins them. Throws the same errors as `readChanges`. */
export async function poll(
	checkpoint: Checkpoint,
	reader: ChangesReader,
	settings: ChangesSettings,
) {
	const all = {
		records: [] as Batch['records'],
		notices: [] as Notice[],
		checkpoint,
		reachedEnd: false,
	};
	for await (const batch of readChanges(checkpoint, reader, settings)) {
		all.records.push(...batch.records);
		all.notices.push(...batch.notices);
		all.checkpoint = batch.checkpoint;
		all.reachedEnd = batch.reachedEnd;
	}
	return all;
}

/**
 * Yields batches of new and changed records, each with the checkpoint to store after it, up to the end of the list or a
 * limit. If a request fails after some progress, the last batch has a notice about the failure.
 * @throws ServiceFailure if a request fails before any progress, if the list is inconsistent, or `endlessSearch` if
 * several consecutive polls make no progress
 */
export function readChanges(
	checkpoint: Checkpoint,
	reader: ChangesReader,
	settings: ChangesSettings,
) {
	return new Reading(checkpoint, reader, settings).batches();
}

/** Reason why reading stopped. `paused`: a limit was reached. `elsewhere`: begin again from another starting point. */
type Stop = 'end' | 'paused' | 'elsewhere' | ServiceFailure;

/** A place in the list where the poll starts to read, and the progress that the poll has made from there. */
interface StartingPoint {
	/** Saved cursor that leads to the starting point. Undefined for the beginning of the list. */
	from: SavedCursor | undefined;
	progress: Progress;
	/** True at the beginning of the list, or once the first record proves that the saved cursor is still right. */
	isProven: boolean;
	/** True if the saved cursor now leads to a different first record than when it was saved. */
	hasShifted: boolean;
}

class Reading {
	private readonly stored: Checkpoint;
	private readonly reader: ChangesReader;
	private readonly settings: ChangesSettings;
	/** Untried starting points: saved cursors, and undefined for the beginning of the list. The last is tried first. */
	private startingPoints: Array<SavedCursor | undefined>;
	/** Checkpoint to store after the last returned batch. */
	private checkpoint: Checkpoint;
	private returned = 0;
	private notices: Notice[] = [];
	/** Time in ms since 1970. If Start From is Now, records dated up to this time are skipped. */
	private startedAt: number;
	/** `page` is the current page. `indexes` are the indexes of its new records that are not part of a batch yet. */
	private page: Page | undefined;
	private indexes: number[] = [];

	constructor(checkpoint: Checkpoint, reader: ChangesReader, settings: ChangesSettings) {
		this.stored = this.checkpoint = checkpoint;
		this.reader = reader;
		this.settings = settings;
		this.startedAt = checkpoint.startedAt;
		this.startingPoints = [undefined, ...checkpoint.savedCursors];
	}

	/** Yields the batches of one poll. Starts at the last saved cursor that still works, or at the list's beginning. */
	async *batches(): AsyncGenerator<Batch, void> {
		let stop: Stop;
		do {
			const from = this.startingPoints.pop();
			this.indexes = [];
			// Create `Progress` before the first request, because it stores the current time as the start of the poll.
			const progress = new Progress(this.checkpoint, from, this.settings);
			const startingPoint: StartingPoint = {
				from,
				progress,
				isProven: from === undefined,
				hasShifted: false,
			};
			try {
				stop = yield* this.read(startingPoint);
			} catch (error) {
				stop = startingPoint.isProven ? withoutPosition(error) : this.restartIfRejected(error);
			}
			if (stop !== 'elsewhere') yield this.lastBatch(startingPoint, stop);
		} while (stop === 'elsewhere');
	}

	/** Reads from a starting point, and yields batches of new records. Returns the reason why reading stopped. */
	private async *read(startingPoint: StartingPoint): AsyncGenerator<Batch, Stop> {
		const { progress } = startingPoint;
		const { maxRecords, maxPerBatch = Infinity, hasTimeLeft } = this.settings;
		for await (const { versions: listed, ...page } of this.reader.pages(startingPoint.from)) {
			const versions = listed.map((version) => progress.lookback.withoutFutureDate(version));
			this.startedAt = this.earlierStart(page.dateMs);
			if (versions.length > 0 && !this.isProven(startingPoint, versions[0])) return 'elsewhere';
			[this.page, this.indexes] = [page, []];
			progress.beginPage({ ...page, versions });
			for (const [index, version] of versions.entries()) {
				if (progress.hasLostSkippedVersions(version)) return this.restart(progress);
				if (!this.isBeforeStart(version) && !progress.isProcessed(version)) {
					if (this.found >= maxRecords) return 'paused';
					if (this.indexes.length >= maxPerBatch) yield this.batch(startingPoint);
					this.indexes.push(index);
				}
				progress.process(version, this.reader.field);
			}
			progress.endPage();
			// Continue after an empty page, because only a record can prove that the saved cursor is still right.
			if (page.isLast || !startingPoint.isProven) continue;
			if (this.indexes.length > 0) yield this.batch(startingPoint);
			if (this.found > 0 && this.found >= maxRecords) return 'paused';
			const hasProgress = page.number > 1 || this.found > 0;
			if (!hasProgress || hasTimeLeft?.() !== false) continue;
			if (this.found === 0 && !progress.hasMoved) progress.moveToLastPage();
			return 'paused';
		}
		if (!startingPoint.isProven) return 'elsewhere';
		// The saved cursor may point into an old snapshot of the list, which hides newer records. Suspect this if the
		// poll found nothing new, although the total says that there are more records. In that case, read the list
		// again from its beginning.
		const mayHide = startingPoint.from !== undefined && this.found === 0 && progress.isIncomplete;
		return mayHide || progress.hasLostSkippedVersions() ? this.restart(progress) : 'end';
	}

	/**
	 * Returns the start time by n8n's clock or the service's clock, whichever is earlier. The service's clock matters,
	 * because the service dates the records. Ignores a service time that is more than a day earlier, because a proxy
	 * may have sent it.
	 */
	private earlierStart(serviceMs = Infinity): number {
		const isPlausible = serviceMs > this.stored.startedAt - MAX_AHEAD_MS;
		return isPlausible ? Math.min(this.startedAt, serviceMs) : this.startedAt;
	}

	/** Number of new records that this poll has found so far. */
	private get found(): number {
		return this.returned + this.indexes.length;
	}

	/**
	 * Checks whether a record is skipped because Start From is Now, and the record's date is missing or not after the
	 * start. A date in whole seconds counts as the end of its second, because the service may have cut off the
	 * milliseconds.
	 */
	private isBeforeStart({ time }: Version): boolean {
		const { starting } = this.stored;
		return starting && (time === null || time + (time % 1_000 === 0 ? 999 : 0) <= this.startedAt);
	}

	/** Checks by the first record whether the saved cursor still leads to the right place in the list. */
	private isProven(startingPoint: StartingPoint, first: Version): boolean {
		if (startingPoint.isProven) return true;
		startingPoint.isProven = startingPoint.progress.provesSavedCursor(first);
		startingPoint.hasShifted = first.digest !== startingPoint.from?.first;
		return startingPoint.isProven;
	}

	/**
	 * Lets the poll read again from the beginning of the list. Called if the saved cursor may hide records, or if
	 * skipped records may be unprocessed.
	 */
	private restart({ isSkipping }: Progress): Stop {
		this.startingPoints = [undefined];
		// Drop the digests at the high-water mark, so that the next reading skips no record with this date.
		if (isSkipping)
			this.checkpoint = { ...this.checkpoint, seenAtWatermark: '', isSkipping: false };
		return 'elsewhere';
	}

	/**
	 * Lets the poll read again from the beginning of the list, because the service has rejected the saved cursor.
	 * Rethrows failures that can have another cause, such as throttling and network errors.
	 */
	private restartIfRejected(error: unknown): Stop {
		const failure = withoutPosition(error);
		const { gaveUp = '' } = failure.facts;
		const { scope } = failureClassOf(failure);
		const isForATime = isUnprocessed(failure) || ['waitTooLong', 'waitUsed'].includes(gaveUp);
		if (isForATime || scope === 'network' || scope === 'run') throw failure;
		this.notices.push(cursorRefused(failure));
		this.startingPoints = [undefined];
		return 'elsewhere';
	}

	/** Returns a batch with the new records of the current page, and the checkpoint to store after this batch. */
	private batch({ from, progress }: StartingPoint, reachedEnd = false, futile = 0): Batch {
		const { page, indexes, notices } = this;
		const { starting, total } = this.checkpoint;
		const counted = total === null ? null : total + indexes.length;
		this.checkpoint = {
			...progress.toCheckpoint(reachedEnd, from === undefined),
			starting: starting && !reachedEnd,
			startedAt: this.startedAt,
			futile,
			total: reachedEnd ? (progress.total ?? null) : counted,
		};
		this.returned += indexes.length;
		[this.indexes, this.notices] = [[], []];
		const records = indexes.map((index) => page?.envelope.data.items[index] ?? {});
		return { records, page, indexes, checkpoint: this.checkpoint, notices, reachedEnd };
	}

	/** Returns the last batch. Throws if the poll failed without progress, or after several polls without progress. */
	private lastBatch(startingPoint: StartingPoint, stop: Exclude<Stop, 'elsewhere'>): Batch {
		const { stored, notices, found } = this;
		const { from, progress } = startingPoint;
		if (stop instanceof ServiceFailure) {
			const hasProgress = found > 0 || (progress.hasMoved && this.settings.hasTimeLeft);
			// Throw if the list is inconsistent, for example if dates descend. The next poll might not notice.
			const contradicts = failureClassOf(stop).scope === 'list' && stop.kind !== 'emptyPages';
			if (!hasProgress || contradicts || isCancelled(stop)) throw stop;
			notices.push(stoppedEarly(stop));
		}
		const reachedEnd = stop === 'end';
		if (reachedEnd && stored.starting) notices.push(STARTED);
		if (reachedEnd && this.hasOlder(startingPoint)) notices.push(OLDER);
		// Moving the high-water mark counts as progress only if the poll began with a saved cursor. Polls that begin at
		// the start of a long list can move the mark each time, and still never reach the end of the list.
		const comesNearer = from !== undefined && progress.hasMoved;
		const isGood = reachedEnd || found > 0 || progress.lookback.isNewer;
		const futile = isGood ? 0 : stored.futile + (comesNearer ? 0 : 1);
		if (futile < MAX_FUTILE_POLLS) return this.batch(startingPoint, reachedEnd, futile);
		throw stop instanceof ServiceFailure ? stop : new ServiceFailure('endlessSearch');
	}

	/** Checks at the end whether the list grew by more records than this poll found. The other records are older. */
	private hasOlder({ from, progress, hasShifted }: StartingPoint): boolean {
		const hasGrown =
			(progress.total ?? 0) > (this.checkpoint.total ?? Infinity) + this.indexes.length;
		// Report the growth only if there is another sign of older records. The previous total may have been too small,
		// because an earlier poll may have read a lagging replica.
		const isAnew = from === undefined && this.stored.savedCursors.length > 0;
		return hasGrown && (isAnew || hasShifted || progress.isIncomplete);
	}
}

/** Returns a failure without its cursor: the trigger and Sync have no Start Cursor option. Rethrows other errors. */
function withoutPosition(error: unknown): ServiceFailure {
	if (!(error instanceof ServiceFailure)) throw error;
	const { recordsRead } = error.kind === 'incompleteList' ? error.facts : {};
	return error.with({ recordsRead, nextCursor: undefined });
}
