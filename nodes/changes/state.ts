import { isObject } from '../client/envelope';
import { canonicalJson } from '../client/exact-json';
import { isCount, type CursorSort } from '../lists/page';
import { digestOf, isPacked } from '../lists/version';

/** What is remembered between polls: plain JSON without secrets, under 64 KB, which n8n copies often. */
export interface State {
	version: typeof STATE_VERSION;
	/** Of the settings that it belongs to. */
	fingerprint: string;
	owner: Owner;
	/** Start from now: what is read counts as dealt with until the end was reached once. */
	starting: boolean;
	/** What is older has been dealt with, in ms; null where that is said of nothing. */
	watermark: number | null;
	/** The last versions dated `watermark` that were dealt with and are not among `seen`. */
	seenAtWatermark: string;
	/** Those that were dealt with after them, in order; then those that did not come back. */
	seen: string;
	/** Those without a date that were dealt with. */
	undated: string;
	/** The newest date ever met, in ms; and when it was met, by the clock of n8n. */
	newest: number | null;
	newestAt: number;
	/** True where the last saved cursor leads past versions dated `watermark` that are not known yet to be dealt with. */
	isSkipping: boolean;
	/** Where reading may begin: the last one leads to the first of `seen`, one before it to a page earlier. */
	savedCursors: SavedCursor[];
	/** What lists of this service begin with, once larger limits were tried; null before. */
	limit: number | null;
	/** How many polls in a row have brought no record and come no nearer to the end of the list. */
	futile: number;
}

/** Whose records a state is about. */
export interface Owner {
	/** The workspace, as a digest of what whoami calls it; null where whoami does not name it. */
	workspace: string | null;
	/** n8n's id of the credential; null where n8n does not tell. */
	credential: string | null;
}

/** As whoami tells it now: all that the workspace is known by, the best first. */
export type FoundOwner = Owner & { names?: readonly string[] };

/** It may lead elsewhere the next time. */
export interface SavedCursor {
	cursor: string;
	/** The `limit` that was sent with it, and that it goes with until the list is begun again. */
	limit: number;
	/** The first record that came, by its digest. */
	first: string;
}

/** Raised when the form of the state changes; other versions start over. */
export const STATE_VERSION = 8;

/** The smallest step in ms that a number of ms since 1970 can make. */
export const NEXT_DATE = 1 / 4_096;

/** What a state belongs to; where one of these changes, reading starts over. */
export interface Start {
	baseUrl: string;
	objectType: string;
	/** The date that the list is in the order of. */
	field: CursorSort;
	additional?: Readonly<Record<string, unknown>>;
	/** Another text is meant to start over. */
	startOver?: string;
	owner: FoundOwner;
	startFrom: 'now' | 'beginning' | 'date';
	/** In ms since 1970. */
	startDate?: number;
}

/** Why a stored state is not used. */
export type WhyNoState = 'none' | 'otherSettings' | 'otherWorkspace' | 'damaged';

/** A copy of the stored state; or one that has read nothing yet, and why. Never throws, whatever was stored. */
export function openState(stored: unknown, start: Start): { state: State; reason?: WhyNoState } {
	const { baseUrl, objectType, field, additional, startOver, startDate = 0 } = start;
	const { names, ...owner } = start.owner;
	const settings = [baseUrl, objectType, field, { additional, startOver }];
	const fingerprint = digestOf(canonicalJson(settings));
	const fresh: State = {
		version: STATE_VERSION,
		fingerprint,
		owner,
		starting: start.startFrom === 'now',
		// Start Date itself is excluded.
		watermark: start.startFrom === 'date' ? startDate + NEXT_DATE : null,
		seenAtWatermark: '',
		seen: '',
		undated: '',
		newest: null,
		newestAt: 0,
		isSkipping: false,
		savedCursors: [],
		limit: null,
		futile: 0,
	};
	if (stored === undefined || stored === null) return { state: fresh, reason: 'none' };
	if (!isState(stored)) return { state: fresh, reason: 'damaged' };
	if (stored.fingerprint !== fingerprint) return { state: fresh, reason: 'otherSettings' };
	const isSame = isSameOwner(stored.owner, owner, names);
	if (!isSame) return { state: fresh, reason: 'otherWorkspace' };
	// The stored id stays: with one more field, whoami may name the same workspace by a better one.
	const workspace = stored.owner.workspace ?? owner.workspace;
	return { state: { ...stored, owner: { ...owner, workspace } } };
}

/** By workspace where whoami has named it both times, since the key or the whole credential may be replaced. */
function isSameOwner(before: Owner, now: Owner, names: FoundOwner['names'] = []): boolean {
	const isNamed = before.workspace !== null && now.workspace !== null;
	if (!isNamed) return before.credential === now.credential;
	return [now.workspace, ...names].includes(before.workspace);
}

const isName = (value: unknown): boolean =>
	value === null || (typeof value === 'string' && value !== '');
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
const isNumberOrNull = (value: unknown): boolean => value === null || Number.isFinite(value);

const MEMBERS: { [Name in keyof State]: (value: unknown) => boolean } = {
	version: (value) => value === STATE_VERSION,
	fingerprint: (value) => typeof value === 'string',
	owner: (value) => isObject(value) && isName(value.workspace) && isName(value.credential),
	starting: isBoolean,
	watermark: isNumberOrNull,
	seenAtWatermark: isPacked,
	seen: isPacked,
	undated: isPacked,
	newest: isNumberOrNull,
	newestAt: Number.isFinite,
	isSkipping: isBoolean,
	savedCursors: (value) => Array.isArray(value) && value.every(isSavedCursor),
	limit: isNumberOrNull,
	futile: Number.isSafeInteger,
};

function isState(value: unknown): value is State {
	const members = Object.entries(MEMBERS);
	return isObject(value) && members.every(([name, isRight]) => isRight(value[name]));
}

function isSavedCursor(value: unknown): boolean {
	const { cursor, limit, first } = isObject(value) ? value : {};
	return isCount(limit) && isPacked(first) && isName(cursor) && cursor !== null;
}
