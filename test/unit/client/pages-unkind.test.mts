import { describe, expect, it } from 'vitest';

import type { ListEnvelope } from '../../../nodes/client/api.ts';
import type { Page, PagingOptions } from '../../../nodes/client/pages.ts';
import { readPages } from './read-pages.mts';

const CURSOR_MODE = { mode: 'cursor', sort: 'updated_at', pageSize: 4 } as const;
const PAGE_MODE = { mode: 'page', firstPage: 1, pageSize: 4 } as const;

/** A page with the records of these numbers. */
function envelope(from: number, to: number, pagination: Record<string, unknown>): ListEnvelope {
	const items = Array.from({ length: to - from }, (_none, index) => ({ id: from + index }));
	return { data: { items }, meta: { pagination } };
}

/** Reads until the list ends or breaks off, from a service that has only these answers. */
async function read(
	options: PagingOptions,
	answers: ListEnvelope[],
): Promise<{ pages: Page[]; ids: unknown[]; requests: number; failure?: string }> {
	const pages: Page[] = [];
	let requests = 0;
	const fetchPage = async (): Promise<ListEnvelope> => answers[requests++];
	let failure: string | undefined;
	try {
		for await (const page of readPages(fetchPage, options)) pages.push(page);
	} catch (error) {
		failure = (error as { kind: string }).kind;
	}
	const ids = pages.flatMap(({ envelope: { data } }) => data.items.map(({ id }) => id));
	return { pages, ids, requests, failure };
}

describe('a page by cursor that holds more than is wanted', () => {
	it('gives no cursor that leads past its cut records, and says how many they are', async () => {
		const { pages, ids, requests } = await read({ ...CURSOR_MODE, maximum: 6 }, [
			envelope(0, 5, { next_cursor: 'c1', total: 99 }),
			envelope(5, 8, { next_cursor: 'c2', total: 99 }),
		]);
		expect(ids).toEqual([0, 1, 2, 3, 4, 5]);
		expect(requests).toBe(2);
		expect(pages.map((page) => [page.nextCursor, page.recordsLeftOut])).toEqual([
			['c1', 0],
			[undefined, 2],
		]);
		expect(pages.map(({ envelope: { meta } }) => meta.pagination)).toEqual([
			{ next_cursor: 'c1', total: 99 },
			{ records_left_out: 2, total: 99 },
		]);
	});

	it('keeps its cursor where all of it is wanted', async () => {
		const { pages } = await read({ ...CURSOR_MODE, maximum: 5 }, [
			envelope(0, 5, { next_cursor: 'c1' }),
		]);
		expect(pages[0]).toMatchObject({ nextCursor: 'c1', recordsLeftOut: 0 });
		expect(pages[0].envelope.meta.pagination).toEqual({ next_cursor: 'c1' });
	});
});

it('a next cursor that is the own one is an error even where no more is wanted', async () => {
	const { ids, failure, pages } = await read({ ...CURSOR_MODE, maximum: 4, startCursor: 'c1' }, [
		envelope(0, 4, { next_cursor: 'c1' }),
	]);
	expect(ids).toHaveLength(4);
	expect(failure).toBe('repeatedCursor');
	expect(pages[0].isRepeated).toBe(true);
});

describe('pages by number', () => {
	const page = (number: number, more: Record<string, unknown> = {}) => ({
		page: number,
		page_size: 4,
		total: 10,
		...more,
	});

	it('that hold more than their size are not followed, since what comes next is not known', async () => {
		const { ids, failure, requests } = await read(PAGE_MODE, [envelope(0, 6, page(1))]);
		expect({ ids, failure, requests }).toEqual({ ids: [], failure: 'overfullPage', requests: 1 });
	});

	it('that hold more than their size are fine where no further page is needed', async () => {
		const limited = await read({ ...PAGE_MODE, maximum: 5 }, [envelope(0, 6, page(1))]);
		expect(limited).toMatchObject({ ids: [0, 1, 2, 3, 4], failure: undefined });
	});

	it('that hold more than the whole list by its own total are not believed', async () => {
		const last = await read(PAGE_MODE, [envelope(0, 6, page(1, { total: 4 }))]);
		expect(last).toMatchObject({ ids: [], failure: 'wrongTotal' });
	});

	it('whose total is an estimate are read until one is empty', async () => {
		const estimate = { ...PAGE_MODE, ignoreTotal: true };
		const pages = [envelope(0, 4, page(1, { total: 2 })), envelope(4, 7, page(2, { total: 90 }))];
		const whole = await read(estimate, [...pages, envelope(7, 7, page(3, { total: 0 }))]);
		expect(whole).toMatchObject({ ids: [0, 1, 2, 3, 4, 5, 6], failure: undefined, requests: 3 });
		const cut = await read(estimate, [...pages, envelope(8, 9, page(3))]);
		expect(cut).toMatchObject({ ids: [0, 1, 2, 3, 4, 5, 6], failure: 'incompletePage' });
	});

	it('say how many records were cut off, and give no cursor after them', async () => {
		const { pages } = await read({ ...PAGE_MODE, maximum: 6 }, [
			envelope(0, 4, page(1, { next_cursor: 'c1' })),
			envelope(4, 8, page(2, { next_cursor: 'c2' })),
		]);
		expect(pages[0].envelope.meta.pagination).toEqual(page(1, { next_cursor: 'c1' }));
		expect(pages[1].envelope.meta.pagination).toEqual(page(2, { records_left_out: 2 }));
	});

	it.each([
		['the records of the page before', 'stuckPage', [envelope(0, 4, page(2))]],
		['a smaller total', 'changedList', [envelope(4, 8, page(2, { total: 9 }))]],
		['another size', 'changedList', [envelope(4, 6, page(2, { page_size: 2 }))]],
		['fewer records than they say', 'incompletePage', [envelope(4, 7, page(2))]],
	])('with %s end in an error', async (_name, kind, answers) => {
		const { ids, failure } = await read(PAGE_MODE, [envelope(0, 4, page(1)), ...answers]);
		expect(ids).toEqual([0, 1, 2, 3]);
		expect(failure).toBe(kind);
	});

	it('follow a total that grows while they are read', async () => {
		const { ids, failure } = await read(PAGE_MODE, [
			envelope(0, 4, page(1, { total: 6 })),
			envelope(4, 8, page(2, { total: 9 })),
			envelope(8, 9, page(3, { total: 9 })),
		]);
		expect(failure).toBeUndefined();
		expect(ids).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
	});
});
