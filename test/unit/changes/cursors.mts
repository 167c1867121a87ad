import { ServiceFailure } from '../../../nodes/client/failures.ts';

/** What a cursor of the model service is, and how long it is good (docs/assumptions.md, A4). */
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
	| 'credential';

/** Where a page begins: after a record, or after so many. */
export type PlaceInList = { after: [number, string] | null } | { skipped: number };

/** How cursors differ from one history to the next. */
export interface CursorTraits {
	cursors: CursorKind;
	/** What is answered to a cursor that is not good any more. */
	refusal: number | 'unsuccessful';
}

/** The limit of a request, how many records a page then holds, and the time. */
interface Asked {
	limit: number;
	size: number;
	seconds: number;
}

/** Seconds for which a cursor of that kind is good. */
const LIFE_SECONDS = 5;

/** Writes cursors and reads them again. */
export class Cursors {
	private readonly traits: CursorTraits;
	private epoch = 0;
	/** Changes with every poll. */
	poll = 0;
	/** Changes with the credential's key. */
	key = 0;

	constructor(traits: CursorTraits) {
		this.traits = traits;
	}

	/** True where a cursor says nothing about places. */
	get areKeys(): boolean {
		return this.traits.cursors !== 'position' && this.traits.cursors !== 'pages';
	}

	/** All that were given out so far are refused from now on. */
	refuseAll(): void {
		this.epoch++;
	}

	/** @param skipped records before the place; pages of `size` are counted where that is what a cursor is */
	write(after: [number, string] | null, skipped: number, { limit, size, seconds }: Asked): string {
		const { cursors } = this.traits;
		const { epoch, poll, key } = this;
		const place = this.areKeys
			? { after }
			: { skipped: cursors === 'pages' ? Math.ceil(skipped / size) : skipped };
		return JSON.stringify({ ...place, limit, seconds, epoch, poll, key });
	}

	/** @throws ServiceFailure */
	read(cursor: string, { limit, size, seconds }: Asked): PlaceInList {
		const { cursors } = this.traits;
		const written = JSON.parse(cursor) as Record<'epoch' | 'poll' | 'key', number> &
			Asked & { after: [number, string] | null; skipped: number };
		const isRefused =
			written.epoch !== this.epoch ||
			(cursors === 'limit' && written.limit !== limit) ||
			(cursors === 'seconds' && seconds > written.seconds + LIFE_SECONDS) ||
			(cursors === 'poll' && written.poll !== this.poll) ||
			(cursors === 'credential' && written.key !== this.key);
		if (isRefused) throw this.refusal();
		if (this.areKeys) return { after: written.after };
		return { skipped: written.skipped * (cursors === 'pages' ? size : 1) };
	}

	private refusal(): ServiceFailure {
		const { refusal } = this.traits;
		return refusal === 'unsuccessful'
			? new ServiceFailure('unsuccessful')
			: new ServiceFailure('status', { statusCode: refusal });
	}
}
