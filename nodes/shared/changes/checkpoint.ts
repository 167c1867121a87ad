import { isObject } from '../client/json';
import { canonicalJson, digestOf } from '../client/exact-json';
import { isCount, type CursorSort } from '../lists/page';

/**
 * Progress of the trigger or of Sync, stored so that the next poll or run can continue. It is plain JSON, and contains
 * neither secrets nor records. Its size stays below 64 KB, because n8n copies it often.
 * In these comments, a record version is a record together with its date. A changed record is a new version.
 */
export interface Checkpoint {
	version: typeof CHECKPOINT_VERSION;
	/** `list` is a digest of the object type and the date field. `filter` is a digest of the option Filters. */
	list: string;
	filter: string;
	/** Digests of the last 50 Start Over texts. Each text takes effect once, even if an older workflow is restored. */
	startOver: string;
	/** Identifies the credential that records were read with. No other credential can continue from this checkpoint. */
	owner: string;
	/** Digest of the Base URL and API key. It changes if the user replaces one of them. */
	access: string;
	/** True if Start From is Now and no poll has reached the end. Records dated up to `startedAt` are skipped. */
	starting: boolean;
	/** Time of the first poll in ms since 1970, by n8n's clock or the service's clock, whichever is earlier. */
	startedAt: number;
	/** High-water mark in ms since 1970: every version with an older date has been processed. Null at first. */
	watermark: number | null;
	/** Joined digests of processed versions dated exactly `watermark`. If there are many, only the last are kept. */
	seenAtWatermark: string;
	/**
	 * Joined digests of processed versions dated `watermark` or later. Versions that are gone from the list come first.
	 * The others follow in list order.
	 */
	seen: string;
	/** Digests of processed records whose date is missing, unreadable, or more than a day ahead of n8n's clock. */
	undated: string;
	/**
	 * `newest` is the newest record date that any poll has read, except for dates in the future. `newestAt` is the time
	 * by n8n's clock when that date was read. Both are in ms since 1970.
	 */
	newest: number | null;
	newestAt: number;
	/**
	 * Date in ms since 1970 to continue from if the Filters or the structure of the checkpoint change. All record
	 * versions with an older date have been read. The date can be newer than `watermark`. Null if it is unknown.
	 */
	settled: number | null;
	/**
	 * True if the last poll paused while it skipped versions dated exactly `watermark`. Their digests are not stored,
	 * so the poll only assumed that they had been processed, and the next poll checks this.
	 */
	isSkipping: boolean;
	/** Cursors for the next poll, in list order. The last one leads closest to new records, and is tried first. */
	savedCursors: SavedCursor[];
	/**
	 * Expected number of records in the list: the total reported when a poll last reached the end, plus the number of
	 * records returned since then. Null if no total is known.
	 */
	total: number | null;
	/** Number of consecutive polls that returned no records and came no closer to the end of the list. */
	futile: number;
}

/** Cursor with which a poll can begin in the middle of the list. It may lead elsewhere if the list has changed. */
export interface SavedCursor {
	cursor: string;
	/** Page size of the request that returned the cursor. The cursor may be valid only for this size. */
	pageSize: number;
	/** Digest of the first record on the cursor's page when the cursor was saved. */
	first: string;
	/** Number of records in the list before the page that the cursor leads to. */
	before: number;
}

/**
 * Version number of the checkpoint's structure. Increase it whenever the structure changes. `resumeFrom` and
 * `continueByDate` also read older checkpoints, so do not rename the members that these functions read.
 */
export const CHECKPOINT_VERSION = 12;

/** Joins digests into one text. Every digest has 11 characters, so `unpack` can split the text again. */
export function pack(digests: Iterable<string>): string {
	return [...digests].join('');
}

export function unpack(packed: string): string[] {
	return packed.match(/.{11}/g) ?? [];
}

function isPacked(value: unknown): value is string {
	return typeof value === 'string' && /^([A-Za-z0-9+/]{11})*$/.test(value);
}

const MAX_START_OVER_TEXTS = 50;

/**
 * Step in ms that is added to a date to get a time just after it. It is shorter than a microsecond (the precision of
 * dates), but long enough not to be lost to rounding when added to ms since 1970.
 */
export const MIN_DATE_STEP_MS = 1 / 4_096;

/** The list whose changes are read, the credential to read it with, and the date to start from. */
export interface FollowedList {
	objectType: string;
	/** Date field that the list is sorted by. */
	field: CursorSort;
	additional?: Readonly<Record<string, unknown>>;
	/** Text that the user entered in the option Start Over. A new text discards the stored progress. */
	startOver?: string;
	/** `owner` identifies the credential. `access` is a digest of the credential's Base URL and API key. */
	owner: string;
	access: string;
	startFrom: 'now' | 'beginning' | 'date';
	/** Date to start from, in ms since 1970. Used only if `startFrom` is 'date'. */
	startDate?: number;
	/** Current time by n8n's clock, in ms since 1970. */
	now: number;
	/** Maximum delay in ms between the date of a change and the time when the list shows the change. */
	lookbackMs: number;
}

