import type { CursorTraits } from './cursors.mts';
import type { RecordTraits } from './record-text.mts';

/** How the model service differs from one history to the next. */
export interface ServiceTraits extends RecordTraits, CursorTraits {
	/** Where in the order every third of the created records stands, which has no dates. */
	undated: 'none' | 'first' | 'last';
	/** Dates are written with this resolution, in ms. */
	resolutionMs: number;
	/** Pages hold at most so many records, although `page_size` repeats what was asked for. */
	mostOnPage: number;
	/** Every page holds so many records, whatever was asked for. */
	alwaysOnPage?: number;
	/** A larger `limit` is refused. */
	largestLimit: number;
	/** Pages hold so many records more than asked for. */
	extraOnPage: number;
	/** The first page is empty and leads to the one with the first records. */
	emptyFirst: boolean;
	/** A full last page still carries a cursor, to an empty page. */
	trailingCursor: boolean;
	/** What is asked for; the sizes that may be found out where there are several. */
	pageSize: number | [number, ...number[]];
	overlapMs: number;
	/** How much the clock of n8n is ahead of that of the service. */
	clockAheadMs: number;
}

/** A service with nothing special about it. */
export const plainTraits: ServiceTraits = {
	ids: 'text',
	dateFormat: 'iso',
	resolutionMs: 1,
	undated: 'none',
	cursors: 'key',
	refusal: 400,
	mostOnPage: Infinity,
	largestLimit: Infinity,
	extraOnPage: 0,
	emptyFirst: false,
	trailingCursor: false,
	pageSize: [100, 500, 1_000],
	overlapMs: 30_000,
	clockAheadMs: 0,
};
