// nodes/changes/: following a list of records while it changes. Pure: no clock, nothing of n8n.

import { ServiceFailure } from '../client/failures';
import type { Page } from '../client/pages';
import { openReading, withoutPlace, type Reading } from './open';
import { Overlap } from './overlap';
import { Place } from './place';
import type { PollNote, PollResult, PollSettings, Reader, StreamSettings } from './poll-types';
import type { State } from './state';

/** How many polls in a row may bring nothing without having come nearer to the end of the list. */
const MOST_FUTILE = 3;

/** With what was read before one of these, the next poll might not notice it. */
const NEVER_PASSED_OVER = ['cancelled', 'incompleteList', 'notAscending', 'tooManyUndated'];

type FollowSettings = StreamSettings & Pick<PollSettings, 'mayContinue'>;

/** Why reading stopped: also since the versions of the floor's date cannot be told apart (`lost`). */
type Stop = 'end' | 'time' | 'noRoom' | 'lost' | ServiceFailure;

/**
 * Reads from the place that is remembered to the end of the list, or as far as it may, and gives the versions that are
 * not dealt with, in stretches. Every stretch comes with the state after it.
 *
 * @throws ServiceFailure when nothing was achieved, and for what must not be passed over; `endlessSearch`
 */
export async function* follow(
	state: State,
	reader: Reader,
	settings: FollowSettings,
): AsyncGenerator<PollResult, void> {
	const overlap = new Overlap(state, settings);
	const reading = await openReading(state, reader, overlap);
	const place = new Place(state, reading.from, reader.field, overlap, settings.mostRemembered);
	const following = new Following(state, reader, settings, reading, place);
	const stop = yield* following.stretches();
	if (stop === 'lost') yield* follow({ ...state, isCut: false }, reader, settings);
	else if (stop !== 'noRoom') yield following.last(stop);
}

class Following {
	private readonly state: State;
	private readonly reader: Reader;
	private readonly settings: FollowSettings;
	private readonly reading: Reading;
	private readonly place: Place;
	/** Of the stretch that is under way. */
	private records: PollResult['records'] = [];
	private notes: PollNote[];
	private room: number;
	private hasGiven = false;

	constructor(
		state: State,
		reader: Reader,
		settings: FollowSettings,
		reading: Reading,
		place: Place,
	) {
		this.state = state;
		this.reader = reader;
		this.settings = settings;
		this.reading = reading;
		this.place = place;
		this.notes = reading.notes;
		this.room = settings.room();
	}

	/** Gives a stretch whenever there is no room for more. */
	async *stretches(): AsyncGenerator<PollResult, Stop> {
		let pagesRead = 0;
		try {
			for await (const page of this.reading.pages) {
				const stop = yield* this.dealWith(page);
				if (stop !== undefined) return stop;
				pagesRead++;
				this.place.close();
				// The list proves its end before it ends itself.
				if (page.nextCursor === undefined) continue;
				if (this.records.length >= this.room && !(yield* this.give())) return 'noRoom';
				const hasCome = pagesRead > 1 || this.records.length > 0;
				if (hasCome && !this.settings.mayContinue(this.records.length)) return 'time';
			}
		} catch (error) {
			const failure = withoutPlace(error);
			if (failure instanceof ServiceFailure) return failure;
			throw failure;
		}
		return this.place.isLostBefore(undefined) ? 'lost' : 'end';
	}

	/** What comes after all others: with the end of the list, when the time is up, or after a failure. */
	last(stop: 'end' | 'time' | ServiceFailure): PollResult {
		const { state, place, notes } = this;
		const isUseful = this.hasGiven || this.records.length > 0;
		if (stop instanceof ServiceFailure) {
			const isAchieved = isUseful || place.hasMoved;
			if (!isAchieved || NEVER_PASSED_OVER.includes(stop.kind)) throw stop;
			notes.push({ kind: 'stoppedEarly', failure: stop });
		}
		if (stop === 'end' && state.starting) notes.push({ kind: 'started' });
		if (stop === 'time' && !isUseful && !place.hasMoved) place.close(true);
		// In a first reading, nothing was known of what may come late.
		if (place.isShortened && state.newest !== null) notes.push({ kind: 'overlapShortened' });
		const result = this.stretch(stop === 'end');
		if (stop === 'end' || isUseful || place.overlap.isNewer) return result;
		// Begun at the beginning again and again, a long list would never come to its end.
		const isOnWay = this.reading.from !== undefined && place.hasMoved;
		const futile = state.futile + (isOnWay ? 0 : 1);
		if (futile < MOST_FUTILE) return { ...result, state: { ...result.state, futile } };
		throw stop instanceof ServiceFailure ? stop : new ServiceFailure('endlessSearch');
	}

	private *dealWith(page: Page): Generator<PollResult, Stop | undefined> {
		const { place } = this;
		const { items } = page.envelope.data;
		const versions = items.map(this.reader.versionOf);
		place.open(page, versions);
		for (const [index, version] of versions.entries()) {
			if (place.isLostBefore(version)) return 'lost';
			if (!this.state.starting && !place.knows(version)) {
				if (this.records.length >= this.room && !(yield* this.give())) return 'noRoom';
				this.records.push(items[index]);
			}
			place.pass(version);
		}
		return undefined;
	}

	/** @returns false where there is no room for another stretch */
	private *give(): Generator<PollResult, boolean> {
		yield this.stretch(false);
		// By now, what was given may have filled it.
		this.room = this.settings.room();
		return this.room > 0;
	}

	/** Ends a stretch; the next one begins. */
	private stretch(reachedEnd: boolean): PollResult {
		const { records, notes, place } = this;
		const state = {
			...place.toState(reachedEnd, this.reading.from === undefined),
			starting: this.state.starting && !reachedEnd,
			limit: this.reader.firstSize(),
			futile: 0,
		};
		this.hasGiven ||= records.length > 0;
		this.records = [];
		this.notes = [];
		return { records, state, notes, reachedEnd, readUpTo: place.readUpTo };
	}
}
