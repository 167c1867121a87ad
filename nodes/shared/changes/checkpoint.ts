import { isObject } from '../client/json';
import { canonicalJson, digestOf } from '../client/exact-json';
import { isCount, type CursorSort } from '../lists/page';

/**
 * Progress that is stored between two polls or runs. It is plain JSON without secrets and records. It stays under 64
 * KB, because n8n copies it often.
 */
export interface Checkpoint {
	version: typeof CHECKPOINT_VERSION;
	/** Digests of the object type with the event, and of Filters. */
	list: string;
	filter: string;
	/**
	 * Digests of the last texts in Start Over. Several texts are stored, because an older version of the workflow can
	 * bring back an old text, and an old text must not start over again.
	 */
	startOver: string;
	/** Credential that the records were read with (`owner` of the session). */
	owner: string;
	/** Digest of Base URL and key. A different digest shows that the Base URL or the key was replaced. */
	access: string;
	/**
	 * True with Start From: Now, until a poll reaches the end of the list. Until then, versions dated up to `startedAt`
	 * are skipped.
	 */
	starting: boolean;
	/** Time of the first poll by n8n's clock, in ms since 1970. */
	startedAt: number;
	/**
	 * High-water mark in ms since 1970: every version with an older date has been processed. Null if there is no
	 * high-water mark yet.
	 */
	watermark: number | null;
	/** Digests of the last processed versions whose date is exactly `watermark`. Versions in `seen` are left out. */
	seenAtWatermark: string;
	/**
	 * Digests of processed versions dated `watermark` or later. Versions that the list no longer shows come first. The
	 * other versions follow in list order.
	 */
	seen: string;
	/** Digests of processed versions without a date. */
	undated: string;
	/**
	 * Newest record date that was not in the future by n8n's clock, and the time by n8n's clock when that record was
	 * read. Both are in ms since 1970.
	 */
	newest: number | null;
	newestAt: number;
	/**
	 * Date in ms since 1970: every version with an older date has been read. This date can be newer than `watermark`.
	 * Null if the date is unknown.
	 */
	settled: number | null;
	/** True if the last saved cursor leads past versions dated `watermark` that may not have been processed. */
	isSkipping: boolean;
	/**
	 * Cursors that the next poll can begin with, tried from the last to the first. The last cursor leads to the first
	 * version of `seen`, or to the page before that version. Earlier cursors lead farther back in the list.
	 */
	savedCursors: SavedCursor[];
	/**
	 * Total of the list when a poll last reached the end of the list, plus the number of records returned since then.
	 * Null if the service gives no total.
	 */
	total: number | null;
	/** Number of consecutive polls that returned no record and came no nearer to the end of the list. */
	futile: number;
}

/**
 * A cursor that the next poll can begin with, so that it need not read the list from its beginning. If the list has
 * changed, the cursor may lead to another position.
 */
export interface SavedCursor {
	cursor: string;
	/** Page size of the request that returned the cursor. The cursor is only sent with the same page size. */
	pageSize: number;
	/** Digest of the first record that the cursor led to. */
	first: string;
	/** Number of records in the list before this first record. */
	before: number;
}

/**
 * Version of the checkpoint's form. Increase it if the form changes. `resumeFrom` and `continueByDate` also read
 * checkpoints of older versions, so the members that they read must keep their names.
 */
export const CHECKPOINT_VERSION = 12;

/** Joins digests (11 characters each) into one text for `unpack`. */
export function pack(digests: Iterable<string>): string {
	return [...digests].join('');
}

export function unpack(packed: string): string[] {
	return packed.match(/.{11}/g) ?? [];
}

function isPacked(value: unknown): value is string {
	return typeof value === 'string' && /^([A-Za-z0-9+/]{11})*$/.test(value);
}

/** Maximum number of remembered texts of Start Over. */
const MAX_START_OVER_TEXTS = 50;

/**
 * Step in ms that is added to a date to get a time just after the date. Dates are rounded to microseconds, so two
 * different dates differ by more than this step. A number of ms since 1970 can still hold the step exactly.
 */
