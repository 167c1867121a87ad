import { badRequest } from './api-error.mts';
import { hashOfText } from './hashing.mts';
import type { Position } from './table.mts';
import type { DateField, ObjectType } from './types.mts';

/** What a cursor remembers: the order it belongs to, the last record before it, and its page's number. */
export interface CursorState {
	objectType: ObjectType;
	sort: DateField;
	/** Undefined where no record comes before it. */
	position: Position | undefined;
	/** The last record when the list was begun, where nothing that came later is shown. */
	until: Position | undefined;
	/** Number of the page that the cursor fetches. */
	page: number;
	/** How many of the empty pages were given. */
	emptyPages: number;
	/** The limit that it was given for. */
	limit: number;
	/** How many records of the list came before it. */
	offset: number;
	/** How often all cursors were let expire before it was given. */
	generation: number;
	/** How often the list was begun again before it, if each round has cursors of its own. */
	round?: number;
}

const checksumSeed = 7;

/** The opaque text of a cursor. The same state always gives the same text. */
export function encodeCursor(state: CursorState): string {
	const { objectType, sort, position, until, page, emptyPages, limit, offset, generation } = state;
	const place = [objectType, sort, position, until, page, emptyPages, limit, offset, generation];
	const content = [...place, state.round ?? 0];
	const checksum = hashOfText(JSON.stringify(content), checksumSeed);
	return Buffer.from(JSON.stringify([...content, checksum])).toString('base64url');
}

/** Reads a cursor back. Throws a 400 where it is damaged or was never given out. */
export function decodeCursor(cursor: string): CursorState {
	try {
		const content = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as never[];
		const [objectType, sort, position, until, page, emptyPages, limit, offset, generation, round] =
			content;
		const places = { position: position ?? undefined, until: until ?? undefined };
		const state = {
			objectType,
			sort,
			...places,
			page,
			emptyPages,
			limit,
			offset,
			generation,
			round,
		};
		// Encoding it again covers the checksum, and letters that base64 decoding would have ignored.
		if (encodeCursor(state) === cursor) return state;
	} catch {
		// What is no JSON is damaged as well.
	}
	throw badRequest(
		'The cursor is damaged. Send next_cursor of an earlier answer unchanged, or start without a cursor.',
	);
}
