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
		await pages.return();
	}
	if (state.shortcuts.length > 0 && notes.length === 0) notes.push({ kind: 'cursorMoved' });
	const { pages } = await openPages(reader, undefined);
	return { from: undefined, pages, notes };
}

interface OpenedPages {
	pages: AsyncGenerator<Page, void>;
	/** The first record; undefined where none came. */
	first: Record<string, unknown> | undefined;
}

/** Reads up to the first record. */
async function openPages(reader: Reader, from: Shortcut | undefined): Promise<OpenedPages> {
	const rest = reader.pages(from);
	const pages: Page[] = [];
	for (;;) {
		const next = await rest.next();
		if (next.done) break;
		pages.push(next.value);
		if (next.value.envelope.data.items.length > 0) break;
	}
	return { pages: chain(pages, rest), first: pages.at(-1)?.envelope.data.items[0] };
}

async function* chain(pages: Page[], rest: AsyncGenerator<Page, void>): AsyncGenerator<Page, void> {
	try {
		yield* pages;
		yield* rest;
	} finally {
		await rest.return();
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
