import { bodyWithAllDigits, canonicalJson, digestOf, WrittenNumber } from '../client/exact-json';
import { preciseTimeOf } from './dates';
import { countOf, recordsOf, type CursorSort, type FetchedPage } from './page';

/** A record version (a record together with its date), in the form that checkpoints store. */
export interface Version {
	digest: string;
	/**
	 * Date that the list is sorted by, in ms since 1970. Null if the date is missing, unreadable or without seconds.
	 */
	time: number | null;
}

/** Returns the digest and the date of each record on a page, in the order of the page. */
export function versionsOf(page: FetchedPage, field: CursorSort): Version[] {
	return page.envelope.data.items.map((item, index) => {
		const time = preciseTimeOf(item[field]);
		// Use the time instead of the text of the date, because the service may change the format of dates, for example
		// the time zone or the number of zeros.
		const identity =
			time === null ? identityAt(page, index, field) : `${identityAt(page, index, 'id')} ${time}`;
		return { digest: digestOf(identity), time };
	});
}

/**
 * Returns the identity of a record: its `id` and the value of `field` as JSON. If one of them is missing, the whole
 * record is its identity. Returns an empty text if the page has no record at `index`.
 */
export function identityAt(page: FetchedPage, index: number, field: CursorSort | 'id'): string {
	if (index >= countOf(page)) return '';
	const record = exactRecord(page, index, field);
	const { id, [field]: value } = record;
	return canonicalJson(isIdentity(id) && isIdentity(value) ? [id, value] : record);
}

/** Returns a text that identifies a page: its number of records, and the identities of its first and last records. */
export function fingerprintOf(page: FetchedPage, field: CursorSort): string {
	const count = countOf(page);
	return [count, identityAt(page, 0, field), identityAt(page, count - 1, field)].join();
}

/**
 * Returns the identities of the records on a page. If `field` is omitted, a record keeps its identity when it changes.
 */
export function identitiesOf(page: FetchedPage, field: CursorSort | 'id' = 'id'): string[] {
	return page.envelope.data.items.map((_item, index) => identityAt(page, index, field));
}

/**
 * Checks whether the records of a page have ids. Records without ids cannot be distinguished, because different records
 * can be equal.
 */
export function hasIds({ envelope }: FetchedPage): boolean {
	const { items } = envelope.data;
	return items.length > 0 && isIdentity(items[0].id) && isIdentity(items[items.length - 1].id);
}

/** Returns a record with all digits of its numbers, because long ids can differ in the last digits only. */
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