export const MIN_DATE_STEP_MS = 1 / 4_096;

/** The list to follow, the credential, and the date to start from. */
export interface Followed {
	objectType: string;
	/** Date field that the list is sorted by. */
	field: CursorSort;
	additional?: Readonly<Record<string, unknown>>;
	/** Text of Start Over. A text that was not used before starts over. */
	startOver?: string;
	/** `owner` and `access` have the same meaning as in `Checkpoint`. */
	owner: string;
	access: string;
	startFrom: 'now' | 'beginning' | 'date';
	/** Date in ms since 1970, for `startFrom: 'date'`. */
	startDate?: number;
	/** Current time by n8n's clock, in ms since 1970. */
	now: number;
	/** `lookbackMs` has the same meaning as in `ChangesSettings`. */
	lookbackMs: number;
}

/** Settings in which the trigger and Sync differ. */
export interface ChangesSettings {
	/**
	 * Maximum delay in ms between the date of a change and the moment when the list shows the change. Changes with a
	 * longer delay may be missed.
	 */
	lookbackMs: number;
	/** Returns the time by n8n's clock, in ms since 1970. */
	now: () => number;
	/** Maximum number of remembered versions, 2,000 by default. This number limits the size of the checkpoint. */
	maxRemembered?: number;
	/** Maximum number of records to return. With 0, the poll pauses before the first new record. */
	maxRecords: number;
	/** Maximum number of records in a batch. A larger page is split. */
	maxPerBatch?: number;
	/**
	 * Returns false if the time of the poll is used up. It is called after each page. Undefined for Sync, because no
	 * next run follows by itself.
	 */
	mayContinue?: () => boolean;
}

/** Reason why the poll does not continue from the stored checkpoint as it is. */
export type ResumeReason = 'none' | 'startOver' | 'otherList' | 'otherFilter' | 'otherVersion';

/**
 * Checkpoint to continue from, or the reason why the stored checkpoint is refused. If the poll continues by date,
 * `from` is this date in ms since 1970.
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
 * Returns the checkpoint to continue from, or the reason to refuse the stored checkpoint. Accepts any stored value and
 * never throws. Drops progress only if the user enters a new text in Start Over, or changes the object type or the
 * event.
 */
export function resumeFrom(stored: unknown, start: Followed): Resumed {
	const fresh = newCheckpoint(start);
	if (stored === undefined || stored === null) return { checkpoint: fresh, reason: 'none' };
	const known: Partial<Record<keyof Checkpoint, unknown>> = isObject(stored) ? stored : {};
	// If the stored texts are damaged, the current text of Start Over counts as new.
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
		// Start just after Start Date, because a record with exactly this date is not returned.
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
 * Returns a new checkpoint that continues from the date before which every version has been read. Keeps the remembered
 * versions, so that they are not returned again.
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
	// If Start From: Now has not reached the end of the list, begin again with the first `startedAt`. Do the same if
	// Filters have changed before any date was read, because the new Filters may show records that existed before the
	// start.
	if (starting === true || (isEmpty && fresh.starting && reason === 'otherFilter')) {
		const from = isNumber(startedAt) ? startedAt : fresh.startedAt;
		const highWaterMark = { watermark: date(watermark) === -Infinity ? null : date(watermark) };
		const checkpoint = { ...fresh, ...remembered, ...highWaterMark, seenAtWatermark };
		return { checkpoint: { ...checkpoint, starting: true, startedAt: from }, reason, from };
	}
	// Limit `settled` by n8n's present time, because n8n's clock may have been set back since `settled` was stored.
	const from = Math.max(Math.min(date(settled), now - lookbackMs), date(watermark));
	if (from === -Infinity && !isEmpty) return { refusal: 'damaged' };
	const checkpoint = { ...fresh, ...remembered, starting: false };
	// If no date was read so far, every record with a date is new.
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

/** Members with their type checks. `isCheckpoint` checks `version` and `savedCursors` itself. */
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
