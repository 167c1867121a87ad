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

/** New records of one page, or of a part of a page. The last batch of a poll can be empty. */
export interface Batch {
	records: Array<Record<string, unknown>>;
	/**
	 * `page` is the page that contains the records. `indexes` are the positions of the records on this page, from 0.
	 */
	page?: Page;
	indexes: number[];
	/** Checkpoint to store after the records of this batch have been returned. */
	checkpoint: Checkpoint;
	notices: Notice[];
	reachedEnd: boolean;
}

/**
 * Number of consecutive polls without progress that end in an error. Such a poll returns no record and comes no nearer
 * to the end of the list.
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
 * Yields batches of records that no earlier poll has processed, each with the checkpoint to store after it. Stops at
 * the end of the list, or at a limit of the settings. If a request fails after some progress, the last batch contains a
 * notice about the failure.
 * @throws ServiceFailure if a request fails before any progress, or if the next poll might not notice the failure.
 * `endlessSearch` if several polls come no nearer to the end of the list
 */
export function readChanges(
	checkpoint: Checkpoint,
	reader: ChangesReader,
	settings: ChangesSettings,
) {
	return new Reading(checkpoint, reader, settings).batches();
}

/**
 * Reason why reading stopped. `paused` means that a limit was reached, and that the next poll continues. `elsewhere`
 * means that the starting point was wrong, and that reading begins again at the next starting point.
 */
type Stop = 'end' | 'paused' | 'elsewhere' | ServiceFailure;

/** A starting point in the list, and the progress of the reading that began there. */
interface Entry {
	/** Saved cursor that leads to the starting point. Undefined for the beginning of the list. */
	from: SavedCursor | undefined;
	progress: Progress;
	/**
	 * True once the first record has shown that the saved cursor still leads to the same place in the list. Always true
	 * for the beginning of the list.
	 */
	isProven: boolean;
	/** True if the saved cursor leads to another first record than when the cursor was saved. */
	hasShifted: boolean;
}

class Reading {
	private readonly stored: Checkpoint;
	private readonly reader: ChangesReader;
	private readonly settings: ChangesSettings;
	/**
	 * Starting points that can still be tried, the last one first: saved cursors, and the beginning of the list
	 * (undefined).
	 */
	private candidates: Array<SavedCursor | undefined>;
	/** Checkpoint to store after the last returned batch. */
	private checkpoint: Checkpoint;
	/** Number of records in all returned batches. */
	private returned = 0;
	private notices: Notice[] = [];
	/** If Start From is Now, record versions dated up to this time are skipped. In ms since 1970. */
	private startedAt: number;
	/** `page` is the current page. `indexes` are the positions on it of new records that no batch has returned yet. */
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
	 * Tries one saved cursor after another as the starting point, then the beginning of the list. Reads on from the
	 * first cursor that still leads to the same place in the list as before.
	 */
	async *batches(): AsyncGenerator<Batch, void> {
		let stop: Stop;
		do {
			const from = this.candidates.pop();
			this.indexes = [];
			// Create `Progress` before the first request, because its constructor reads the clock. Every page then
			// shows at least the records that existed at that time.
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

	/**
	 * Reads the list from a starting point, and yields batches of new records. Returns the reason why reading stopped.
	 */
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
			// Read on after an empty page, because only a record can show whether the saved cursor is still right.
			if (page.isLast || !entry.isProven) continue;
			if (this.indexes.length > 0) yield this.batch(entry);
			if (this.found > 0 && this.found >= maxRecords) return 'paused';
			const hasProgress = page.number > 1 || this.found > 0;
			if (!hasProgress || mayContinue?.() !== false) continue;
			if (this.found === 0 && !progress.hasMoved) progress.moveToLastPage();
			return 'paused';
		}
		if (!entry.isProven) return 'elsewhere';
		// Some services may store a copy of the list with each cursor. Such a cursor returns no new records, and fewer
		// records than the total of the list. Then read the list from its beginning.
		const mayHide = entry.from !== undefined && this.found === 0 && progress.isIncomplete;
		return mayHide || progress.hasLostSkippedVersions() ? this.misled(progress) : 'end';
	}

