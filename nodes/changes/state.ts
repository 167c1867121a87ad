import { createHash } from 'crypto';

import { isObject } from '../client/envelope';
import { DIGEST_LENGTH, type OrderField } from './version';

/**
 * What the trigger remembers from one poll to the next: plain JSON, no secret, well under 64 KB. Lists of digests
 * are packed into one text, since n8n stores and copies this often.
 */
export interface TriggerState {
	version: typeof STATE_VERSION;
	/** What this state belongs to; see `fingerprintOf`. */
	fingerprint: string;
	/** Whose records it is about. */
	owner: Owner;
	/** Where the next poll starts to read (the checkpoint): a cursor of the service, null for the beginning. */
	cursor: string | null;
	/** The page size that lists of this service begin with; null where that is not known. */
	limit: number | null;
	/** The versions after the checkpoint that are dealt with, in the service's order; packed digests. */
	seen: string;
	/** The newest order value ever met, in ms; null when none is known. */
	newest: number | null;
	/** Order value of the last record before the checkpoint, in ms; null when there is none or it has none. */
	floor: number | null;
	/** The last records before the checkpoint that have the order value `floor`; packed digests. */
	behind: string;
	/** What is not read again between the checkpoint and the end; null when all of it is. See `Gap`. */
	gap: GapState | null;
	/** While the records that existed at the start are passed over without being delivered. */
	seeding: Seeding | null;
	/** While the checkpoint is looked for again, because the service refused its cursor. */
	locating: Locating | null;
}

/** Whose records a state is about. Both null where nothing is known of it. */
export interface Owner {
	/** The workspace, as a digest of what whoami calls it; null where whoami does not name it. */
	workspace: string | null;
	/** n8n's id of the credential; null where n8n does not tell. */
	credential: string | null;
}

/** Which records existed when the trigger started. */
export interface Seeding {
	/** Those up to this order value (ms) did; null when it could not be found out, then all up to the end of the list. */
	upTo: number | null;
	/** Later ones that did as well; packed digests. */
	known: string;
}

/** Where the gap in what is read again ends. */
export interface GapState {
	/** Where reading goes on behind the gap; null while that is not known. */
	cursor: string | null;
	/** The first records of the gap; packed digests. */
	starts: string;
	/** Its last records; packed digests. */
	anchors: string;
	/** True while the place is looked for again, because the service refused its cursor. */
	isLost: boolean;
}

/** How far the search for the checkpoint has come. */
export interface Locating {
	/** Where the search goes on; null for the beginning. */
	cursor: string | null;
	/** The best place found: a page's cursor, and the records of that page that lie before the checkpoint. */
	found: { cursor: string | null; passed: string } | null;
}

/** Raised when the form of the state changes; other versions start over. */
export const STATE_VERSION = 2;

const PACKED = new RegExp(`^(?:[A-Za-z0-9+/]{${DIGEST_LENGTH}})*$`);

/** Joins digests into one text. */
export function pack(digests: Iterable<string>): string {
	return [...digests].join('');
}

/** Takes a packed text apart. */
export function unpack(packed: string): string[] {
	const digests: string[] = [];
	for (let at = 0; at < packed.length; at += DIGEST_LENGTH) {
		digests.push(packed.slice(at, at + DIGEST_LENGTH));
	}
	return digests;
}

/**
 * What a state belongs to, as a digest: address of the service, kind of records, and event. No secret goes in.
 *
 * @param more whatever else a new start follows from when it changes
 */
