import { isObject } from '../client/json';
import { canonicalJson, digestOf } from '../client/exact-json';
import { isCount, type CursorSort } from '../lists/page';

/** What is remembered between polls: plain JSON without secrets, under 64 KB, which n8n copies often. */
export interface Checkpoint {
	version: typeof CHECKPOINT_VERSION;
	/** Digests of object type and event, and of Filters. */
	list: string;
	filter: string;
	/** Digests of the last texts in Start Over: an old one comes back with an old version of the workflow. */
	startOver: string;
	/** Whose records it is about: the owner of the session that read them. */
	owner: string;
	/** Digest of address and key, to notice that one of them was replaced. */
	access: string;
	/** Start from now: until the end was reached once, only what is later than `startedAt` is given. */
	starting: boolean;
	/** The first poll, by the clock of n8n, in ms. */
	startedAt: number;
	/** What is older has been handled, in ms; null where that is said of nothing. */
	watermark: number | null;
	/** The last versions dated `watermark` that were handled and are not among `seen`. */
	seenAtWatermark: string;
	/** Processed versions after `watermark`: first those that the list did not show again, then the others in their order. */
	seen: string;
	/** Those without a date that were handled. */
	undated: string;
	/** The newest date ever met that n8n's clock had come to, in ms; and when it was met, by that clock. */
	newest: number | null;
	newestAt: number;
	/** Date in ms before which every version has been read, though not all are before `watermark`; null if unknown. */
	settled: number | null;
	/** True where the last saved cursor leads past versions dated `watermark` that are not known yet to be handled. */
	isSkipping: boolean;
	/** Where reading may begin: the last one leads to the first of `seen` or a page earlier, those before it ever farther back. */
	savedCursors: SavedCursor[];
	/** How many records the list had when its end was reached, and how many have come since; null where it does not say. */
	total: number | null;
	/** How many polls in a row have brought no record and come no nearer to the end of the list. */
	futile: number;
}

/** A cursor that may shorten a later reading. It may lead elsewhere by then. */
export interface SavedCursor {
	cursor: string;
	/** Records per request that the cursor was made with. The cursor is only sent with the same number. */
	pageSize: number;
	/** The first record that came, by its digest. */
	first: string;
	/** How many records of the list come before it. */
	before: number;
}

/** Raised when the form of the state changes. What `openState` and `continueByDate` read of any version keeps its name. */
export const CHECKPOINT_VERSION = 12;

/** Digests as one text, which `unpack` takes apart again. */
export function pack(digests: Iterable<string>): string {
	return [...digests].join('');
}

export function unpack(packed: string): string[] {
	return packed.match(/.{11}/g) ?? [];
}

function isPacked(value: unknown): value is string {
	return typeof value === 'string' && /^([A-Za-z0-9+/]{11})*$/.test(value);
}

/** How many texts of Start Over are remembered. */
const MAX_START_OVER_TEXTS = 50;

/** Less than dates can differ by, and as little as a number of ms since 1970 can. */
export const MIN_DATE_STEP_MS = 1 / 4_096;

/** What is followed: what a state belongs to, and where reading starts without one. */
export interface Followed {
	objectType: string;
	/** The date that the list is in the order of. */
	field: CursorSort;
	additional?: Readonly<Record<string, unknown>>;
	/** Another text is meant to start over. */
	startOver?: string;
	/** Both as in `State`. */
	owner: string;
	access: string;
	startFrom: 'now' | 'beginning' | 'date';
	/** In ms since 1970. */
	startDate?: number;
	/** The time by the clock of n8n, in ms since 1970. */
	now: number;
	/** As in `ChangesSettings`. */
	lookbackMs: number;
}

/** What the trigger and Sync decide for themselves: reading is the same for both. */
export interface ChangesSettings {
	/** How much later than its date a change may be seen for the first time and still be given, in ms. */
	lookbackMs: number;
	/** The time by the clock of n8n, in ms since 1970. */
	now: () => number;
	/** Bounds the state; 2,000 versions where it is undefined. */
	maxRemembered?: number;
	/** Maximum number of records to return. With 0, reading pauses before the first new record. */
	maxRecords: number;
	/** Maximum number of records of one portion, for pages that are too large for it. */
	maxPerBatch?: number;
	/** Asked after a page: false when the time of a poll is used up. Without it, no next poll continues by itself. */
	mayContinue?: () => boolean;
}

/** Why reading does not simply continue: it starts, or continues by date where a first one was not under way. */
export type ResumeReason = 'none' | 'startOver' | 'otherList' | 'otherFilter' | 'otherVersion';

/** What a poll goes by; `from`: in ms, where it continues by date only. Or why it neither uses nor replaces what is stored. */
export type Resumed =
	| {
			checkpoint: Checkpoint;
			reason?: ResumeReason;
			from?: number;
			hasOtherAccess?: true | undefined;
	  }
	| { refusal: 'damaged' | 'otherOwner' };

