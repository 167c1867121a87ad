// nodes/changes/: following a list of records while it changes. Pure: no clock, nothing of n8n.

import { ServiceFailure } from '../client/failures';
import { isRateLimit } from '../client/rate-limit';
import type { Page } from '../lists/page';
import { unpack } from '../common/digests';
import type { Version } from '../common/version';
import type { Reader } from './reader';
import type { Shortcut, State } from './state';

/** What a person should know about a poll; `tellNote` has the words. */
export interface PollNote {
	kind: 'cursorRefused' | 'cursorMoved' | 'stoppedEarly' | 'started' | 'overlapShortened';
	/** What refused the cursor, or stopped the poll. */
	failure?: ServiceFailure;
}

/** Failures that say nothing of a cursor. */
const OF_NO_CURSOR = ['cancelled', 'blocked', 'notSent', 'insecure', 'connectionLost', 'noTurn'];

/**
 * Begins to read at the last shortcut that leads to the place, or else (`from` is undefined) at the beginning of the
 * list. The notes say what a person should know of that.
 *
 * @throws ServiceFailure
 */
export async function openReading(
	state: State,
	reader: Reader,
): Promise<{ from?: Shortcut; pages: AsyncGenerator<Page, void>; notes: PollNote[] }> {
	const notes: PollNote[] = [];
	for (const from of state.shortcuts.toReversed()) {
		const rest = reader.pages(from);
		const read = await readToFirstRecord(rest).catch(asRefusal);
		if (read instanceof ServiceFailure) {
			notes.push({ kind: 'cursorRefused', failure: read });
			break;
		}
		const first = read.at(-1)?.envelope.data.items[0];
		if (first !== undefined && isBelieved(state, from, reader.originOf(first).version))
			return { from, pages: resume(read, rest), notes };
	}
	if (state.shortcuts.length > 0 && notes.length === 0) notes.push({ kind: 'cursorMoved' });
	return { pages: reader.pages(undefined), notes };
}

async function readToFirstRecord(pages: AsyncGenerator<Page, void>): Promise<Page[]> {
	const read: Page[] = [];
	while (!read.at(-1)?.envelope.data.items.length) {
		const { done, value } = await pages.next();
		if (done) break;
		read.push(value);
	}
	return read;
}

async function* resume(read: Page[], rest: AsyncGenerator<Page, void>): AsyncGenerator<Page, void> {
	yield* read;
	yield* rest;
}

/**
 * Whether a shortcut leads to the place: its first record is older than the floor, or one of those remembered at or
 * before it. A later one that is remembered shows nothing: what came late may stand before it.
 */
function isBelieved({ floor, behind }: State, from: Shortcut, { digest, time }: Version): boolean {
	// New records come before those without a date, or after them: they show no place.
	if (time === null) return false;
	return time < (floor ?? -Infinity) || from.first === digest || unpack(behind).includes(digest);
}

/** @throws what says nothing of the cursor */
function asRefusal(error: unknown): ServiceFailure {
	const failure = withoutPlace(error);
	const { gaveUp } = failure.facts;
	const isForATime =
		isRateLimit(failure.facts) || gaveUp === 'waitTooLong' || gaveUp === 'waitUsed';
	if (isForATime || OF_NO_CURSOR.includes(failure.kind)) throw failure;
	return failure;
}

/**
 * A failure's place in the list would be an advice to continue by hand, which the next poll does by itself.
 *
 * @throws what is no failure of the service
 */
export function withoutPlace(error: unknown): ServiceFailure {
	if (!(error instanceof ServiceFailure)) throw error;
	const { recordsRead } = error.kind === 'incompleteList' ? error.facts : {};
	return error.with({ recordsRead, nextCursor: undefined });
}
