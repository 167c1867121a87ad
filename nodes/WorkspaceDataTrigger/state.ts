import { createHash } from 'crypto';

import { isObject } from '../shared/envelope';
import { DIGEST_LENGTH, type OrderField } from './version';

/**
 * What the trigger remembers from one poll to the next: plain JSON, no secret, well under 64 KB. Lists of digests
 * are packed into one text, since n8n stores and copies this often.
 */
export interface TriggerState {
	version: typeof STATE_VERSION;
	/** What this state belongs to; see `fingerprintOf`. */
	fingerprint: string;
	/** Where the next poll starts to read (the checkpoint): a cursor of the service, null for the beginning. */
	cursor: string | null;
	/** The versions after the checkpoint that are dealt with, in the service's order; packed digests. */
	seen: string;
	/** The newest order value ever met, in ms; null when none is known. */
	newest: number | null;
	/** Order value of the last record before the checkpoint, in ms; null when there is none or it has none. */
	floor: number | null;
	/** The last records before the checkpoint that have the order value `floor`; packed digests. */
	behind: string;
	/** While the records that existed at the start are passed over without being delivered. */
	seeding: Seeding | null;
	/** While the checkpoint is looked for again, because the service refused its cursor. */
	locating: Locating | null;
}

/** Which records existed when the trigger started. */
export interface Seeding {
	/** Those up to this order value (ms) did; null when it could not be found out, then all up to the end of the list. */
	upTo: number | null;
	/** Later ones that did as well; packed digests. */
	known: string;
}

/** How far the search for the checkpoint has come. */
export interface Locating {
	/** Where the search goes on; null for the beginning. */
	cursor: string | null;
	/** The best place found: a page's cursor, and the records of that page that lie before the checkpoint. */
	found: { cursor: string | null; passed: string } | null;
}

/** Raised when the form of the state changes; other versions start over. */
export const STATE_VERSION = 1;

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

/** What a state belongs to, as a digest: address of the service, kind of records, and event. No secret goes in. */
export function fingerprintOf(baseUrl: string, objectType: string, field: OrderField): string {
	const text = JSON.stringify([baseUrl, objectType, field]);
	return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** A state that has read nothing yet. */
export function freshState(fingerprint: string): TriggerState {
	return {
		version: STATE_VERSION,
		fingerprint,
		cursor: null,
		seen: '',
		newest: null,
		floor: null,
		behind: '',
		seeding: null,
		locating: null,
	};
}

/**
 * Reads a stored state. Never throws, whatever was stored.
 *
 * @returns a copy of the state, or why there is none: `none` stored, one of `other` settings, or a `damaged` one
 */
export function readState(
	stored: unknown,
	fingerprint: string,
): { state: TriggerState } | { state: undefined; reason: 'none' | 'other' | 'damaged' } {
	if (stored === undefined || stored === null) return { state: undefined, reason: 'none' };
	if (!isObject(stored) || stored.version !== STATE_VERSION) {
		return { state: undefined, reason: 'damaged' };
	}
	if (stored.fingerprint !== fingerprint) {
		const isOther = typeof stored.fingerprint === 'string';
		return { state: undefined, reason: isOther ? 'other' : 'damaged' };
	}
	const { cursor, seen, newest, floor, behind } = stored;
	const seeding = readSeeding(stored.seeding);
	const locating = readLocating(stored.locating);
	const isWhole =
		isCursor(cursor) && isPacked(seen) && isTime(newest) && isTime(floor) && isPacked(behind);
	if (!isWhole || seeding === undefined || locating === undefined) {
		return { state: undefined, reason: 'damaged' };
	}
	const position = { cursor, seen, newest, floor, behind };
	return { state: { ...freshState(fingerprint), ...position, seeding, locating } };
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
	if (!isObject(value) || !isCursor(value.cursor)) return undefined;
	const { cursor, found } = value;
	if (found === null) return { cursor, found };
	if (!isObject(found) || !isCursor(found.cursor) || !isPacked(found.passed)) return undefined;
	return { cursor, found: { cursor: found.cursor, passed: found.passed } };
}

function isCursor(value: unknown): value is string | null {
	return value === null || (typeof value === 'string' && value !== '');
}

function isTime(value: unknown): value is number | null {
	return value === null || (typeof value === 'number' && Number.isFinite(value));
}

function isPacked(value: unknown): value is string {
	return typeof value === 'string' && PACKED.test(value);
}
