import { ServiceFailure } from '../client/failures';
import { meaningOf } from '../client/meaning';
import type { Version } from '../lists/version';
import type { ChangesReader, VersionedPage } from './reader';
import { unpack, type SavedCursor, type State } from './state';
import { cursorRefused, type Told } from './told';

type Pages = AsyncGenerator<VersionedPage, void>;

/** Where reading begins, and what comes from there. */
export interface Beginning {
	/** Undefined for the beginning of the list. */
	from?: SavedCursor;
	pages: Pages;
	notes: Told[];
}

/** Begins at the last saved cursor that still leads to where it did, or at the beginning of the list. Throws ServiceFailure. */
export async function beginReading(state: State, reader: ChangesReader): Promise<Beginning> {
	const notes: Told[] = [];
	for (const from of state.savedCursors.toReversed()) {
		const rest = reader.pages(from);
		const read = await readToFirstRecord(rest).catch(asRefusal);
		if (read instanceof ServiceFailure) {
			notes.push(cursorRefused(read));
			break;
		}
		const [first] = read.at(-1)?.versions ?? [];
		if (first !== undefined && isBelieved(state, from, first))
			return { from, pages: resume(read, rest), notes };
	}
	return { pages: reader.pages(undefined), notes };
}

async function readToFirstRecord(pages: Pages): Promise<VersionedPage[]> {
	const read: VersionedPage[] = [];
	while (!read.at(-1)?.versions.length) {
		const { done, value } = await pages.next();
		if (done) break;
		read.push(value);
	}
	return read;
}

async function* resume(read: VersionedPage[], rest: Pages): Pages {
	yield* read;
	yield* rest;
}

/** Whether a cursor leads to where it did. A later record proves nothing: something late may stand before it. */
function isBelieved(state: State, from: SavedCursor, { digest, time }: Version): boolean {
	// New records come before those without a date, or after them: they show no position.
	if (time === null) return false;
	if (time < (state.watermark ?? -Infinity) || from.first === digest) return true;
	return unpack(state.seenAtWatermark).includes(digest);
}

/** Throws what says nothing of the cursor. */
function asRefusal(error: unknown): ServiceFailure {
	const failure = withoutPosition(error);
	const { gaveUp = '' } = failure.facts;
	const { helps, about } = meaningOf(failure);
	const isForATime = helps === 'wait' || ['waitTooLong', 'waitUsed'].includes(gaveUp);
	if (isForATime || about === 'network' || about === 'run') throw failure;
	return failure;
}

/** With its position, an error would read as advice to continue there by hand. Throws what is no failure of the service. */
export function withoutPosition(error: unknown): ServiceFailure {
	if (!(error instanceof ServiceFailure)) throw error;
	const { recordsRead } = error.kind === 'incompleteList' ? error.facts : {};
	return error.with({ recordsRead, nextCursor: undefined });
}
