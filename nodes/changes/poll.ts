import { isCancelled, ServiceFailure } from '../client/failures';
import { meaningOf } from '../client/meaning';
import { Bookmark } from './bookmark';
import { beginReading, withoutPosition, type Beginning } from './open';
import { Overlap } from './overlap';
import type { ChangesReader, VersionedPage } from './reader';
import type { State } from './state';
import { STARTED, stoppedEarly, type Told } from './told';

/** How changes are read. */
export interface ChangesSettings {
	/** How much later than its date a change may be seen for the first time and still be given, in ms. */
	overlapMs: number;
	/** The time by the clock of n8n, in ms since 1970. */
	now: () => number;
	/** Bounds the state; 2,000 versions where it is undefined. */
	mostRemembered?: number;
	/** How many records the next portion may give; at first at least 1. With 0, reading ends. */
	room: () => number;
	/** Asked after a page: false when the time of a poll is used up. Without it, no next poll continues by itself. */
	mayContinue?: () => boolean;
}

/** What a poll gives, or a portion of a stream. */
export interface PollResult {
	records: Array<Record<string, unknown>>;
	/** The same as they were sent: the text of each page, and which of its records they are, from 0. */
	asSent: Array<{ text: string; indexes: number[] }>;
	/** To be stored once the records are given out. */
	state: State;
	notes: Told[];
	reachedEnd: boolean;
}

/** How many polls in a row may bring nothing without having come nearer to the end of the list. */
const MOST_FUTILE = 3;

/** One poll: the first portion of what `readChanges` gives. Throws as that does. */
export async function poll(state: State, reader: ChangesReader, settings: ChangesSettings) {
	return (await readChanges(state, reader, settings).next()).value as PollResult;
}

/**
 * Gives what is not dealt with, to the end of the list or as far as it may, in portions that `room` allows, each
 * with the state after it. A failure after something was achieved becomes a note of the last portion (`stoppedEarly`).
 * @throws ServiceFailure when nothing was achieved, and for what must not be passed over; `endlessSearch`
 */
export async function* readChanges(
	state: State,
	reader: ChangesReader,
	settings: ChangesSettings,
): AsyncGenerator<PollResult, void> {
	let known = state;
	// Each time, less is remembered that could mislead again.
	for (;;) {
		// Made before the first request, so that each of them sees what is there by now.
		const overlap = new Overlap(known, settings.now, settings.overlapMs);
		const opened = await beginReading(known, reader);
		const bookmark = new Bookmark(known, opened.from, overlap, settings.mostRemembered);
		const reading = new OneReading({ ...opened, state: known, reader, settings, bookmark });
		if ((yield* reading.portions()) !== 'misled') return;
		known = { ...known, savedCursors: [] };
		if (bookmark.isSkipping) known = { ...known, seenAtWatermark: '', isSkipping: false };
	}
}

/** Why reading ended; `misled`: what is remembered does not lead on, so the list has to be read from its beginning. */
type Stop = 'end' | 'time' | 'noRoom' | 'misled' | ServiceFailure;

interface ReadingParts extends Beginning {
	state: State;
	reader: ChangesReader;
	settings: ChangesSettings;
	bookmark: Bookmark;
}

/** One reading of the list, with the portion that is under way. */
class OneReading {
	private readonly reading: ReadingParts;
	private records: PollResult['records'] = [];
	private asSent: PollResult['asSent'] = [];
	private room: number;
	private hasGiven = false;

	constructor(reading: ReadingParts) {
		this.reading = reading;
		this.room = reading.settings.room();
	}

	async *portions(): AsyncGenerator<PollResult, Stop> {
		let stop: Stop;
		try {
			stop = yield* this.read();
		} catch (error) {
			stop = withoutPosition(error);
		}
		if (stop !== 'misled' && stop !== 'noRoom') yield this.lastPortion(stop);
		return stop;
	}

	private async *read(): AsyncGenerator<PollResult, Stop> {
		const { pages, settings, bookmark, from } = this.reading;
		let isFirst = true;
		for await (const page of pages) {
			const stop = yield* this.readPage(page);
			if (stop !== undefined) return stop;
			const hasCome = !isFirst || this.records.length > 0;
			isFirst = false;
			// The list proves its end before it ends itself.
			if (page.isLast) continue;
			if (!(yield* this.makeRoom())) return 'noRoom';
			if (hasCome && settings.mayContinue?.() === false) return 'time';
		}
		// A saved cursor may show the list as it was once: then nothing new comes, and less than the list has.
		const mayHide = from !== undefined && !this.isUseful && !this.reading.state.starting;
		const isMisled = bookmark.hasLostTrack() || (mayHide && bookmark.isIncomplete);
		return isMisled ? 'misled' : 'end';
	}

	/** Whether anything was given. */
	private get isUseful(): boolean {
		return this.hasGiven || this.records.length > 0;
	}

	private *readPage(page: VersionedPage): Generator<PollResult, Stop | undefined> {
		const { bookmark, state, reader } = this.reading;
		bookmark.open(page);
		for (const [index, version] of page.versions.entries()) {
			if (bookmark.hasLostTrack(version)) return 'misled';
			if (!state.starting && !bookmark.knows(version)) {
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
	private *makeRoom(): Generator<PollResult, boolean> {
		if (this.records.length < this.room) return true;
		yield this.endPortion(false, 0);
		this.hasGiven = true;
		this.room = this.reading.settings.room();
		return this.room > 0;
	}

	private endPortion(reachedEnd: boolean, futile: number): PollResult {
		const { records, asSent } = this;
		const { state, bookmark, from, notes } = this.reading;
		const known = bookmark.toState(reachedEnd, from === undefined);
		const starting = state.starting && !reachedEnd;
		[this.records, this.asSent] = [[], []];
		return {
			records,
			asSent,
			state: { ...known, starting, futile },
			notes: notes.splice(0),
			reachedEnd,
		};
	}

	private lastPortion(stop: 'end' | 'time' | ServiceFailure): PollResult {
		const { state, settings, bookmark, from, notes } = this.reading;
		const { isUseful } = this;
		if (stop instanceof ServiceFailure) {
			const isAchieved = isUseful || (bookmark.hasMoved && settings.mayContinue !== undefined);
			// Of a list that contradicts itself, the next poll might not see that again.
			const contradicts = meaningOf(stop).about === 'list' && stop.kind !== 'emptyPages';
			if (!isAchieved || contradicts || isCancelled(stop)) throw stop;
			notes.push(stoppedEarly(stop));
		}
		if (stop === 'end' && state.starting) notes.push(STARTED);
		if (stop === 'time' && !isUseful && !bookmark.hasMoved) bookmark.close(true);
		// Moving counts only from a saved cursor: otherwise a long list could start over for ever.
		const isOnWay = from !== undefined && bookmark.hasMoved;
		const isGood = stop === 'end' || isUseful || bookmark.overlap.isNewer;
		const futile = isGood ? 0 : state.futile + (isOnWay ? 0 : 1);
		if (futile < MOST_FUTILE) return this.endPortion(stop === 'end', futile);
		throw stop instanceof ServiceFailure ? stop : new ServiceFailure('endlessSearch');
	}
}
