import type { RecordTraits } from './record-text.mts';
import type { ListService } from './service.mts';

/** An event that changes the simulated service: its records, clock, API key, date format or valid cursors. */
export type Change =
	/** All cursors become invalid. */
	| { do: 'refuseCursors' }
	/** The credential gets a new API key. */
	| { do: 'changeKey' }
	/** The service writes the same dates in a different format. */
	| { do: 'otherForm'; dateFormat: RecordTraits['dateFormat'] }
	/** The dates of the new records are `aheadMs` ahead of the service's clock. */
	| { do: 'create'; count: number; aheadMs?: number }
	| { do: 'update'; place: number; count: number; aheadMs?: number }
	| { do: 'remove'; place: number; count: number }
	| { do: 'tick'; seconds: number }
	/** A change that is dated now, but that the list hides until `commitLate` or until the lookback window ends. */
	| { do: 'beginLate'; place: number }
	| { do: 'commitLate' }
	/**
	 * The workflow changes the records that it received last (`writeBack`), or changes them so that Filters exclude
	 * them (`leave`).
	 */
	| { do: 'writeBack' | 'leave' };

/**
 * Applies a change to the simulated service. With `datesAdvance`, moves the clock forward first, so that each changed
 * record gets a newer date than all earlier changes.
 */
export function applyChange(service: ListService, change: Change, datesAdvance: boolean): void {
	const isDated = ['create', 'update', 'writeBack'].includes(change.do);
	if (isDated && datesAdvance) service.tick(1);
	if (change.do === 'create') service.create(change.count, change.aheadMs);
	if (change.do === 'update') service.update(change.place, change.count, change.aheadMs);
	// Move the clock forward after a change with a date in the future. Otherwise a later change could give a record the
	// date that it already has.
	if ('aheadMs' in change && change.aheadMs) service.tick(1);
	if (change.do === 'remove') service.remove(change.place, change.count);
	if (change.do === 'tick') service.tick(change.seconds);
	if (change.do === 'beginLate') service.beginLate(change.place);
	if (change.do === 'commitLate') service.commitLate();
	if (change.do === 'writeBack' || change.do === 'leave')
		service.changeGiven(change.do === 'leave');
	if (change.do === 'refuseCursors') service.refuseCursors();
	if (change.do === 'changeKey') service.key++;
	if (change.do === 'otherForm') service.traits.dateFormat = change.dateFormat;
}

export const create = (count: number, aheadMs = 0): Change => ({ do: 'create', count, aheadMs });
export const update = (place: number, count: number, aheadMs = 0): Change => ({
	...{ do: 'update', place, count, aheadMs },
});
export const remove = (place: number, count: number): Change => ({ do: 'remove', place, count });
export const tick = (seconds: number): Change => ({ do: 'tick', seconds });
export const beginLate = (place: number): Change => ({ do: 'beginLate', place });
