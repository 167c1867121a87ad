/** What of a service's lists can be seen from outside, whatever is asked; and so what must come out. */
import type { Unkindness } from '../../sandbox/types.mts';
import type { ListHistory, TriggerHistory } from './drawing.mts';

type Setting = keyof Unkindness;

/** How a list is read. */
type Reading = Pick<ListHistory, 'unkind' | 'records' | 'pagination' | 'pageSize' | 'ignoreTotal'>;

/** The smallest page that the node asks for. */
const SMALLEST_PAGE = 20;

/** The unkindness of records and answers, which never matters. */
const ofAnswers: readonly Setting[] = [
	'changingField',
	'numericIds',
	'undated',
	'dates',
	'zonelessDates',
	'trimmedDates',
	'echoSecrets',
	'latencyPerRecordMs',
	'bytesPerPart',
];
/** That of cursors. */
const ofCursors: readonly Setting[] = [
	'cursorsCountPages',
	'cursorsBoundToLimit',
	'cursorsArePositions',
	'cursorsBoundToKey',
	'deadCursorStatus',
	'emptyPages',
];
/** What lists by cursor, the trigger included, get through as well. */
const ofPages: readonly Setting[] = [
	'pageInQueryIgnored',
	'silentPageCap',
	'extraRecords',
	'pageSizeAlways',
];
/** What they get through where `isSeenWhole` says so. */
const ofEnds: readonly Setting[] = ['refusePageSizeAbove', 'rowCap', 'nothingAbove', 'total'];

/** True where pages of the smallest size lead through the whole list by cursor. */
function isWholeBySmallPages({ unkind, pageSize = SMALLEST_PAGE }: Reading): boolean {
	const { rowCap = Infinity, nothingAbove = Infinity } = unkind;
	const { silentPageCap = Infinity, extraRecords = 0, pageSizeAlways } = unkind;
	const smallest = Math.min(SMALLEST_PAGE, pageSize);
	const held = pageSizeAlways ?? Math.min(smallest, silentPageCap) + extraRecords;
	return rowCap > held && nothingAbove >= smallest;
}

/** What the service says that the list has; undefined where it does not. */
function saidTotal({ unkind, records, pagination }: Reading): number | undefined {
	const { total, totalInPages } = unkind;
	if (pagination === 'page' && totalInPages !== undefined) return totalInPages;
	if (total === 'absent') return undefined;
	return total === undefined ? records : Math.round(records * total.factor);
}

/** True where a list by cursor is read to its end whatever the settings of its end do, when nothing else goes wrong. */
function isSeenWhole(reading: Reading): boolean {
	const { unkind, records, ignoreTotal, pageSize = SMALLEST_PAGE } = reading;
	const isRefused = pageSize > (unkind.refusePageSizeAbove?.size ?? Infinity);
	const isCounted = ignoreTotal || (saidTotal(reading) ?? 0) <= records;
	return isWholeBySmallPages(reading) && !isRefused && isCounted;
}

/**
 * True where a list that ends after so many records cannot be told from one that is whole (docs/assumptions.md): the
 * service's own total is as wrong as its end, or there is none to go by and even the smallest pages end there.
 */
export function isHidden(reading: Reading, came: number): boolean {
	const said = saidTotal(reading);
	if (reading.pagination === 'page') return said === came;
	if (said === undefined || reading.ignoreTotal || said < came)
		return !isWholeBySmallPages(reading);
	return said === came;
}

/** True where a list must come out whole. */
export function mustListBeRight(history: ListHistory): boolean {
	const harmless: Setting[] = ['rateLimit', 'descending', ...ofAnswers, ...ofCursors];
	if (history.pagination === 'cursor') harmless.push(...ofPages, 'totalInPages');
	if (history.pagination === 'cursor' && isSeenWhole(history)) harmless.push(...ofEnds);
	return isUndisturbed(history, harmless);
}

/** True where a trigger, left alone, must not fail. */
export function mustTriggerBeRight(history: TriggerHistory): boolean {
	const isCalm = history.rounds.every(
		({ faults, unkind }) => faults.length === 0 && Object.keys(unkind).length === 0,
	);
	// Records come and go: so many that an estimate of them is surely not right.
	const manyRecords = { ...history, records: 1_000, pagination: 'cursor' as const };
	const ends = isSeenWhole(manyRecords) ? ofEnds : [];
	return isCalm && isUndisturbed(history, [...ofAnswers, ...ofCursors, ...ofPages, ...ends]);
}

/**
 * The list without what nobody can notice: pages by number that hold more than they say, and of which the database
 * leaves out just that.
 */
export function withoutUnnoticeable(history: ListHistory): ListHistory {
	const unkind = { ...history.unkind };
	if (history.pagination === 'page' && unkind.rowCap) delete unkind.extraRecords;
	return { ...history, unkind };
}

/**
 * The service without what a trigger cannot know: records that nothing shows, and whether a record is the same that has
 * no date and differs with each answer.
 */
export function withoutUnknowable(history: TriggerHistory): TriggerHistory {
	const { total, undated } = history.unkind;
	const unkind = { ...history.unkind };
	if (undated) delete unkind.changingField;
	// Nothing says on which side of a date a record is that has none.
	if (history.startFrom === 'date') delete unkind.undated;
	const isUnknown = total === 'absent' || history.ignoreTotal;
	const isTooLow = total !== undefined && total !== 'absent' && total.factor < 1;
	if (isTooLow || (isUnknown && !isWholeBySmallPages({ ...history, pagination: 'cursor' }))) {
		delete unkind.rowCap;
		delete unkind.nothingAbove;
	}
	return { ...history, unkind };
}

function isUndisturbed(
	{ faults, unkind }: Pick<ListHistory, 'faults' | 'unkind'>,
	harmless: readonly Setting[],
): boolean {
	const names = Object.keys(unkind) as Setting[];
	return faults.length === 0 && names.every((name) => harmless.includes(name));
}
