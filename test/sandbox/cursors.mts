import { badRequest } from './api-error.mts';
import { hashOfText } from './hashing.mts';
import type { Position } from './ordered-view.mts';
import type { DateField, ObjectType } from './types.mts';

/** What a cursor remembers: the order it belongs to, the last record before it, and its page's number. */
export interface CursorState {
	objectType: ObjectType;
	sort: DateField;
	position: Position;
	/** Number of the page that the cursor fetches. */
	page: number;
}

const checksumSeed = 7;

/** The opaque text of a cursor. The same state always gives the same text. */
export function encodeCursor(state: CursorState): string {
	const { objectType, sort, position, page } = state;
	const content = [objectType, sort, position.time, position.index, page];
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
	if (!Array.isArray(parts) || parts.length !== 6) throw damaged;
	const [objectType, sort, time, index, page] = parts as [
		ObjectType,
		DateField,
		number,
		number,
		number,
	];
	const state = { objectType, sort, position: { time, index }, page };
	// Encoding it again covers the checksum, and letters that base64 decoding would have ignored.
	if (encodeCursor(state) !== cursor) throw damaged;
	return state;
}
