import { badRequest } from './api-error.mts';
import { hashOfText } from './hashing.mts';
import type { Position } from './table.mts';
import type { DateField, ObjectType } from './types.mts';

/** Decoded content of a cursor. It says where the next page of a list begins, and to which list the cursor belongs. */
export interface CursorState {
	objectType: ObjectType;
	sort: DateField;
	/** Position of the last record on the previous page. Undefined for the first page. */
	position: Position | undefined;
	/**
	 * Position of the last record of the list at the time of the first request. Undefined without the quirk
	 * `cursorsFreeze`.
	 */
	until: Position | undefined;
	/** Number of the page that the cursor leads to, from 1. */
	page: number;
	/** Number of empty pages that the quirk `emptyPages` has already returned. */
	emptyPages: number;
	/** The `limit` of the request whose response contained the cursor. */
	limit: number;
	/** Number of records in the list before the page that the cursor leads to. */
	offset: number;
	/** Number of times that the sandbox had let all cursors expire when it issued this cursor. */
	generation: number;
	/**
	 * Number of times that the list had started over when the sandbox issued this cursor. See the quirk
	 * `trailingCursor`.
	 */
	round?: number;
}

const checksumSeed = 7;

/** Returns the opaque text of a cursor. Equal states give equal texts. */
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
		// Encode the decoded state again and compare the texts, because base64 decoding ignores invalid characters. The
		// comparison also verifies the checksum.
		if (encodeCursor(state) === cursor) return state;
	} catch {
		// A cursor that does not contain JSON is damaged, too.
	}
	throw badRequest(
		'The cursor is damaged. Send next_cursor of an earlier answer unchanged, or start without a cursor.',
	);
}
