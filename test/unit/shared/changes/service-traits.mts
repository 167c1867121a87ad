import type { Quirks } from '../../../sandbox/types.mts';
import type { RecordTraits } from './record-text.mts';

/** Content of a cursor, and when the cursor becomes invalid (docs/maintainers/assumptions.md, A4). */
export type CursorKind =
	/** The cursor consists of the date and the id of the record before the page (a key), and never expires. */
	| 'key'
	/** The cursor is the number of records before the page. */
	| 'position'
	/** The cursor is the number of pages before the page. */
	| 'pages'
	/**
	 * The cursor consists of a date and an id, and is valid only with the page size of the request that returned it.
	 */
	| 'limit'
	/** The cursor consists of a date and an id, and expires within five seconds. */
	| 'seconds'
	/** The cursor consists of a date and an id, and expires before the next poll. */
	| 'poll'
	/** The cursor consists of a date and an id, and expires when the credential gets a new API key. */
	| 'credential'
	/**
	 * The cursor consists of a date and an id. It leads to pages of the list as it was at the first page, but with the
	 * current total.
	 */
	| 'frozen';

/** Properties in which simulated services differ: quirks of the sandbox, record formats, cursors and clock. */
export interface ServiceTraits extends RecordTraits, Quirks {
	cursors: CursorKind;
	/** Response to an invalid cursor: an HTTP status, or a body with `success: false`. */
	refusal: number | 'unsuccessful';
	/** Resolution of the dates, in ms. */
	resolutionMs: number;
	/** Page size, or a page size for each poll in turn. Undefined if the node chooses the page size. */
	pageSize?: number | [number, ...number[]];
	lookbackMs: number;
	/** Time by which the clock of n8n is ahead of the clock of the service, in ms. */
	clockAheadMs: number;
}

/** Properties of a service without quirks or unusual formats. */
export const plainTraits: ServiceTraits = {
	ids: 'text',
	dateFormat: 'iso',
	resolutionMs: 1,
	cursors: 'key',
	refusal: 400,
	lookbackMs: 30_000,
	clockAheadMs: 0,
};

/** Every third record has no date. The list shows these records first (`undatedFirst`) or last (`undatedLast`). */
export const undatedFirst: Quirks['undated'] = { every: 3, place: 'first' };
export const undatedLast: Quirks['undated'] = { every: 3, place: 'last' };
