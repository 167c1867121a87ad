// nodes/shared/changes/: follows a list of records while it changes; no clock, and nothing of n8n.

import { isCancelled, ServiceFailure } from '../client/failures';
import { failureClassOf, isUnprocessed } from '../client/failure-classes';
import type { Page } from '../lists/page';
import type { Version } from '../lists/record-identity';
import { MAX_AHEAD_MS } from './lookback';
import { Progress } from './progress';
import type { ChangesReader } from './reader';
import type { ChangesSettings, SavedCursor, Checkpoint } from './checkpoint';
import { cursorRefused, OLDER, STARTED, stoppedEarly, type Notice } from './notices';

/** New records of one page, or of a part of a page. The last batch can be empty. */
export interface Batch {
	records: Array<Record<string, unknown>>;
	/** Page of the records, and their indexes on the page. */
	page?: Page;
	indexes: number[];
	/** Checkpoint to store once the records have been returned. */
	checkpoint: Checkpoint;
	notices: Notice[];
	reachedEnd: boolean;
}

/** Maximum number of consecutive polls that return no record and come no nearer to the end of the list. */
const MAX_FUTILE_POLLS = 3;

/** Reads all batches of one poll, and joins them. Throws as `readChanges` does. */
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
 * Yields batches of records that were not processed before, each with the checkpoint after it. Stops at the end of the
 * list, or at a limit of the settings. A failure after some progress becomes a notice of the last batch
 * (`stoppedEarly`).
 * @throws ServiceFailure if the poll made no progress before the failure, or if the next poll might not notice the
 * failure. `endlessSearch` if several polls come no nearer to the end of the list
 */
export function readChanges(
	checkpoint: Checkpoint,
	reader: ChangesReader,
	settings: ChangesSettings,
) {
	return new Reading(checkpoint, reader, settings).batches();
}

/**
 * Reason why reading stopped. `paused` means that the next poll continues. `elsewhere` means that reading continues at
 * the next position in `candidates`.
 */
type Stop = 'end' | 'paused' | 'elsewhere' | ServiceFailure;

/** A position in the list where the poll begins to read. */
interface Entry {
	/** Saved cursor that leads to the position. Undefined for the beginning of the list. */
	from: SavedCursor | undefined;
	progress: Progress;
	/** True once the first record has shown that the saved cursor still leads to its old position. */
	isProven: boolean;
	/** True if the saved cursor leads to a processed record, but not to the same record as before. */
	hasShifted: boolean;
}

class Reading {
	private readonly stored: Checkpoint;
	private readonly reader: ChangesReader;
	private readonly settings: ChangesSettings;
	/** Positions to try, from the last to the first: saved cursors, then the beginning of the list (undefined). */
	private candidates: Array<SavedCursor | undefined>;
	/** Checkpoint after the batches that were returned. */
	private checkpoint: Checkpoint;
	/** Number of records in the batches that were returned. */
	private returned = 0;
	private notices: Notice[] = [];
	/** Start From: Now skips versions dated up to this time, in ms since 1970. */
	private startedAt: number;
	/** Current page, and the indexes of its new records that are not returned yet. */
	private page: Page | undefined;
	private indexes: number[] = [];

	constructor(checkpoint: Checkpoint, reader: ChangesReader, settings: ChangesSettings) {
		this.stored = this.checkpoint = checkpoint;
		this.reader = reader;
		this.settings = settings;
		this.startedAt = checkpoint.startedAt;
		this.candidates = [undefined, ...checkpoint.savedCursors];
	}

	/**
	 * Tries one saved cursor after another, then the beginning of the list. Reads on from the first position that is
	 * proven.
	 */
	async *batches(): AsyncGenerator<Batch, void> {
		let stop: Stop;
		do {
			const from = this.candidates.pop();
			this.indexes = [];
			// `Progress` reads the clock here, before the first request, so that every page shows at least the records
			// that existed at this time.
			const progress = new Progress(this.checkpoint, from, this.settings);
			const entry: Entry = { from, progress, isProven: from === undefined, hasShifted: false };
			try {
				stop = yield* this.read(entry);
			} catch (error) {
				stop = entry.isProven ? withoutPosition(error) : this.refusedBy(error);
			}
			if (stop !== 'elsewhere') yield this.lastBatch(entry, stop);
		} while (stop === 'elsewhere');
	}

	/** Reads the list from a position, and yields batches of new records. Returns the reason why reading stopped. */
	private async *read(entry: Entry): AsyncGenerator<Batch, Stop> {
		const { progress } = entry;
		const { maxRecords, maxPerBatch = Infinity, mayContinue } = this.settings;
		for await (const { versions: listed, ...page } of this.reader.pages(entry.from)) {
			const versions = listed.map((version) => progress.lookback.withoutFutureDate(version));
			this.startedAt = this.earlierStart(page.dateMs);
			if (versions.length > 0 && !this.isProven(entry, versions[0])) return 'elsewhere';
			[this.page, this.indexes] = [page, []];
			progress.beginPage({ ...page, versions });
			for (const [index, version] of versions.entries()) {
				if (progress.hasLostSkippedVersions(version)) return this.misled(progress);
				if (!this.isPassedOver(version) && !progress.isProcessed(version)) {
					if (this.found >= maxRecords) return 'paused';
					if (this.indexes.length >= maxPerBatch) yield this.batch(entry);
					this.indexes.push(index);
				}
				progress.process(version, this.reader.field);
			}
			progress.endPage();
			// Read on until a record proves the saved cursor, because an empty page proves nothing.
			if (page.isLast || !entry.isProven) continue;
			if (this.indexes.length > 0) yield this.batch(entry);
			if (this.found > 0 && this.found >= maxRecords) return 'paused';
			const hasProgress = page.number > 1 || this.found > 0;
			if (!hasProgress || mayContinue?.() !== false) continue;
			if (this.found === 0 && !progress.hasMoved) progress.moveToLastPage();
			return 'paused';
		}
		if (!entry.isProven) return 'elsewhere';
		// A service may store a copy of the list with the cursor. With such a cursor, it returns no new records, and
		// fewer records than the total.
		const mayHide = entry.from !== undefined && this.found === 0 && progress.isIncomplete;
		return mayHide || progress.hasLostSkippedVersions() ? this.misled(progress) : 'end';
	}

