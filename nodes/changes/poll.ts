import { ServiceFailure } from '../client/failures';
import { openReading, withoutPosition, type PollNote } from './open';
import { Overlap } from './overlap';
import { Bookmark } from './bookmark';
import type { Reader } from './reader';
import type { State } from './state';

/** Everything that decides how changes are read, besides what is remembered and the service. */
export interface ChangesSettings {
	/** How much later than its date a change may be seen for the first time and still be given, in ms. */
	overlapMs: number;
	/** The time by the clock of n8n, in ms. It may differ from that of the service. */
	now: () => number;
	/** The most versions that are remembered one by one; bounds the state. 2,000 where it is undefined. */
	mostRemembered?: number;
	/** Asked before each stretch: the most records that it may give, at first at least 1. Without room, reading ends. */
	room: () => number;
	/**
	 * Asked after each page but the first: false when the time of a poll is used up. Without it, there is no next poll to
	 * count on: a failure before any record is thrown also where the place has moved.
	 */
	mayContinue?: () => boolean;
}

/** What a poll gives, or a stretch of a stream. */
export interface PollResult {
	/** New record versions, in the service's order. */
	records: Array<Record<string, unknown>>;
	/** To be stored together with giving out the records. */
	state: State;
	notes: PollNote[];
	/** True when the list was read to its proven end. */
	reachedEnd: boolean;
	/** The date of the last record that was read, in ms; null where none had a date. */
	readUpTo: number | null;
}

/** How many polls in a row may bring nothing without having come nearer to the end of the list. */
const MOST_FUTILE = 3;
/** With what was read before one of these, the next poll might not notice it. */
const NEVER_PASSED_OVER = ['cancelled', 'incompleteList', 'notAscending', 'tooManyUndated'];

/** One poll: the first stretch of what `readChanges` gives. Throws as that does. */
export async function poll(state: State, reader: Reader, settings: ChangesSettings) {
	return (await readChanges(state, reader, settings).next()).value as PollResult;
}

/** Why reading stopped: also since the versions of the watermark's date cannot be told apart (`lost`). */
type Stop = 'end' | 'time' | 'noRoom' | 'lost' | ServiceFailure;

/**
 * Reads from the place that is remembered to the end of the list, or as far as it may, and gives the versions that are
 * not dealt with, in stretches: one whenever there is no room for more, and the rest. Each comes with the state after it;
 * once that is dealt with, this run or any other may continue from there. After a failure, what was given before stays
 * good: the last stretch then has a note of it (`stoppedEarly`).
 *
 * @throws ServiceFailure when nothing was achieved (reading again from the same state is right then), and for what must
 * not be passed over; `endlessSearch`
 */
export async function* readChanges(
	state: State,
	reader: Reader,
	settings: ChangesSettings,
): AsyncGenerator<PollResult, void> {
	const overlap = new Overlap(state, settings.now, settings.overlapMs);
	const { from, pages, notes } = await openReading(state, reader);
	const bookmark = new Bookmark(state, from, overlap, settings.mostRemembered);
	/** Of the stretch that is under way. */
	let records: PollResult['records'] = [];
	let room = settings.room();
	let hasGiven = false;

	/** Ends a stretch; the next one begins. */
	function endStretch(reachedEnd = false, futile = 0): PollResult {
		const given = records;
		const starting = state.starting && !reachedEnd;
		const known = bookmark.toState(reachedEnd, from === undefined);
		records = [];
		return {
			records: given,
			state: { ...known, starting, limit: reader.firstSize(), futile },
			notes: notes.splice(0),
			reachedEnd,
			readUpTo: bookmark.readUpTo,
		};
	}

	/** @returns false where there is no room for another stretch; by now, what was given may have filled it */
	function* makeRoom(): Generator<PollResult, boolean> {
		if (records.length < room) return true;
		yield endStretch();
		hasGiven = true;
		room = settings.room();
		return room > 0;
	}

	async function* read(): AsyncGenerator<PollResult, Stop> {
		let pagesRead = 0;
		for await (const page of pages) {
			const { items } = page.envelope.data;
			const versions = items.map((record) => reader.originOf(record).version);
			bookmark.open(page, versions);
			for (const [index, version] of versions.entries()) {
				if (bookmark.isLostBefore(version)) return 'lost';
				if (!state.starting && !bookmark.knows(version)) {
					if (!(yield* makeRoom())) return 'noRoom';
					records.push(items[index]);
				}
				bookmark.pass(version, reader.field);
			}
			pagesRead++;
			bookmark.close();
			// The list proves its end before it ends itself.
			if (page.isLast) continue;
			if (!(yield* makeRoom())) return 'noRoom';
			const hasCome = pagesRead > 1 || records.length > 0;
			if (hasCome && settings.mayContinue?.() === false) return 'time';
		}
		return bookmark.isLostBefore(undefined) ? 'lost' : 'end';
	}

	let stop: Stop;
	try {
		stop = yield* read();
	} catch (error) {
		stop = withoutPosition(error);
	}
	if (stop === 'lost') {
		const again = { ...state, seenAtWatermark: '', isSkipping: false, savedCursors: [] };
		yield* readChanges(again, reader, settings);
	}
	if (stop === 'lost' || stop === 'noRoom') return;
	const isUseful = hasGiven || records.length > 0;
	if (stop instanceof ServiceFailure) {
		const isAchieved = isUseful || (bookmark.hasMoved && settings.mayContinue !== undefined);
		if (!isAchieved || NEVER_PASSED_OVER.includes(stop.kind)) throw stop;
		notes.push({ kind: 'stoppedEarly', failure: stop });
	}
	if (stop === 'end' && state.starting) notes.push({ kind: 'started' });
	if (stop === 'time' && !isUseful && !bookmark.hasMoved) bookmark.close(true);
	// In a first reading, nothing was known of what may come late.
	if (bookmark.isShortened && state.newest !== null) notes.push({ kind: 'overlapShortened' });
	// Begun at the beginning again and again, a long list would never come to its end.
	const isOnWay = from !== undefined && bookmark.hasMoved;
	const isGood = stop === 'end' || isUseful || overlap.isNewer;
	const futile = isGood ? 0 : state.futile + (isOnWay ? 0 : 1);
	if (futile < MOST_FUTILE) yield endStretch(stop === 'end', futile);
	else throw stop instanceof ServiceFailure ? stop : new ServiceFailure('endlessSearch');
}
