import type { Quirks } from '../../../sandbox/types.mts';
import type { RecordTraits } from './record-text.mts';

/** Content of a cursor, and how long the cursor is valid (docs/maintainers/assumptions.md, A4). */
export type CursorKind =
	/** The key of the record before the page. The cursor never expires. */
	| 'key'
	/** The number of records before the page. */
	| 'position'
	/** The number of pages before the page. */
	| 'pages'
	/** A key that the service rejects with another page size. */
	| 'limit'
	/** A key that expires after some seconds. */
	| 'seconds'
	/** A key that expires before the next poll. */
	| 'poll'
	/** A key that expires when the credential gets another API key. */
	| 'credential'
	/** A key that shows a frozen copy of the list, as it was at the first page. Only `total` is up to date. */
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
