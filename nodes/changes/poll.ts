// nodes/changes/: following a list of records while it changes. Nothing of n8n; its clock is given.

import { isCancelled, ServiceFailure } from '../client/failures';
import { failureClassOf } from '../client/failure-classes';
import type { Version } from '../lists/version';
import { Bookmark } from './bookmark';
import type { ChangesReader, VersionedPage } from './reader';
import type { ChangesSettings, SavedCursor, State } from './state';
import { cursorRefused, OLDER, STARTED, stoppedEarly, type Note } from './notes';

/** What a poll gives, or a portion of a stream. */
export interface Portion {
	records: Array<Record<string, unknown>>;
	/** The same as they were sent: the text of each page, and which of its records they are, from 0. */
	asSent: Array<{ text: string; indexes: number[] }>;
	/** To be stored once the records are given out. */
	state: State;
	notes: Note[];
	reachedEnd: boolean;
}

/** How many polls in a row may bring nothing without having come nearer to the end of the list. */
const MAX_FUTILE = 3;

/** One poll: the first portion of what `readChanges` gives. Throws as that does. */
export async function poll(state: State, reader: ChangesReader, settings: ChangesSettings) {
	return (await readChanges(state, reader, settings).next()).value as Portion;
}

/**
 * Gives what is not handled, to the end of the list or as far as it may, in portions that `room` allows, each
 * with the state after it. A failure after something was achieved becomes a note of the last portion (`stoppedEarly`).
 * @throws ServiceFailure when nothing was achieved, and for what must not be passed over; `endlessSearch`
 */
export async function* readChanges(
	state: State,
	reader: ChangesReader,
	settings: ChangesSettings,
): AsyncGenerator<Portion, void> {
	const notes: Note[] = [];
	let known = state;
	// The last one first, and then the beginning of the list.
	let places: Array<SavedCursor | undefined> = [undefined, ...state.savedCursors];
	for (;;) {
		const from = places.pop();
		// Made before the first request, so that each of them sees what is there by now.
		const bookmark = new Bookmark(known, from, settings);
		const reading = new OneReading({ from, notes, state: known, reader, settings, bookmark });
		const stop = yield* reading.portions();
		if (stop === 'elsewhere') continue;
		if (stop !== 'refused' && stop !== 'misled') return;
		places = [undefined];
		// Less is remembered that could mislead again.
		if (stop === 'misled' && bookmark.isSkipping)
			known = { ...known, seenAtWatermark: '', isSkipping: false };
	}
}

/** Why reading ended; `refused`, `elsewhere`: the saved cursor; `misled`: the list has to be read from its beginning. */
type Stop = 'end' | 'time' | 'noRoom' | 'refused' | 'elsewhere' | 'misled' | ServiceFailure;

interface ReadingParts {
	/** Undefined for the beginning of the list. */
	from: SavedCursor | undefined;
	notes: Note[];
	state: State;
	reader: ChangesReader;
	settings: ChangesSettings;
	bookmark: Bookmark;
}

/** The way from one saved cursor, or from the beginning: where that leads elsewhere, another one follows. */
class OneReading {
	private readonly reading: ReadingParts;
	private records: Portion['records'] = [];
	private asSent: Portion['asSent'] = [];
	private room: number;
	/** How many were given, those of the portion under way left out. */
	private given = 0;
	/** It is known that the saved cursor still leads to where it did. */
	private isBelieved: boolean;
	/** It led to another record, which is handled as well. */
	private hasShifted = false;

	constructor(reading: ReadingParts) {
		this.reading = reading;
		this.isBelieved = reading.from === undefined;
		this.room = reading.settings.room();
	}

	/** What is read, in portions, the last one with what stopped it. */
	async *portions(): AsyncGenerator<Portion, Stop> {
		let stop: Stop;
		try {
			stop = yield* this.read();
		} catch (error) {
			stop = this.isBelieved ? withoutPosition(error) : this.refusedBy(error);
		}
		if (stop === 'end' || stop === 'time' || typeof stop !== 'string') yield this.lastPortion(stop);
		return stop;
	}

	/** Page by page, until something stops it. */
	private async *read(): AsyncGenerator<Portion, Stop> {
		const { reader, settings, bookmark, from } = this.reading;
		for await (const { versions, ...rest } of reader.pages(from)) {
			const page = { ...rest, versions: versions.map((one) => bookmark.lookback.place(one)) };
			const [first] = page.versions;
			if (first !== undefined && !this.isBelieved) {
				if (!bookmark.isWhereItWas(first)) return 'elsewhere';
				this.isBelieved = true;
				this.hasShifted = first.digest !== from?.first;
			}
			const stop = yield* this.readPage(page);
			if (stop !== undefined) return stop;
			const hasCome = page.number > 1 || this.records.length > 0;
			// The list proves its end before it ends itself.
			if (page.isLast || !this.isBelieved) continue;
			if (this.records.length > 0 && !(yield* this.makeRoom())) return 'noRoom';
			if (hasCome && settings.mayContinue?.() === false) return 'time';
		}
		if (!this.isBelieved) return 'elsewhere';
		// A saved cursor may show the list as it was once: then nothing new comes, and less than the list has.
		const mayHide = from !== undefined && this.came === 0;
		const isMisled = bookmark.hasLostTrack() || (mayHide && bookmark.isIncomplete);
		return isMisled ? 'misled' : 'end';
	}

