import { bodyWithAllDigits } from './exact-json';
import type { CursorSort, FetchedPage } from './pages';

/** Whether two pages begin with the same record, by its id: other fields may differ from one answer to the next. */
export function beginsAlike(page: FetchedPage, other: FetchedPage): boolean {
	const id = firstIdOf(page);
	return id !== undefined && id === firstIdOf(other);
}

/**
 * Whether one page is the beginning of another: then its cursor leads to one place whatever limit comes with it. Pages
 * of the same length may be the same page of a service that counts pages.
 */
export function isOneBeginning(page: FetchedPage, longer: FetchedPage): boolean {
	const { length } = page.envelope.data.items;
	return length < longer.envelope.data.items.length && beginsAlike(page, longer);
}

/** With all its digits, since ids may be numbers beyond 2^53. */
function firstIdOf({ envelope, text }: FetchedPage): string | undefined {
	const exact = bodyWithAllDigits({ body: envelope, text }) as FetchedPage['envelope'];
	const id: unknown = exact.data.items[0]?.id;
	return id === undefined || id === null ? undefined : JSON.stringify(id);
}

/** The first and the last record of a page. */
export type EndsOfPage = [Record<string, unknown>, Record<string, unknown>];

/**
 * Whether a page surely begins after the last record before it, in the order of cursors (docs/assumptions.md, A1).
 * Where dates and ids do not tell, it may have begun earlier.
 */
export function follows(
	{ envelope }: FetchedPage,
	[start, last]: EndsOfPage,
	sort: CursorSort,
): boolean {
	const [first] = envelope.data.items;
	if (first === undefined) return true;
	// A list that goes down shows it on the page before.
	return isBefore(last, first, sort) && (start === last || isBefore(start, last, sort));
}

function isBefore(
	last: Record<string, unknown>,
	first: Record<string, unknown>,
	sort: CursorSort,
): boolean {
	if (last[sort] === first[sort]) return isLess(last.id, first.id);
	// One service writes its dates at several lengths, and to the microsecond.
	const differenceMs = Date.parse(String(last[sort])) - Date.parse(String(first[sort]));
	return differenceMs < 0 || (!(differenceMs > 0) && isLess(last[sort], first[sort]));
}

/** Numbers, and texts of the same length: for others nobody knows what their order goes by. */
function isLess(value: unknown, other: unknown): boolean {
	if (typeof value === 'number' && typeof other === 'number') return value < other;
	const areTexts = typeof value === 'string' && typeof other === 'string';
	return areTexts && value.length === other.length && value < other;
}
