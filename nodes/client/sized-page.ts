import type { ListEnvelope } from './api';
import { isRefusal, ServiceFailure } from './failures';
import type { CursorSort, PageHooks } from './page';
import type { PageSize } from './page-size';

/** A page with the `limit` that it was asked for by: its cursor may be good for that alone. */
export interface SizedPage {
	envelope: ListEnvelope;
	limit: number;
}

/** Asks for the page at one place of the list, by any size. */
export type AskForPage = (
	limit: number,
	hooks: Pick<PageHooks, 'isLarger' | 'onAnswer'>,
) => Promise<ListEnvelope>;

/** Where a list has been read to. */
export interface ReadTo {
	/** The most records that the next page may hold. */
	most: number;
	/** The `limit` of the page before it; undefined where the list begins, here or with a cursor of the user's. */
	limitBefore: number | undefined;
	/** The last record before it; undefined where none has come. */
	last: Record<string, unknown> | undefined;
	/** The date that the list is in order of. */
	sort: CursorSort;
}

/**
 * Fetches the page at one place of a list. A page that has to be shorter than the one before shows by its first record
 * whether the cursor leads to the same place with another limit; where it does not show that, or is refused, the page
 * is asked for by the limit before, and may hold more than `most`.
 */
export async function fetchSized(
	ask: AskForPage,
	pageSize: number | PageSize,
	{ most, limitBefore = 0, last, sort }: ReadTo,
): Promise<SizedPage> {
	const isProven = typeof pageSize !== 'number' && pageSize.isProven;
	const isShort = !isProven && Math.min(sizeOf(pageSize), most) < limitBefore;
	if (!isShort || last === undefined) return await fetchUpTo(ask, pageSize, most);
	const page = await fetchUpTo(ask, pageSize, most).catch(unlessRefused);
	if (page !== undefined && follows(page.envelope, last, sort)) return page;
	return await fetchUpTo(ask, pageSize, limitBefore);
}

/** The `limit` of the next page, where nothing but the list's own size bounds it. */
export function sizeOf(pageSize: number | PageSize): number {
	return typeof pageSize === 'number' ? pageSize : pageSize.size;
}

/**
 * Whether a page surely begins behind the last record before it, in the order of cursors (docs/api.md, Paging). Where
 * dates and ids do not tell, it may have begun earlier.
 */
function follows({ data }: ListEnvelope, last: Record<string, unknown>, sort: CursorSort): boolean {
	const [first] = data.items;
	if (first === undefined) return true;
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

/**
 * Asks for a page by the size that is due. Where that is found out, a larger one that fails is asked for again by a
 * smaller size, with the same cursor.
 */
async function fetchUpTo(
	ask: AskForPage,
	pageSize: number | PageSize,
	most: number,
): Promise<SizedPage> {
	if (typeof pageSize === 'number') {
		const limit = Math.min(pageSize, most);
		return { envelope: await ask(limit, { isLarger: false, onAnswer: () => {} }), limit };
	}
	for (;;) {
		const limit = Math.min(pageSize.size, most);
		if (limit <= pageSize.first) return await askAndNote(ask, pageSize, limit);
		const proof = pageSize.isProven ? undefined : firstSized(ask, pageSize);
		const page = await askAndNote(ask, pageSize, limit).catch((error: unknown) => {
			if (!pageSize.failed(limit, error)) throw error;
			return undefined;
		});
		if (page !== undefined) return await proven(page, pageSize, proof);
		if (proof !== undefined) return await proof;
	}
}

/**
 * The specification does not say that a cursor leads to the same place with another limit (docs/api.md, Paging), so
 * the first larger page is compared with one of the first size. Where they differ, that one is right.
 */
async function proven(
	page: SizedPage,
	pageSize: PageSize,
	proof: Promise<SizedPage> | undefined,
): Promise<SizedPage> {
	if (proof === undefined) return page;
	// A cursor that is good for one use does not go by the size of pages.
	const small = await proof.catch(unlessRefused);
	const records = small?.envelope.data.items.length ?? 0;
	if (small === undefined || beginsLike(page.envelope, small.envelope)) {
		// A service that gave no more than for the first size has shown nothing.
		pageSize.isProven = page.envelope.data.items.length > records;
		return pageSize.isProven ? page : (small ?? page);
	}
	pageSize.keepFirst();
	return small;
}

function unlessRefused(error: unknown): undefined {
	if (error instanceof ServiceFailure && isRefusal(error)) return undefined;
	throw error;
}

async function askAndNote(ask: AskForPage, pageSize: PageSize, limit: number): Promise<SizedPage> {
	let facts = { tookMs: 0, characters: 0 };
	const envelope = await ask(limit, {
		isLarger: limit > pageSize.first,
		onAnswer: (answer) => (facts = answer),
	});
	const hasNext = Boolean(envelope.meta.pagination.next_cursor);
	pageSize.came({ asked: limit, received: envelope.data.items.length, hasNext, ...facts });
	return { envelope, limit };
}

/** Asks for the same place by the first size, beside the larger one. Whoever waits for it gets its failure. */
function firstSized(ask: AskForPage, pageSize: PageSize): Promise<SizedPage> {
	const limit = pageSize.first;
	const page = ask(limit, { isLarger: false, onAnswer: () => {} });
	const sized = page.then((envelope) => ({ envelope, limit }));
	sized.catch(() => undefined);
	return sized;
}

function beginsLike(page: ListEnvelope, other: ListEnvelope): boolean {
	const [first] = page.data.items;
	const [otherFirst] = other.data.items;
	const isNamed = typeof first?.id === 'string' && first.id === otherFirst?.id;
	return isNamed || JSON.stringify(first) === JSON.stringify(otherFirst);
}
