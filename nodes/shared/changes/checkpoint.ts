import { isObject } from '../client/json';
import { canonicalJson, digestOf } from '../client/exact-json';
import { isCount, type CursorSort } from '../lists/page';

/**
 * Progress of the trigger or of Sync, stored between two polls or runs. A record version in these comments is a record
 * together with its date. The checkpoint is plain JSON and contains no secrets and no records. Its size stays below 64
 * KB, because n8n copies it often.
 */
export interface Checkpoint {
	version: typeof CHECKPOINT_VERSION;
	/** `list` is a digest of the object type and the event. `filter` is a digest of the option Filters. */
	list: string;
	filter: string;
	/**
	 * Digests of the last texts that the user entered in the option Start Over. Each text starts over only once, even
	 * if the user restores an older version of the workflow with an older text.
	 */
	startOver: string;
	/**
	 * Identifies the credential that the records were read with. Another credential cannot continue from this
	 * checkpoint.
	 */
	owner: string;
	/**
	 * Digest of the credential's Base URL and API key. A different digest shows that the user has replaced one of them.
	 */
	access: string;
	/**
	 * True if Start From is Now and no poll has reached the end of the list yet. Record versions dated up to
	 * `startedAt` are then skipped.
	 */
	starting: boolean;
	/**
	 * Time of the first poll in ms since 1970: by n8n's clock, or by the service's clock if the service's time is
	 * earlier.
	 */
	startedAt: number;
	/**
	 * High-water mark in ms since 1970: every record version with an older date has been processed. Null before the
	 * first one.
	 */
	watermark: number | null;
	/**
	 * Digests of the last processed record versions dated exactly `watermark`. Other record versions with this date can
	 * be in `seen`.
	 */
	seenAtWatermark: string;
	/**
	 * Digests of processed record versions dated `watermark` or later. Record versions that the list no longer shows
	 * come first. The others follow in list order.
	 */
	seen: string;
	/**
	 * Digests of processed records without a usable date: missing, unreadable, or more than a day ahead of n8n's clock.
	 */
	undated: string;
	/**
	 * `newest` is the newest record date read so far, ignoring dates in the future. `newestAt` is the time by n8n's
	 * clock when that date was read. Both are in ms since 1970.
	 */
	newest: number | null;
	newestAt: number;
	/**
	 * Date to continue from if Filters or the structure of the checkpoint change, in ms since 1970. Every record
	 * version with an older date has been read. This date can be newer than `watermark`. Null if it is unknown.
	 */
	settled: number | null;
	/**
	 * True if the last poll paused among record versions that it assumed to be processed. They are dated exactly
	 * `watermark`, and their digests are no longer stored. The next poll checks this assumption.
	 */
	isSkipping: boolean;
	/**
	 * Cursors that the next poll can begin with, in list order. The next poll tries the last cursor first. This cursor
	 * leads to the first record version of `seen`, or to the page before that record version.
	 */
	savedCursors: SavedCursor[];
	/**
	 * Expected number of records in the list: the total when a poll last reached the end of the list, plus the number
	 * of records returned since then. Null if the service returns no total.
	 */
	total: number | null;
	/**
	 * Number of consecutive polls without progress. Such a poll returns no record and comes no nearer to the end of the
	 * list.
	 */
	futile: number;
}

/**
 * A cursor that the next poll can begin with, so that it need not read the list from its beginning. If the list has
 * changed, the cursor may lead to other records than before.
 */
export interface SavedCursor {
	cursor: string;
	/** Page size of the request that returned the cursor. The node sends the cursor only with this page size. */
	pageSize: number;
	/** Digest of the first record that the cursor led to when the cursor was saved. */
	first: string;
	/** Number of records in the list before the first record that the cursor leads to. */
	before: number;
}

/**
 * Version number of the checkpoint's structure. Increase it whenever the structure changes. `resumeFrom` and
 * `continueByDate` also read older checkpoints, so do not rename the members that these functions read.
 */
export const CHECKPOINT_VERSION = 12;

/** Joins digests of 11 characters each into one text. `unpack` splits the text into digests again. */
export function pack(digests: Iterable<string>): string {
	return [...digests].join('');
}

export function unpack(packed: string): string[] {
	return packed.match(/.{11}/g) ?? [];
}

function isPacked(value: unknown): value is string {
	return typeof value === 'string' && /^([A-Za-z0-9+/]{11})*$/.test(value);
}

/** Maximum number of texts of the option Start Over that a checkpoint remembers. */
const MAX_START_OVER_TEXTS = 50;

/**
 * Step in ms that is added to a date to get a time just after the date. Dates are rounded to microseconds, so no other
 * date lies within this step. A number of ms since 1970 can still hold the step exactly.
 */
