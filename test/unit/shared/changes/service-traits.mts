import type { Quirks } from '../../../sandbox/types.mts';
import type { RecordTraits } from './record-text.mts';

/** What a cursor is, and how long it is good (docs/maintainers/assumptions.md, A4). */
export type CursorKind =
	/** The record before: good for ever. */
	| 'key'
	/** How many records come before. */
	| 'position'
	/** How many pages come before. */
	| 'pages'
	/** A key that is refused with another limit. */
	| 'limit'
	/** A key that is refused after some seconds. */
	| 'seconds'
	/** A key that is refused by the next poll. */
	| 'poll'
	/** A key that is refused once the credential has another key. */
	| 'credential'
	/** A key that shows the list as it was when it was begun; its `total` grows all the same. */
	| 'frozen';

/** How the service differs from one history to the next: in what the sandbox can do, and in its records and clock. */
export interface ServiceTraits extends RecordTraits, Quirks {
	cursors: CursorKind;
	/** What is answered to a cursor that is not good any more. */
	refusal: number | 'unsuccessful';
	/** Dates are written with this resolution, in ms. */
	resolutionMs: number;
	/** What is asked for, poll by poll where there are several; chosen by the node where it is undefined. */
	pageSize?: number | [number, ...number[]];
	lookbackMs: number;
	/** How much the clock of n8n is ahead of that of the service. */
	clockAheadMs: number;
}

/** A service with nothing special about it. */
export const plainTraits: ServiceTraits = {
	ids: 'text',
	dateFormat: 'iso',
	resolutionMs: 1,
	cursors: 'key',
	refusal: 400,
	lookbackMs: 30_000,
	clockAheadMs: 0,
};

/** Every third record has no date. The list shows these records there. */
export const undatedFirst: Quirks['undated'] = { every: 3, place: 'first' };
export const undatedLast: Quirks['undated'] = { every: 3, place: 'last' };
