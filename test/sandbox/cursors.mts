import { badRequest } from './api-error.mts';
import { hashOfText } from './hashing.mts';
import type { Position } from './table.mts';
import type { DateField, ObjectType } from './types.mts';

/** Content of a cursor: the order of the list, the last record before the cursor, and the number of the next page. */
export interface CursorState {
	objectType: ObjectType;
	sort: DateField;
	/** Position of the last record before the cursor. Undefined at the start of the list. */
	position: Position | undefined;
	/** Position of the last record when the list was first requested. Undefined unless the list is frozen. */
	until: Position | undefined;
	/** Number of the page that the cursor fetches, from 1. */
	page: number;
	/** Number of empty pages that were already sent. */
	emptyPages: number;
	/** The `limit` of the request that received the cursor. */
	limit: number;
	/** Number of records of the list before the cursor. */
	offset: number;
	/** Number of times that all cursors had expired when this cursor was issued. */
	generation: number;
	/** Number of times that the list had started over when this cursor was issued. */
	round?: number;
}

const checksumSeed = 7;

/** Returns the opaque text of a cursor. The same state always gives the same text. */
export function encodeCursor(state: CursorState): string {
	const { objectType, sort, position, until, page, emptyPages, limit, offset, generation } = state;
	const place = [objectType, sort, position, until, page, emptyPages, limit, offset, generation];
	const content = [...place, state.round ?? 0];
	const checksum = hashOfText(JSON.stringify(content), checksumSeed);
	return Buffer.from(JSON.stringify([...content, checksum])).toString('base64url');
}

/** Decodes a cursor. Throws HTTP 400 if the cursor is damaged or was never issued. */
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
		// Compare the encoded text, because base64 decoding ignores invalid letters. This also verifies the checksum.
		if (encodeCursor(state) === cursor) return state;
	} catch {
		// What is no JSON is damaged as well.
	}
	throw badRequest(
		'The cursor is damaged. Send next_cursor of an earlier answer unchanged, or start without a cursor.',
	);
}