export const MIN_DATE_STEP_MS = 1 / 4_096;

/** The list whose changes the trigger or Sync reads, the credential, and the date to start from. */
export interface Followed {
	objectType: string;
	/** Date field that the list is sorted by. */
	field: CursorSort;
	additional?: Readonly<Record<string, unknown>>;
	/**
	 * Text that the user entered in the option Start Over. A text that was not used before discards the stored
	 * progress.
	 */
	startOver?: string;
	/** `owner` identifies the credential. `access` is a digest of its Base URL and API key. */
	owner: string;
	access: string;
	startFrom: 'now' | 'beginning' | 'date';
	/** Date to start from, in ms since 1970. Used only if `startFrom` is 'date'. */
	startDate?: number;
	/** Current time by n8n's clock, in ms since 1970. */
	now: number;
	/** Lookback window in ms, with the same meaning as in `ChangesSettings`. */
	lookbackMs: number;
}

/** Settings for reading changes. The trigger and Sync use different values. */
export interface ChangesSettings {
	/**
	 * Lookback window in ms: maximum delay between the date of a change and the moment when the list shows the change.
	 * Changes with a longer delay may be missed.
	 */
	lookbackMs: number;
	/** Returns the current time by n8n's clock, in ms since 1970. */
	now: () => number;
	/**
	 * Maximum number of record versions that the checkpoint remembers after the high-water mark. The default is 2,000.
	 * This number limits the size of the checkpoint.
	 */
	maxRemembered?: number;
	/** Maximum number of records to return. With 0, reading pauses before the first new record. */
	maxRecords: number;
	/** Maximum number of records in a batch. The records of a larger page are split into several batches. */
	maxPerBatch?: number;
	/**
	 * Called after each page. Returns false if the poll has no time for another page. Undefined for Sync, which has no
	 * time limit, because no further run follows by itself.
	 */
	mayContinue?: () => boolean;
}

/**
 * Reason why reading does not continue from the stored checkpoint unchanged. `none` means that no checkpoint is stored.
 */
export type ResumeReason = 'none' | 'startOver' | 'otherList' | 'otherFilter' | 'otherVersion';

/**
 * Checkpoint to continue from, or the reason why the stored checkpoint cannot be used. `from` is set if reading
 * continues from a date instead of a saved cursor, in ms since 1970.
 */
export type Resumed =
	| {
			checkpoint: Checkpoint;
			reason?: ResumeReason;
			from?: number;
			hasOtherAccess?: true | undefined;
	  }
	| { refusal: 'damaged' | 'otherOwner' };

/**
 * Returns the checkpoint to continue from, or the reason why the stored checkpoint cannot be used. Accepts any stored
 * value and never throws. Discards stored progress only if Start Over has a new text, or if the object type or the
 * event has changed.
 */
export function resumeFrom(stored: unknown, start: Followed): Resumed {
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
 * Returns a checkpoint that continues from a date, without saved cursors. Every record version with an older date has
 * been read. Keeps the stored digests, so that no record version is returned twice. Refuses a checkpoint without a
 * readable date as `damaged`.
 */
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
	// If Start From is Now and no poll has reached the end of the list, keep the first `startedAt`. Do the same if
	// Filters have changed before any date was read, because records from before the start may match the new Filters.
	if (starting === true || (isEmpty && fresh.starting && reason === 'otherFilter')) {
		const from = isNumber(startedAt) ? startedAt : fresh.startedAt;
		const highWaterMark = { watermark: date(watermark) === -Infinity ? null : date(watermark) };
		const checkpoint = { ...fresh, ...remembered, ...highWaterMark, seenAtWatermark };
		return { checkpoint: { ...checkpoint, starting: true, startedAt: from }, reason, from };
	}
	// Do not go beyond the present time minus the lookback window, because n8n's clock may have been set back since
	// `settled` was stored.
	const from = Math.max(Math.min(date(settled), now - lookbackMs), date(watermark));
	if (from === -Infinity && !isEmpty) return { refusal: 'damaged' };
	const checkpoint = { ...fresh, ...remembered, starting: false };
	// If no date has been read yet, every record with a date is new.
	if (isEmpty) return { checkpoint };
	const atWatermark = from === watermark ? { seenAtWatermark } : {};
	return { checkpoint: { ...checkpoint, ...atWatermark, watermark: from }, reason, from };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
/** Checks whether a value can be a date in ms since 1970. */
const isNumber = (value: unknown): value is number =>
	typeof value === 'number' && Math.abs(value) <= 8.64e15;
const isNumberOrNull = (value: unknown): boolean => value === null || isNumber(value);

/** Type checks for the members of a checkpoint. `isCheckpoint` itself checks `version` and `savedCursors`. */
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
