// nodes/shared/changes/: following a list of records while it changes. Nothing of n8n; its clock is given.

import { isCancelled, ServiceFailure } from '../client/failures';
import { failureClassOf, isUnprocessed } from '../client/failure-classes';
import type { Page } from '../lists/page';
import type { Version } from '../lists/record-identity';
import { Progress } from './progress';
import type { ChangesReader } from './reader';
import type { ChangesSettings, SavedCursor, Checkpoint } from './checkpoint';
import { cursorRefused, OLDER, STARTED, stoppedEarly, type Notice } from './notices';

/** The new records of one page, or of a part of it. The last portion may have none. */
export interface Batch {
	records: Array<Record<string, unknown>>;
	/** Page that the records are on, and their positions on it, from 0. */
	page?: Page;
	indexes: number[];
	/** State to store once the records have been returned. */
	checkpoint: Checkpoint;
	notices: Notice[];
	reachedEnd: boolean;
}

/** Maximum number of consecutive polls that return no record and come no nearer to the end of the list. */
const MAX_FUTILE_POLLS = 3;

/** Reads all portions of one poll, and joins them. Throws as `readChanges` does. */
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
 * Returns the records that were not processed before, page by page, each portion with the state after it. Stops at the end of
 * the list or as soon as the settings say. A failure after some progress becomes a note of the last portion (`stoppedEarly`).
 * @throws ServiceFailure if there was no progress, or if the failure must not be passed over; `endlessSearch`
 */
export function readChanges(
	checkpoint: Checkpoint,
	reader: ChangesReader,
	settings: ChangesSettings,
) {
	return new Reading(checkpoint, reader, settings).batches();
}

/** Why a reading stopped. `paused`: a later reading continues. `elsewhere`: it goes on from another one of `places`. */
type Stop = 'end' | 'paused' | 'elsewhere' | ServiceFailure;

/** A place where a reading enters the list. */
interface Entry {
	/** Undefined for the beginning of the list. */
	from: SavedCursor | undefined;
	progress: Progress;
	/** Whether the saved cursor is known to lead to the same position as before. */
	isProven: boolean;
	/** Whether the saved cursor leads to another record than before, which was processed as well. */
	hasShifted: boolean;
}

class Reading {
	private readonly stored: Checkpoint;
	private readonly reader: ChangesReader;
	private readonly settings: ChangesSettings;
	/** Places still to try: the last one first, then those before it, then the beginning of the list (undefined). */
	private candidates: Array<SavedCursor | undefined>;
	/** State after the returned portions. */
	private checkpoint: Checkpoint;
	/** Number of records in the returned portions. */
	private returned = 0;
	private notices: Notice[] = [];
	/** Page under way, and the positions of its new records that are not returned yet. */
	private page: Page | undefined;
	private indexes: number[] = [];

	constructor(checkpoint: Checkpoint, reader: ChangesReader, settings: ChangesSettings) {
		this.stored = this.checkpoint = checkpoint;
		this.reader = reader;
		this.settings = settings;
		this.candidates = [undefined, ...checkpoint.savedCursors];
	}