export function fingerprintOf(
	baseUrl: string,
	objectType: string,
	field: OrderField,
	more: readonly string[] = [],
): string {
	const text = JSON.stringify([baseUrl, objectType, field, ...more]);
	return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** A state that has read nothing yet. */
export function freshState(fingerprint: string, owner: Owner): TriggerState {
	return {
		version: STATE_VERSION,
		fingerprint,
		owner,
		cursor: null,
		limit: null,
		seen: '',
		newest: null,
		floor: null,
		behind: '',
		gap: null,
		seeding: null,
		locating: null,
	};
}

/** Nothing was stored, or something of other settings, of another workspace, or of no use. */
export type WhyNoState = 'none' | 'otherSettings' | 'otherWorkspace' | 'damaged';

/**
 * Reads a stored state. Never throws, whatever was stored.
 *
 * @param owner whose records the trigger reads now
 * @returns a copy of the state, or why there is none
 */
export function readState(
	stored: unknown,
	fingerprint: string,
	owner: Owner,
): { state: TriggerState } | { state: undefined; reason: WhyNoState } {
	if (stored === undefined || stored === null) return { state: undefined, reason: 'none' };
	if (!isObject(stored) || stored.version !== STATE_VERSION) {
		return { state: undefined, reason: 'damaged' };
	}
	if (stored.fingerprint !== fingerprint) {
		const isOther = typeof stored.fingerprint === 'string';
		return { state: undefined, reason: isOther ? 'otherSettings' : 'damaged' };
	}
	const before = readOwner(stored.owner);
	if (before === undefined) return { state: undefined, reason: 'damaged' };
	if (!isSameOwner(before, owner)) return { state: undefined, reason: 'otherWorkspace' };
	const { cursor, limit = null, seen, newest, floor, behind } = stored;
	const seeding = readSeeding(stored.seeding);
	const locating = readLocating(stored.locating);
	const gap = readGap(stored.gap);
	const isWhole =
		isText(cursor) &&
		isTime(limit) &&
		isPacked(seen) &&
		isTime(newest) &&
		isTime(floor) &&
		isPacked(behind);
	if (!isWhole || seeding === undefined || locating === undefined || gap === undefined) {
		return { state: undefined, reason: 'damaged' };
	}
	const position = { cursor, limit, seen, newest, floor, behind, gap, seeding, locating };
	const known = { ...owner, workspace: owner.workspace ?? before.workspace };
	return { state: { ...freshState(fingerprint, known), ...position } };
}

/** By workspace where whoami has named it both times: a key may be replaced within a credential, and by another credential. */
function isSameOwner(before: Owner, now: Owner): boolean {
	if (before.workspace !== null && now.workspace !== null)
		return before.workspace === now.workspace;
	return before.credential === now.credential;
}

function readOwner(value: unknown): Owner | undefined {
	if (!isObject(value) || !isText(value.workspace) || !isText(value.credential)) return undefined;
	return { workspace: value.workspace, credential: value.credential };
}

/** Undefined where it is neither null nor a right one. */
function readGap(value: unknown): GapState | null | undefined {
	if (value === null) return null;
	if (!isObject(value) || !isText(value.cursor) || !isPacked(value.anchors)) return undefined;
	const { cursor, starts, anchors, isLost } = value;
	if (!isPacked(starts) || typeof isLost !== 'boolean') return undefined;
	return { cursor, starts, anchors, isLost };
}

/** Undefined where it is neither null nor a right one. */
function readSeeding(value: unknown): Seeding | null | undefined {
	if (value === null) return null;
	if (!isObject(value) || !isTime(value.upTo) || !isPacked(value.known)) return undefined;
	return { upTo: value.upTo, known: value.known };
}

/** Undefined where it is neither null nor a right one. */
function readLocating(value: unknown): Locating | null | undefined {
	if (value === null) return null;
	if (!isObject(value) || !isText(value.cursor)) return undefined;
	const { cursor, found } = value;
	if (found === null) return { cursor, found };
	if (!isObject(found) || !isText(found.cursor) || !isPacked(found.passed)) return undefined;
	return { cursor, found: { cursor: found.cursor, passed: found.passed } };
}

function isText(value: unknown): value is string | null {
	return value === null || (typeof value === 'string' && value !== '');
}

function isTime(value: unknown): value is number | null {
	return value === null || (typeof value === 'number' && Number.isFinite(value));
}

function isPacked(value: unknown): value is string {
	return typeof value === 'string' && PACKED.test(value);
}
