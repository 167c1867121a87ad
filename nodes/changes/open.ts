import { ServiceFailure } from '../client/failures';
import type { Page } from '../client/pages';
import { unpack } from '../common/digests';
import type { Overlap } from './overlap';
import type { PollNote, Reader } from './poll-types';
import type { Shortcut, State } from './state';
import type { Version } from '../common/version';

/** A reading of the list that is under way. */
export interface Reading {
	/** Where it began; undefined for the beginning of the list. */
	from: Shortcut | undefined;
	/** All pages from there on. */
	pages: AsyncGenerator<Page, void>;
	/** What a person should know of how it began. */
	notes: PollNote[];
}

/** Failures that say nothing of a cursor. */
const OF_NO_CURSOR = ['cancelled', 'blocked', 'notSent', 'insecure', 'connectionLost'];

/**
 * Begins to read at the last shortcut that leads to the place, or else at the beginning of the list.
 *
 * @throws ServiceFailure
 */
export async function openReading(
	state: State,
	reader: Reader,
	overlap: Overlap,
): Promise<Reading> {
	const notes: PollNote[] = [];
	for (const from of state.shortcuts.toReversed()) {
		const opened = await openPages(reader, from).catch(asRefusal);
		if (opened instanceof ServiceFailure) {
			notes.push({ kind: 'cursorRefused', failure: opened });
			break;
		}
		const { pages, first } = opened;
		const version = first && reader.versionOf(first);
		if (isBelieved(state, from, overlap, version)) return { from, pages, notes };
	}
	if (state.shortcuts.length > 0 && notes.length === 0) notes.push({ kind: 'cursorMoved' });
	const { pages } = await openPages(reader, undefined);
	return { from: undefined, pages, notes };
}

/** Reads up to the first record. */
async function openPages(
	reader: Reader,
	from: Shortcut | undefined,
): Promise<{ pages: AsyncGenerator<Page, void>; first?: Record<string, unknown> }> {
	const rest = reader.pages(from);
	const pages: Page[] = [];
	const resumed = async function* (): AsyncGenerator<Page, void> {
		yield* pages;
		yield* rest;
	};
	for (;;) {
		const { done, value } = await rest.next().catch((error: unknown) => {
			throw withoutPlace(error);
		});
		if (done) return { pages: resumed() };
		pages.push(value);
		const [first] = value.envelope.data.items;
		if (first !== undefined) return { pages: resumed(), first };
	}
}

/** Whether a shortcut leads to the place: nothing that is not dealt with can come before the first record after it. */
function isBelieved(state: State, from: Shortcut, overlap: Overlap, first?: Version): boolean {
	// New records come before those without a date, or after them: they show no place.
	if (first === undefined || first.time === null) return false;
	const { digest, time } = first;
	if (state.floor !== null && time < state.floor) return true;
	if (unpack(state.behind).includes(digest) || from.first === digest) return true;
	// Something late may have come between this one and those before it.
	return time < overlap.settledBefore && unpack(state.seen).includes(digest);
}

/** @throws what says nothing of the cursor */
function asRefusal(error: unknown): ServiceFailure {
	if (!(error instanceof ServiceFailure)) throw error;
	const { statusCode, gaveUp } = error.facts;
	const isForATime = statusCode === 429 || gaveUp === 'waitTooLong' || gaveUp === 'waitUsed';
	if (isForATime || OF_NO_CURSOR.includes(error.kind)) throw error;
	return error;
}

/** A failure's place in the list would be an advice to continue by hand, which the next poll does by itself. */
export function withoutPlace(error: unknown): unknown {
	if (!(error instanceof ServiceFailure)) return error;
	const { recordsRead } = error.kind === 'incompleteList' ? error.facts : {};
	return error.with({ page: undefined, recordsRead, nextCursor: undefined });
}
