import type { ListEnvelope } from './api';
import type { PageHooks } from './page';
import type { PageSize } from './page-size';

/** Asks for the page at one place of the list, by any size. */
export type AskForPage = (
	limit: number,
	hooks: Omit<PageHooks, 'isWanted'>,
) => Promise<ListEnvelope>;

/**
 * Fetches the page at one place of a list. Where its size is found out, a larger one that fails is asked for again
 * by a smaller size, with the same cursor.
 *
 * @param most the most records that the page may hold
 */
export async function fetchSized(
	ask: AskForPage,
	pageSize: number | PageSize,
	most: number,
): Promise<ListEnvelope> {
	if (typeof pageSize === 'number') {
		return await ask(Math.min(pageSize, most), { isLarger: false, onAnswer: () => {} });
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
	page: ListEnvelope,
	pageSize: PageSize,
	proof: Promise<ListEnvelope> | undefined,
): Promise<ListEnvelope> {
	// One that fails proves nothing.
	const small = await proof?.catch(() => undefined);
	pageSize.isProven = true;
	if (small === undefined || beginsLike(page, small)) return page;
	pageSize.keepFirst();
	return small;
}

async function askAndNote(
	ask: AskForPage,
	pageSize: PageSize,
	limit: number,
): Promise<ListEnvelope> {
	let facts = { tookMs: 0, characters: 0 };
	const page = await ask(limit, {
		isLarger: limit > pageSize.first,
		onAnswer: (answer) => (facts = answer),
	});
	const hasNext = Boolean(page.meta.pagination.next_cursor);
	pageSize.came({ asked: limit, received: page.data.items.length, hasNext, ...facts });
	return page;
}

/** Asks for the same place by the first size, beside the larger one. Whoever waits for it gets its failure. */
function firstSized(ask: AskForPage, pageSize: PageSize): Promise<ListEnvelope> {
	const page = ask(pageSize.first, { isLarger: false, onAnswer: () => {} });
	page.catch(() => undefined);
	return page;
}

function beginsLike(page: ListEnvelope, other: ListEnvelope): boolean {
	const [first] = page.data.items;
	const [otherFirst] = other.data.items;
	const isNamed = typeof first?.id === 'string' && first.id === otherFirst?.id;
	return isNamed || JSON.stringify(first) === JSON.stringify(otherFirst);
}