	/**
	 * Returns the start time by n8n's clock, or the service's time if that time is earlier, because the service dates
	 * the records. Ignores a time that is more than a day earlier, because another server between n8n and the service
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
	 * Checks whether a record version is skipped because Start From is Now and the date is not later than the start.
	 * Adds 999 ms to a date in whole seconds, because the service may have cut off the milliseconds.
	 */
	private isPassedOver({ time }: Version): boolean {
		const { starting } = this.stored;
		return starting && (time === null || time + (time % 1_000 === 0 ? 999 : 0) <= this.startedAt);
	}

	/**
	 * Checks whether a starting point is right. The first record must show that the saved cursor still leads to the
	 * same place in the list as before. The beginning of the list is always right.
	 */
	private isProven(entry: Entry, first: Version): boolean {
		if (entry.isProven) return true;
		entry.isProven = entry.progress.provesSavedCursor(first);
		entry.hasShifted = first.digest !== entry.from?.first;
		return entry.isProven;
	}

	/**
	 * Restarts reading at the beginning of the list. Called if a saved cursor led to a wrong place, or if record
	 * versions were skipped that may not have been processed.
	 */
	private misled({ isSkipping }: Progress): Stop {
		this.candidates = [undefined];
		// Drop the digests of record versions dated exactly at the high-water mark, so that the second reading skips
		// none of these record versions.
		if (isSkipping)
			this.checkpoint = { ...this.checkpoint, seenAtWatermark: '', isSkipping: false };
		return 'elsewhere';
	}

	/**
	 * Restarts reading at the beginning of the list, because the service rejects the saved cursor. Rethrows failures
	 * that do not prove that the cursor is invalid, such as throttling and network errors.
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

	/** Returns the new records of the current page, with the checkpoint to store after them. */
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
	 * Returns the last batch of the poll, with notices for the user. Throws the failure that stopped the poll if there
	 * was no progress before it. Throws `endlessSearch` after several polls without progress.
	 */
	private lastBatch(entry: Entry, stop: Exclude<Stop, 'elsewhere'>): Batch {
		const { stored, notices, found } = this;
		const { from, progress } = entry;
		if (stop instanceof ServiceFailure) {
			const hasProgress = found > 0 || (progress.hasMoved && this.settings.mayContinue);
			// Throw if the list is inconsistent, for example if dates descend, because the next poll might not notice
			// the inconsistency.
			const contradicts = failureClassOf(stop).scope === 'list' && stop.kind !== 'emptyPages';
			if (!hasProgress || contradicts || isCancelled(stop)) throw stop;
			notices.push(stoppedEarly(stop));
		}
		const reachedEnd = stop === 'end';
		if (reachedEnd && stored.starting) notices.push(STARTED);
		if (reachedEnd && this.hasOlder(entry)) notices.push(OLDER);
		// Moving the high-water mark counts as progress only if the poll began with a saved cursor. Polls that all
		// begin at the start of a long list may move it every time and never reach the end.
		const comesNearer = from !== undefined && progress.hasMoved;
		const isGood = reachedEnd || found > 0 || progress.lookback.isNewer;
		const futile = isGood ? 0 : stored.futile + (comesNearer ? 0 : 1);
		if (futile < MAX_FUTILE_POLLS) return this.batch(entry, reachedEnd, futile);
		throw stop instanceof ServiceFailure ? stop : new ServiceFailure('endlessSearch');
	}

	/**
	 * Checks at the end of the list whether records with older dates were added. The list has then grown by more
	 * records than this poll has found.
	 */
	private hasOlder({ from, progress, hasShifted }: Entry): boolean {
		const hasGrown =
			(progress.total ?? 0) > (this.checkpoint.total ?? Infinity) + this.indexes.length;
		// Report growth only with further evidence. An earlier poll may have read a replica of the data that lagged
		// behind and had fewer records.
		const isAnew = from === undefined && this.stored.savedCursors.length > 0;
		return hasGrown && (isAnew || hasShifted || progress.isIncomplete);
	}
}

/**
 * Returns the failure without its cursor. Otherwise the error would advise the user to enter the cursor as Start
 * Cursor, but the trigger and Sync have no such option. Rethrows errors that are not a ServiceFailure.
 */
function withoutPosition(error: unknown): ServiceFailure {
	if (!(error instanceof ServiceFailure)) throw error;
	const { recordsRead } = error.kind === 'incompleteList' ? error.facts : {};
	return error.with({ recordsRead, nextCursor: undefined });
}
