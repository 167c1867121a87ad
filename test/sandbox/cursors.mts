import { ApiError, badRequest } from './api-error.mts';
import { hashOfText } from './hashing.mts';
import type { Position } from './table.mts';
import type { DateField, ObjectType, Unkindness } from './types.mts';

/** When and for whom a cursor was given. */
export interface CursorOrigin {
	/** How often all cursors were let expire before. */
	generation: number;
	/** Label of the credential; empty where no setting asks for it. */
	key: string;
}

/** What a cursor remembers: the order it belongs to, the last record before it, and its page's number. */
export interface CursorState {
	objectType: ObjectType;
	sort: DateField;
	/** Undefined where no record comes before it. */
	position: Position | undefined;
	/** The last record when the list was begun, where nothing that came later is shown. */
	until?: Position | undefined;
	/** Number of the page that the cursor fetches. */
	page: number;
	/** How many of the empty pages were given. */
	emptyPages: number;
	/** The limit that it was given for. */
	limit: number;
	/** How many records of the list came before it. */
	offset: number;
	origin: CursorOrigin;
}

const checksumSeed = 7;

/** The opaque text of a cursor. The same state always gives the same text. */
export function encodeCursor(state: CursorState): string {
	const { objectType, sort, position, until, page, emptyPages, limit, offset, origin } = state;
	const [place, end] = [position, until].map((one) => (one ? [one.time, one.index] : null));
	const { generation, key } = origin;
	const content = [objectType, sort, place, end, page, emptyPages, limit, offset, generation, key];
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
	if (!Array.isArray(parts) || parts.length !== 11) throw damaged;
	const [objectType, sort, place, end, page, emptyPages, limit, offset, generation, key] =
		parts as [
			ObjectType,
			DateField,
			[number, number] | null,
			[number, number] | null,
			number,
			number,
			number,
			number,
			number,
			string,
		];
	const [position, until] = [place, end].map((one) =>
		Array.isArray(one) ? { time: one[0], index: one[1] } : undefined,
	);
	const origin = { generation, key };
	const state = { objectType, sort, position, until, page, emptyPages, limit, offset, origin };
	// Encoding it again covers the checksum, and letters that base64 decoding would have ignored.
	if (encodeCursor(state) !== cursor) throw damaged;
	return state;
}

/** Throws where a cursor has expired, or belongs to another key, with the status that the settings say. */
export function refuseDeadCursor(
	{ origin }: CursorState,
	now: CursorOrigin,
	{ cursorsBoundToKey, deadCursorStatus = 400 }: Unkindness,
): void {
	const isExpired = origin.generation < now.generation;
	const isOfOtherKey = cursorsBoundToKey === true && origin.key !== now.key;
	if (!isExpired && !isOfOtherKey) return;
	const message = isExpired ? 'The cursor has expired.' : 'The cursor belongs to another key.';
	throw new ApiError(deadCursorStatus, 'cursor_refused', message);
}