	/** Throws what says nothing of the cursor. */
	private refusedBy(error: unknown): Stop {
		const failure = withoutPosition(error);
		const { gaveUp = '' } = failure.facts;
		const { helps, about } = failureClassOf(failure);
		const isForATime = helps === 'wait' || ['waitTooLong', 'waitUsed'].includes(gaveUp);
		if (isForATime || about === 'network' || about === 'run') throw failure;
		this.reading.notes.push(cursorRefused(failure));
		return 'refused';
	}

	/** How many were given. */
	private get came(): number {
		return this.given + this.records.length;
	}

	private *readPage(page: VersionedPage): Generator<Portion, Stop | undefined> {
		const { bookmark, state, reader } = this.reading;
		bookmark.open(page);
		for (const [index, version] of page.versions.entries()) {
			if (bookmark.hasLostTrack(version)) return 'misled';
			if (!isPassedOver(version, state) && !bookmark.knows(version)) {
				if (!(yield* this.makeRoom())) return 'noRoom';
				this.take(page, index);
			}
			bookmark.pass(version, reader.field);
		}
		bookmark.close();
		return undefined;
	}

	private take({ envelope, text }: VersionedPage, index: number): void {
		this.records.push(envelope.data.items[index]);
		if (this.asSent.at(-1)?.text !== text) this.asSent.push({ text, indexes: [] });
		this.asSent.at(-1)?.indexes.push(index);
	}

	/** False where there is no room for another portion. */
	private *makeRoom(): Generator<Portion, boolean> {
		if (this.records.length < this.room) return true;
		yield this.endPortion(false, 0);
		this.room = this.reading.settings.room();
		return this.room > 0;
	}

	private endPortion(reachedEnd: boolean, futile: number): Portion {
		const { records, asSent } = this;
		const { state, bookmark, from, notes } = this.reading;
		const known = bookmark.toState(reachedEnd, from === undefined);
		const starting = state.starting && !reachedEnd;
		this.given += records.length;
		const soFar = state.total === null ? null : state.total + this.given;
		const total = reachedEnd ? (bookmark.total ?? null) : soFar;
		const next = { ...known, starting, futile, total };
		[this.records, this.asSent] = [[], []];
		return { records, asSent, state: next, notes: notes.splice(0), reachedEnd };
	}

	private lastPortion(stop: 'end' | 'time' | ServiceFailure): Portion {
		const { state, settings, bookmark, from, notes } = this.reading;
		const isUseful = this.came > 0;
		if (stop instanceof ServiceFailure) {
			const isAchieved = isUseful || (bookmark.hasMoved && settings.mayContinue !== undefined);
			// Of a list that contradicts itself, the next poll might not see that again.
			const contradicts = failureClassOf(stop).about === 'list' && stop.kind !== 'emptyPages';
			if (!isAchieved || contradicts || isCancelled(stop)) throw stop;
			notes.push(stoppedEarly(stop));
		}
		if (stop === 'end' && state.starting) notes.push(STARTED);
		const hasGrown = (bookmark.total ?? 0) > (state.total ?? Infinity) + this.came;
		// Otherwise less may have been there before: in a copy of the data that lagged behind.
		const isAnew = from === undefined && state.savedCursors.length > 0;
		const isSure = isAnew || this.hasShifted || bookmark.isIncomplete;
		if (stop === 'end' && hasGrown && isSure) notes.push(OLDER);
		if (stop === 'time' && !isUseful && !bookmark.hasMoved) bookmark.close(true);
		// Moving counts only from a saved cursor: otherwise a long list could start over for ever.
		const isOnWay = from !== undefined && bookmark.hasMoved;
		const isGood = stop === 'end' || isUseful || bookmark.lookback.isNewer;
		const futile = isGood ? 0 : state.futile + (isOnWay ? 0 : 1);
		if (futile < MAX_FUTILE) return this.endPortion(stop === 'end', futile);
		throw stop instanceof ServiceFailure ? stop : new ServiceFailure('endlessSearch');
	}
}

/** Start from now passes over what was there. A date may be written in whole seconds: then its record may be younger. */
function isPassedOver({ time }: Version, { starting, startedAt }: State): boolean {
	return starting && (time === null || time + (time % 1_000 === 0 ? 999 : 0) <= startedAt);
}

/** With its position, an error would read as advice to continue there by hand. Throws what is no failure of the service. */
function withoutPosition(error: unknown): ServiceFailure {
	if (!(error instanceof ServiceFailure)) throw error;
	const { recordsRead } = error.kind === 'incompleteList' ? error.facts : {};
	return error.with({ recordsRead, nextCursor: undefined });
}