/** What to continue from; never throws, whatever was stored. A place is left only where the user asks for it. */
export function resumeFrom(stored: unknown, start: Followed): Resumed {
	const fresh = newCheckpoint(start);
	if (stored === undefined || stored === null) return { checkpoint: fresh, reason: 'none' };
	const known: Partial<Record<keyof Checkpoint, unknown>> = isObject(stored) ? stored : {};
	// A text that a damaged state does not show to have been seen is a new one.
	const obeyed = isPacked(known.startOver) ? unpack(known.startOver) : [];
	const isNew = !obeyed.includes(fresh.startOver) && start.startOver !== undefined;
	fresh.startOver = pack(
		isNew ? [...obeyed.slice(1 - MAX_START_OVER_TEXTS), fresh.startOver] : obeyed,
	);
	if (isNew) return { checkpoint: fresh, reason: 'startOver' };
	if (isText(known.list) && known.list !== fresh.list)
		return { checkpoint: fresh, reason: 'otherList' };
	if (isText(known.owner) && known.owner !== fresh.owner) return { refusal: 'otherOwner' };
	const { access } = fresh;
	const hasOtherAccess = (isText(known.access) && known.access !== access) || undefined;
	if (isCheckpoint(stored) && stored.filter === fresh.filter)
		return { checkpoint: { ...stored, access }, hasOtherAccess };
	const reason = isCheckpoint(stored) ? 'otherFilter' : 'otherVersion';
	return { ...continueByDate(known, fresh, start, reason), hasOtherAccess };
}

function newCheckpoint(start: Followed): Checkpoint {
	const { objectType, field, additional = {}, startOver, startFrom, startDate = 0 } = start;
	return {
		version: CHECKPOINT_VERSION,
		list: digestOf(JSON.stringify([objectType, field])),
		filter: digestOf(canonicalJson(additional)),
		startOver: startOver === undefined ? '' : digestOf(startOver),
		owner: start.owner,
		access: start.access,
		starting: startFrom === 'now',
		startedAt: start.now,
		// Start Date itself is excluded.
		watermark: startFrom === 'date' ? startDate + MIN_DATE_STEP_MS : null,
		seenAtWatermark: '',
		seen: '',
		undated: '',
		newest: null,
		newestAt: 0,
		settled: null,
		isSkipping: false,
		savedCursors: [],
		total: null,
		futile: 0,
	};
}

/** Continues from the date before which every version has been read. Remembered versions stay remembered. */
function continueByDate(
	known: Partial<Record<keyof Checkpoint, unknown>>,
	fresh: Checkpoint,
	{ lookbackMs, now }: Followed,
	reason: ResumeReason,
): Resumed {
	const { starting, startedAt, settled, watermark } = known;
	const date = (value: unknown): number => (isNumber(value) ? value : -Infinity);
	const packed = (value: unknown): string => (isPacked(value) ? value : '');
	const seenAtWatermark = packed(known.seenAtWatermark);
	const remembered = { seen: packed(known.seen), undated: packed(known.undated) };
	const isEmpty = settled === null && watermark === null;
	// A first reading from now begins again, but not a later now; so does one that has met no date, since by other parameters
	// what it meets may always have been there.
	if (starting === true || (isEmpty && fresh.starting && reason === 'otherFilter')) {
		const from = isNumber(startedAt) ? startedAt : fresh.startedAt;
		const handled = { watermark: date(watermark) === -Infinity ? null : date(watermark) };
		const checkpoint = { ...fresh, ...remembered, ...handled, seenAtWatermark };
		return { checkpoint: { ...checkpoint, starting: true, startedAt: from }, reason, from };
	}
	// A clock that was set back since may be behind the date.
	const from = Math.max(Math.min(date(settled), now - lookbackMs), date(watermark));
	if (from === -Infinity && !isEmpty) return { refusal: 'damaged' };
	const checkpoint = { ...fresh, ...remembered, starting: false };
	// Of a list that had no date, all is new.
	if (isEmpty) return { checkpoint };
	const atWatermark = from === watermark ? { seenAtWatermark } : {};
	return { checkpoint: { ...checkpoint, ...atWatermark, watermark: from }, reason, from };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
/** One that can be a date, in ms since 1970. */
const isNumber = (value: unknown): value is number =>
	typeof value === 'number' && Math.abs(value) <= 8.64e15;
const isNumberOrNull = (value: unknown): boolean => value === null || isNumber(value);

/** All members but those that `isState` looks at itself. */
const MEMBERS: Array<[isRight: (value: unknown) => boolean, names: Array<keyof Checkpoint>]> = [
	[isText, ['list', 'filter', 'owner', 'access']],
	[isPacked, ['startOver', 'seenAtWatermark', 'seen', 'undated']],
	[isBoolean, ['starting', 'isSkipping']],
	[isNumberOrNull, ['watermark', 'newest', 'settled', 'total']],
	[isNumber, ['startedAt', 'newestAt', 'futile']],
];

function isCheckpoint(value: unknown): value is Checkpoint {
	if (!isObject(value) || value.version !== CHECKPOINT_VERSION) return false;
	const { savedCursors } = value;
	const areRight = Array.isArray(savedCursors) && savedCursors.every(isSavedCursor);
	return areRight && MEMBERS.every(([isRight, names]) => names.every((one) => isRight(value[one])));
}

function isSavedCursor(value: unknown): boolean {
	const { cursor, pageSize, first, before } = isObject(value) ? value : {};
	const isWhere = isCount(pageSize) && (before === 0 || isCount(before));
	return isWhere && isPacked(first) && isText(cursor) && cursor !== '';
}