	/** Tries one place after another until a place is proven, and reads on from there. */
	async *batches(): AsyncGenerator<Batch, void> {
		let stop: Stop;
		do {
			const from = this.candidates.pop();
			this.indexes = [];
			// Created before the first request, so that every page shows what exists at this time.
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

	/** Reads page by page and record by record, until something stops it. */
	private async *read(entry: Entry): AsyncGenerator<Batch, Stop> {
		const { progress } = entry;
		const { maxRecords, maxPerBatch = Infinity, mayContinue } = this.settings;
		for await (const { versions: listed, ...page } of this.reader.pages(entry.from)) {
			const versions = listed.map((version) => progress.lookback.withoutFutureDate(version));
			if (versions.length > 0 && !this.isProven(entry, versions[0])) return 'elsewhere';
			[this.page, this.indexes] = [page, []];
			progress.beginPage({ ...page, versions });
			for (const [index, version] of versions.entries()) {
				if (progress.hasLostSkippedVersions(version)) return this.misled(progress);
				if (!isPassedOver(version, this.stored) && !progress.isProcessed(version)) {
					if (this.found >= maxRecords) return 'paused';
					if (this.indexes.length >= maxPerBatch) yield this.batch(entry);
					this.indexes.push(index);
				}
				progress.process(version, this.reader.field);
			}
			progress.endPage();
			// The pages that follow may still prove the saved cursor, or the end of the list.
			if (page.isLast || !entry.isProven) continue;
			if (this.indexes.length > 0) yield this.batch(entry);
			if (this.found > 0 && this.found >= maxRecords) return 'paused';
			const hasProgress = page.number > 1 || this.found > 0;
			if (!hasProgress || mayContinue?.() !== false) continue;
			if (this.found === 0 && !progress.hasMoved) progress.moveToLastPage();
			return 'paused';
		}
		if (!entry.isProven) return 'elsewhere';
		// A saved cursor may show the list as it was earlier: then nothing new comes, and fewer records than the list has.
		const mayHide = entry.from !== undefined && this.found === 0 && progress.isIncomplete;
		return mayHide || progress.hasLostSkippedVersions() ? this.misled(progress) : 'end';
	}

	/** Number of new records so far. */
	private get found(): number {
		return this.returned + this.indexes.length;
	}

	/** Checks whether the place is proven, if need be by the first record that came from there. */
	private isProven(entry: Entry, first: Version): boolean {
		if (entry.isProven) return true;
		entry.isProven = entry.progress.provesSavedCursor(first);
		entry.hasShifted = first.digest !== entry.from?.first;
		return entry.isProven;
	}

	/** Goes on from the beginning of the list, because a saved cursor or skipped versions have misled the reading. */
	private misled({ isSkipping }: Progress): Stop {
		this.candidates = [undefined];
		// Without these versions, the next reading skips none.
		if (isSkipping)
			this.checkpoint = { ...this.checkpoint, seenAtWatermark: '', isSkipping: false };
		return 'elsewhere';
	}

	/**
	 * Goes on from the beginning of the list, because the service rejects the saved cursor. Rethrows failures that do not
	 * prove that the cursor is invalid, such as throttling and network errors.
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

	/** Returns the new records of the page under way, with the state after them. */
	private batch({ from, progress }: Entry, reachedEnd = false, futile = 0): Batch {
		const { page, indexes, notices } = this;
		const { starting, total } = this.checkpoint;
		const counted = total === null ? null : total + indexes.length;
		this.checkpoint = {
			...progress.toCheckpoint(reachedEnd, from === undefined),
			starting: starting && !reachedEnd,
			futile,
			total: reachedEnd ? (progress.total ?? null) : counted,
		};
		this.returned += indexes.length;
		[this.indexes, this.notices] = [[], []];
		const records = indexes.map((index) => page?.envelope.data.items[index] ?? {});
		return { records, page, indexes, checkpoint: this.checkpoint, notices, reachedEnd };
	}

	/** Returns the last portion, with a note of why it is the last. Throws the failure if there was no progress. */
	private lastBatch(entry: Entry, stop: Exclude<Stop, 'elsewhere'>): Batch {
		const { stored, notices, found } = this;
		const { from, progress } = entry;
		if (stop instanceof ServiceFailure) {
			const hasProgress = found > 0 || (progress.hasMoved && this.settings.mayContinue);
			// The next reading might not see again that a list contradicts itself.
			const contradicts = failureClassOf(stop).scope === 'list' && stop.kind !== 'emptyPages';
			if (!hasProgress || contradicts || isCancelled(stop)) throw stop;
			notices.push(stoppedEarly(stop));
		}
		const reachedEnd = stop === 'end';
		if (reachedEnd && stored.starting) notices.push(STARTED);
		if (reachedEnd && this.hasOlder(entry)) notices.push(OLDER);
		// Moving counts only from a saved cursor: otherwise a long list could be begun again for ever.
		const comesNearer = from !== undefined && progress.hasMoved;
		const isGood = reachedEnd || found > 0 || progress.lookback.isNewer;
		const futile = isGood ? 0 : stored.futile + (comesNearer ? 0 : 1);
		if (futile < MAX_FUTILE_POLLS) return this.batch(entry, reachedEnd, futile);
		throw stop instanceof ServiceFailure ? stop : new ServiceFailure('endlessSearch');
	}

	/** Checks at the end of the list whether it has grown by more records than were found. */
	private hasOlder({ from, progress, hasShifted }: Entry): boolean {
		const hasGrown =
			(progress.total ?? 0) > (this.checkpoint.total ?? Infinity) + this.indexes.length;
		// Otherwise a copy of the data that lagged behind may have shown fewer records before.
		const isAnew = from === undefined && this.stored.savedCursors.length > 0;
		return hasGrown && (isAnew || hasShifted || progress.isIncomplete);
	}
}

/**
 * Checks whether Start From: Now passes over a version, because it is not later than the start. If a date has no fraction of
 * a second, its record may be up to 999 ms younger.
 */
function isPassedOver({ time }: Version, { starting, startedAt }: Checkpoint): boolean {
	return starting && (time === null || time + (time % 1_000 === 0 ? 999 : 0) <= startedAt);
}

/** Returns the failure without its cursor, which a user could take for advice to continue there. Rethrows other errors. */
function withoutPosition(error: unknown): ServiceFailure {
	if (!(error instanceof ServiceFailure)) throw error;
	const { recordsRead } = error.kind === 'incompleteList' ? error.facts : {};
	return error.with({ recordsRead, nextCursor: undefined });
}
