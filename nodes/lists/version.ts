import { createHash } from 'crypto';

import type { ListEnvelope } from '../client/api';
import { isObject } from '../client/envelope';
import { bodyWithAllDigits, canonicalJson, WrittenNumber } from '../client/exact-json';
import { preciseTimeOf } from './dates';
import type { CursorSort, FetchedPage } from './page';

/** One version of a record, as it is remembered. */
export interface Version {
	digest: string;
	/** The date that the list is in the order of, in ms since 1970; null where it cannot be read. */
	time: number | null;
}

/** The versions of a page's records, in its order. */
export function versionsOf(
	{ envelope, text }: FetchedPage,
	field: CursorSort,
	read = preciseTimeOf,
): Version[] {
	const { items } = envelope.data;
	// Two ids may differ in the last digits only.
	const exact = bodyWithAllDigits({ body: envelope, text }) as ListEnvelope;
	// Of a page that was cut, the text has more records.
	return items.map((item, index) => ({
		digest: digestOfVersion(exact.data.items[index], field),
		time: read(item[field]),
	}));
}

/** The same `id` with the same order value is the same version; without one of them, only the same content is. */
function digestOfVersion(record: Readonly<Record<string, unknown>>, field: CursorSort): string {
	const { id, [field]: value } = record;
	const isNamed = isName(id) && isName(value);
	return digestOf(canonicalJson(isNamed ? [id, value] : withoutNulls(record)));
}

function isName(value: unknown): boolean {
	if (typeof value === 'string') return value !== '';
	return typeof value === 'number' || value instanceof WrittenNumber;
}

/** A service may send a field that has no value as null or not at all. */
function withoutNulls(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutNulls);
	if (!isObject(value) || value instanceof WrittenNumber) return value;
	const entries = Object.entries(value).filter(([, member]) => member !== null);
	return Object.fromEntries(entries.map(([name, member]) => [name, withoutNulls(member)]));
}

/** 66 bits of the SHA-256 of a text, in base64, so that thousands of them never meet by chance. */
export function digestOf(text: string): string {
	return createHash('sha256').update(text).digest('base64').slice(0, 11);
}

/** Digests as one text, which `unpack` takes apart again. */
export function pack(digests: Iterable<string>): string {
	return [...digests].join('');
}

export function unpack(packed: string): string[] {
	return packed.match(/.{11}/g) ?? [];
}

/** True for what `pack` gives. */
export function isPacked(value: unknown): value is string {
	return typeof value === 'string' && /^([A-Za-z0-9+/]{11})*$/.test(value);
}