/** Settings for reading changes. The trigger and Sync use different values. */
export interface ChangesSettings {
	/**
	 * Lookback window in ms: the expected maximum delay between the date of a change and its appearance in the list. A
	 * change with a longer delay may be missed.
	 */
	lookbackMs: number;
	/** Returns the current time by n8n's clock, in ms since 1970. */
	now: () => number;
	/** Maximum number of stored versions newer than the high-water mark (default 2,000). Keeps the checkpoint small. */
	maxRemembered?: number;
	/** Maximum number of records to return. If it is 0, reading stops before the first new record is returned. */
	maxRecords: number;
	/** Maximum number of records in a batch. A page with more records is split into several batches. */
	maxPerBatch?: number;
	/** Called after each page. Returns false if there is no time for another page. Undefined for Sync. */
	hasTimeLeft?: () => boolean;
}

/** Reason why reading does not simply continue from the checkpoint. `none`: no checkpoint is stored. */
export type ResumeReason = 'none' | 'startOver' | 'otherList' | 'otherFilter' | 'otherVersion';

/** Checkpoint to continue from, or why it is refused. `from`: date (ms since 1970) used instead of a saved cursor. */
export type Resumed =
	| {
			checkpoint: Checkpoint;
			reason?: ResumeReason;
			from?: number;
			hasOtherAccess?: true | undefined;
	  }
	| { refusal: 'damaged' | 'otherOwner' };

/**
 * Returns the checkpoint to continue from, or why the stored one cannot be used. Accepts any value and never throws.
 * Discards progress only if Start Over has a new text, or if the object type or the event has changed.
 */
export function resumeFrom(stored: unknown, start: FollowedList): Resumed {
	const fresh = newCheckpoint(start);
	if (stored === undefined || stored === null) return { checkpoint: fresh, reason: 'none' };
	const known: Partial<Record<keyof Checkpoint, unknown>> = isObject(stored) ? stored : {};
	// If the stored texts of Start Over are damaged, treat the current text as new.
	const knownTexts = isPacked(known.startOver) ? unpack(known.startOver) : [];
	const isNew = !knownTexts.includes(fresh.startOver) && start.startOver !== undefined;
	fresh.startOver = pack(
		isNew ? [...knownTexts.slice(1 - MAX_START_OVER_TEXTS), fresh.startOver] : knownTexts,
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

function newCheckpoint(start: FollowedList): Checkpoint {
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
		// Start just after Start Date, because only records with a later date are returned.
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

/**
 * Returns a checkpoint without cursors. Reading continues from a date, and all records with an earlier date have been
 * read. The checkpoint keeps the digests, so that no record is returned twice. Returns the refusal `damaged` if the
 * stored checkpoint has no readable date.
 */
function continueByDate(
	known: Partial<Record<keyof Checkpoint, unknown>>,
	fresh: Checkpoint,
	{ lookbackMs, now }: FollowedList,
	reason: ResumeReason,
): Resumed {
	const { starting, startedAt, settled, watermark } = known;
	const date = (value: unknown): number => (isNumber(value) ? value : -Infinity);
	const packed = (value: unknown): string => (isPacked(value) ? value : '');
	const seenAtWatermark = packed(known.seenAtWatermark);
	const remembered = { seen: packed(known.seen), undated: packed(known.undated) };
	const isEmpty = settled === null && watermark === null;
	// Keep the start time if Start From is Now and no poll has reached the end, or if Filters changed before any date
	// was read. Otherwise, old records that match the new Filters would be returned.
	const firstStart = isNumber(startedAt) ? startedAt : fresh.startedAt;
	if (starting === true || (isEmpty && fresh.starting && reason === 'otherFilter')) {
		const highWaterMark = { watermark: date(watermark) === -Infinity ? null : date(watermark) };
		const checkpoint = { ...fresh, ...remembered, ...highWaterMark, seenAtWatermark };
		const begun = { ...checkpoint, starting: true, startedAt: firstStart };
		return { checkpoint: begun, reason, from: firstStart };
	}
	// Do not continue from a date within the lookback window, because changes could be missed. `settled` can be such a
	// date if n8n's clock has been set back.
	const from = Math.max(Math.min(date(settled), now - lookbackMs), date(watermark));
	if (from === -Infinity && !isEmpty) return { refusal: 'damaged' };
	const checkpoint = { ...fresh, ...remembered, starting: false };
	// If no date has been read yet, every record that has a date is new. Keep the first start time, because a later
	// change of Filters starts again at this time.
	if (isEmpty) return { checkpoint: { ...checkpoint, startedAt: firstStart } };
	const atWatermark = from === watermark ? { seenAtWatermark } : {};
	return { checkpoint: { ...checkpoint, ...atWatermark, watermark: from }, reason, from };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
/** Checks whether a value can be a date in ms since 1970. */
const isNumber = (value: unknown): value is number =>
	typeof value === 'number' && Math.abs(value) <= 8.64e15;
const isNumberOrNull = (value: unknown): boolean => value === null || isNumber(value);

/** Type check for each member of a checkpoint, except `version` and `savedCursors`, which `isCheckpoint` checks. */
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
	return (
		areRight && MEMBERS.every(([isRight, names]) => names.every((name) => isRight(value[name])))
	);
}

function isSavedCursor(value: unknown): boolean {
	const { cursor, pageSize, first, before } = isObject(value) ? value : {};
	const isWhere = isCount(pageSize) && (before === 0 || isCount(before));
	return isWhere && isPacked(first) && isText(cursor) && cursor !== '';
}
