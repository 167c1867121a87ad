import { bodyWithAllDigits, canonicalJson, digestOf, WrittenNumber } from '../client/exact-json';
import { preciseTimeOf } from './dates';
import { countOf, recordsOf, type CursorSort, type FetchedPage } from './page';

/** One version of a record, as it is remembered. */
export interface Version {
	digest: string;
	/** The date that the list is in the order of, in ms since 1970; null where it cannot be read. */
	time: number | null;
}

/** The versions of a page's records, in its order; of a page that was cut, its text has more. */
export function versionsOf(page: FetchedPage, field: CursorSort): Version[] {
	return page.envelope.data.items.map((item, index) => {
		const time = preciseTimeOf(item[field]);
		// A service may write the same moment in another form one day, with another zone or more zeros.
		const identity =
			time === null ? identityAt(page, index, field) : `${identityAt(page, index, 'id')} ${time}`;
		return { digest: digestOf(identity), time };
	});
}

/** What distinguishes one record from others, with this field: `id` and its value; all of the record where it lacks one of them. */
export function identityAt(page: FetchedPage, index: number, field: CursorSort | 'id'): string {
	if (index >= countOf(page)) return '';
	const record = exactRecord(page, index, field);
	const { id, [field]: value } = record;
	return canonicalJson(isIdentity(id) && isIdentity(value) ? [id, value] : record);
}

/** What distinguishes a page with records from others: how many they are, and the first and the last of them. */
export function fingerprintOf(page: FetchedPage, field: CursorSort): string {
	const count = countOf(page);
	return [count, identityAt(page, 0, field), identityAt(page, count - 1, field)].join();
}

/** The records of a page; by their ids alone, whatever their dates are by now. */
export function identitiesOf(page: FetchedPage, field: CursorSort | 'id' = 'id'): string[] {
	return page.envelope.data.items.map((_item, index) => identityAt(page, index, field));
}

/** False where equal records may be different ones. */
export function hasIds({ envelope }: FetchedPage): boolean {
	const { items } = envelope.data;
	return items.length > 0 && isIdentity(items[0].id) && isIdentity(items[items.length - 1].id);
}

/** A record with all digits of its numbers: two ids may differ in the last ones only. */
function exactRecord(page: FetchedPage, index: number, field: CursorSort | 'id') {
	const record = page.envelope.data.items[index];
	if (isExact(record.id) && isExact(record[field])) return record;
	const { text, starts, ends } = recordsOf(page);
	const ownText = text.slice(starts[index], ends[index]);
	return bodyWithAllDigits({ body: record, text: ownText }) as typeof record;
}

function isExact(value: unknown): boolean {
	return (typeof value === 'string' && value !== '') || Number.isSafeInteger(value);
}

function isIdentity(value: unknown): boolean {
	if (typeof value === 'string') return value !== '';
	return typeof value === 'number' || value instanceof WrittenNumber;
}
