import type { RecordTraits } from './record-text.mts';
import type { ListService } from './service.mts';

/** A change of the records, or of which cursors are good. */
export type Change =
	| { do: 'refuseCursors' }
	/** The credential gets another key. */
	| { do: 'changeKey' }
	/** The service writes the same dates in another form. */
	| { do: 'otherForm'; dateFormat: RecordTraits['dateFormat'] }
	| { do: 'create'; count: number }
	| { do: 'update'; place: number; count: number }
	| { do: 'remove'; place: number; count: number }
	| { do: 'tick'; seconds: number }
	| { do: 'beginLate'; place: number }
	| { do: 'commitLate' }
	/** The workflow changes what was given last, or those records leave the filter of the list. */
	| { do: 'writeBack' | 'leave' };

/** Changes the records of a service. */
export function applyChange(service: ListService, change: Change, datesAdvance: boolean): void {
	const isDated = ['create', 'update', 'writeBack'].includes(change.do);
	if (isDated && datesAdvance) service.tick(1);
	if (change.do === 'create') service.create(change.count);
	if (change.do === 'update') service.update(change.place, change.count);
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

export const create = (count: number): Change => ({ do: 'create', count });
export const update = (place: number, count: number): Change => ({ do: 'update', place, count });
export const remove = (place: number, count: number): Change => ({ do: 'remove', place, count });
export const tick = (seconds: number): Change => ({ do: 'tick', seconds });
export const beginLate = (place: number): Change => ({ do: 'beginLate', place });
