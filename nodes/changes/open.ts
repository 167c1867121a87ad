import { ServiceFailure } from '../client/failures';
import type { Page } from '../client/pages';
import { isBelieved } from './place';
import type { PollNote, Reader } from './poll-types';
import type { Shortcut, State } from './state';

/** A reading of the list that is under way. */
export interface Reading {
	/** Where it began; undefined for the beginning of the list. */
	from: Shortcut | undefined;
	/** All pages from there on. */
	pages: AsyncGenerator<Page, void>;
	/** What a person should know of how it began. */
	notes: PollNote[];
}

/** What a service may answer to a cursor that it does not know; not what it says when it takes no requests at all. */
const ANSWERED: ReadonlyArray<ServiceFailure['kind']> = [
	'status',
	'unsuccessful',
	'redirected',
	'invalidBody',
	'missingItems',
	'missingPagination',
	'notAscending',
	'timeout',
];

/**
 * Begins to read at the last shortcut that leads to the place, or else at the beginning of the list.
 *
 * @throws ServiceFailure
 */
export async function openReading(
	state: State,
	reader: Reader,
	overlapMs: number,
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
		if (isBelieved(state, version, overlapMs)) return { from, pages, notes };
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
		const { done, value } = await rest.next();
		if (done) return { pages: resumed() };
		pages.push(value);
		const [first] = value.envelope.data.items;
		if (first !== undefined) return { pages: resumed(), first };
	}
}

/** @throws what says nothing of the cursor */
function asRefusal(error: unknown): ServiceFailure {
	if (!(error instanceof ServiceFailure)) throw error;
	const { statusCode, gaveUp } = error.facts;
	const isForATime = statusCode === 429 || gaveUp === 'waitTooLong' || gaveUp === 'waitUsed';
	if (isForATime || !ANSWERED.includes(error.kind)) throw error;
	return error;
}