	/**
	 * Returns the service's time if n8n's clock is ahead of the service's clock, because the service dates the records.
	 * Ignores a time that is more than a day earlier: the clock of a server between n8n and the service can be wrong.
	 */
	private earlierStart(serviceMs = Infinity): number {
		const isPlausible = serviceMs > this.stored.startedAt - MAX_AHEAD_MS;
		return isPlausible ? Math.min(this.startedAt, serviceMs) : this.startedAt;
	}

	/** Number of new records so far. */
	private get found(): number {
		return this.returned + this.indexes.length;
	}

	/**
	 * Checks whether Start From: Now skips a version, because its date is not later than the start. A date in whole
	 * seconds counts as 999 ms later, because the service may have cut off the milliseconds.
	 */
	private isPassedOver({ time }: Version): boolean {
		const { starting } = this.stored;
		return starting && (time === null || time + (time % 1_000 === 0 ? 999 : 0) <= this.startedAt);
	}

	/**
	 * Checks whether the position is proven. If it is not proven yet, checks the first record that the saved cursor
	 * leads to.
	 */
	private isProven(entry: Entry, first: Version): boolean {
		if (entry.isProven) return true;
		entry.isProven = entry.progress.provesSavedCursor(first);
		entry.hasShifted = first.digest !== entry.from?.first;
		return entry.isProven;
	}

	/**
	 * Continues from the beginning of the list, because a saved cursor led to a wrong position, or skipped versions may
	 * be unprocessed.
	 */
	private misled({ isSkipping }: Progress): Stop {
		this.candidates = [undefined];
		// Forget the versions at the high-water mark, so that no version is skipped when the list is read again.
		if (isSkipping)
			this.checkpoint = { ...this.checkpoint, seenAtWatermark: '', isSkipping: false };
		return 'elsewhere';
	}

	/**
	 * Continues from the beginning of the list, because the service rejects the saved cursor. Rethrows failures that do
	 * not prove that the cursor is invalid, such as throttling and network errors.
	 */
	private refusedBy(error: unknown): Stop {
		const failure = withoutPosition(error);
		const { gaveUp = '' } = failure.facts;
		const { scope } = failureClassOf(failure);
		const isForATime = isUnprocessed(failure) || ['waitTooLong', 'waitUsed'].includes(gaveUp);
		if (isForATime || scope === 'network' || scope === 'run') throw failure;
		this.notices.push(cursorRefused(failure));
		this.candidates = [undefined];
		return 'elsewhere';
	}

	/** Returns the new records of the current page, with the checkpoint after them. */
	private batch({ from, progress }: Entry, reachedEnd = false, futile = 0): Batch {
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

	/**
	 * Returns the last batch, with notices on a failure, on the start, or on older records. Throws the failure if there
	 * was no progress.
	 */
	private lastBatch(entry: Entry, stop: Exclude<Stop, 'elsewhere'>): Batch {
		const { stored, notices, found } = this;
		const { from, progress } = entry;
		if (stop instanceof ServiceFailure) {
			const hasProgress = found > 0 || (progress.hasMoved && this.settings.mayContinue);
			// Throw if the list contradicts itself, because the next poll might not notice the contradiction.
			const contradicts = failureClassOf(stop).scope === 'list' && stop.kind !== 'emptyPages';
			if (!hasProgress || contradicts || isCancelled(stop)) throw stop;
			notices.push(stoppedEarly(stop));
		}
		const reachedEnd = stop === 'end';
		if (reachedEnd && stored.starting) notices.push(STARTED);
		if (reachedEnd && this.hasOlder(entry)) notices.push(OLDER);
		// Progress counts only after a saved cursor. Otherwise every poll could begin at the beginning of the list, and
		// no poll would reach the end.
		const comesNearer = from !== undefined && progress.hasMoved;
		const isGood = reachedEnd || found > 0 || progress.lookback.isNewer;
		const futile = isGood ? 0 : stored.futile + (comesNearer ? 0 : 1);
		if (futile < MAX_FUTILE_POLLS) return this.batch(entry, reachedEnd, futile);
		throw stop instanceof ServiceFailure ? stop : new ServiceFailure('endlessSearch');
	}

	/** Checks at the end of the list whether it has grown by more records than this poll found. */
	private hasOlder({ from, progress, hasShifted }: Entry): boolean {
		const hasGrown =
			(progress.total ?? 0) > (this.checkpoint.total ?? Infinity) + this.indexes.length;
		// Report growth only with further evidence, because an earlier poll may have read a copy of the data that
		// lagged behind and had fewer records.
		const isAnew = from === undefined && this.stored.savedCursors.length > 0;
		return hasGrown && (isAnew || hasShifted || progress.isIncomplete);
	}
}

/**
 * Returns the failure without its cursor, because a cursor in an error suggests that the user continue from that
 * cursor. Rethrows other errors.
 */
function withoutPosition(error: unknown): ServiceFailure {
	if (!(error instanceof ServiceFailure)) throw error;
	const { recordsRead } = error.kind === 'incompleteList' ? error.facts : {};
	return error.with({ recordsRead, nextCursor: undefined });
}
