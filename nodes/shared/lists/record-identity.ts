import { bodyWithAllDigits, canonicalJson, digestOf, WrittenNumber } from '../client/exact-json';
import { preciseTimeOf } from './dates';
import { countOf, recordsOf, type CursorSort, type FetchedPage } from './page';

/** Record version: a record's digest and date. A changed record has a new date, and therefore a new digest. */
export interface Version {
	digest: string;
	/** Date that the list is sorted by, in ms since 1970. Null if it is missing, unreadable or without seconds. */
	time: number | null;
}

/** Returns the digest and the date of each record on a page, in the order of the page. */
export function versionsOf(page: FetchedPage, field: CursorSort): Version[] {
	return page.envelope.data.items.map((item, index) => {
		const time = preciseTimeOf(item[field]);
		// Use the time, not the text of the date, because the service may change the text, for example its time zone.
		const identity =
			time === null ? identityAt(page, index, field) : `${identityAt(page, index, 'id')} ${time}`;
		return { digest: digestOf(identity), time };
	});
}

/**
 * Returns a string that identifies a record: its `id` and the value of `field`, or the whole record if either is
 * missing.
 */
export function identityAt(page: FetchedPage, index: number, field: CursorSort | 'id'): string {
	if (index >= countOf(page)) return '';
	const record = exactRecord(page, index, field);
	const { id, [field]: value } = record;
	return canonicalJson(isIdentity(id) && isIdentity(value) ? [id, value] : record);
}

/** Returns a string that identifies a page by its number of records, its first record and its last record. */
export function fingerprintOf(page: FetchedPage, field: CursorSort): string {
	const count = countOf(page);
	return [count, identityAt(page, 0, field), identityAt(page, count - 1, field)].join();
}

/** Returns a string that identifies each record. Without `field`, the string stays the same when the record changes. */
export function identitiesOf(page: FetchedPage, field: CursorSort | 'id' = 'id'): string[] {
	return page.envelope.data.items.map((_item, index) => identityAt(page, index, field));
}

/** Checks whether the records of a page have ids. Without ids, different records can look equal. */
export function hasIds({ envelope }: FetchedPage): boolean {
	const { items } = envelope.data;
	return items.length > 0 && isIdentity(items[0].id) && isIdentity(items[items.length - 1].id);
}

/** Returns a record with all digits of its numbers, because long ids may differ only in the last digits. */
function exactRecord(page: FetchedPage, index: number, field: CursorSort | 'id') {
	const record = page.envelope.data.items[index];
	if (isExact(record.id) && isExact(record[field])) return record;
	const { text, starts, ends } = recordsOf(page);
	const recordText = text.slice(starts[index], ends[index]);
	return bodyWithAllDigits({ body: record, text: recordText }) as typeof record;
}

function isExact(value: unknown): boolean {
	return (typeof value === 'string' && value !== '') || Number.isSafeInteger(value);
}

function isIdentity(value: unknown): boolean {
	if (typeof value === 'string') return value !== '';
	return typeof value === 'number' || value instanceof WrittenNumber;
}
