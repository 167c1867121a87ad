import { badRequest } from './api-error.mts';
import { hashOfText } from './hashing.mts';
import type { Position } from './ordered-view.mts';
import type { DateField, ObjectType } from './types.mts';

/** What a cursor remembers: the order it belongs to, the last record before it, and its page's number. */
export interface CursorState {
	objectType: ObjectType;
	sort: DateField;
	/** Undefined where no record comes before it. */
	position: Position | undefined;
	/** Number of the page that the cursor fetches. */
	page: number;
	/** How many of the empty pages were given. */
	emptyPages: number;
	/** The limit that it was given for. */
	limit: number;
}

const checksumSeed = 7;

/** The opaque text of a cursor. The same state always gives the same text. */
export function encodeCursor(state: CursorState): string {
	const { objectType, sort, position, page, emptyPages, limit } = state;
	const place = position ? [position.time, position.index] : null;
	const content = [objectType, sort, place, page, emptyPages, limit];
	const checksum = hashOfText(JSON.stringify(content), checksumSeed);
	return Buffer.from(JSON.stringify([...content, checksum])).toString('base64url');
}

/** Reads a cursor back. Throws a 400 where it is damaged or was never given out. */
export function decodeCursor(cursor: string): CursorState {
	const damaged = badRequest(
		'The cursor is damaged. Send next_cursor of an earlier answer unchanged, or start without a cursor.',
	);
	let parts: unknown;
	try {
		parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
	} catch {
		throw damaged;
	}
	if (!Array.isArray(parts) || parts.length !== 7) throw damaged;
	const [objectType, sort, place, page, emptyPages, limit] = parts as [
		ObjectType,
		DateField,
		[number, number] | null,
		number,
		number,
		number,
	];
	const position = Array.isArray(place) ? { time: place[0], index: place[1] } : undefined;
	const state = { objectType, sort, position, page, emptyPages, limit };
	// Encoding it again covers the checksum, and letters that base64 decoding would have ignored.
	if (encodeCursor(state) !== cursor) throw damaged;
	return state;
}
