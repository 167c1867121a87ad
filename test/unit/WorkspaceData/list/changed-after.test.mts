import { describe, expect, it } from 'vitest';

import type { Page } from '../../../../nodes/client/pages.ts';
import { findRecords } from '../../../../nodes/WorkspaceData/export/raw-records.ts';
import { onlyChangedAfter } from '../../../../nodes/WorkspaceData/list/changed-after.ts';

const day = (number: number): string => `2026-11-${String(number).padStart(2, '0')}T00:00:00Z`;
const AFTER = { afterMs: Date.parse(day(10)), sort: 'updated_at' } as const;

type Dated = Record<string, unknown>;

/** The pages of a list, each with records of these days; null for a record without a date. */
async function* pagesOf(...pages: Array<Array<number | null>>): AsyncGenerator<Page, void> {
	let recordsRead = 0;
	for (const [index, days] of pages.entries()) {
		const items: Dated[] = days.map((number, place) => ({
			id: `${index}-${place}`,
			updated_at: number === null ? null : day(number),
		}));
		recordsRead += items.length;
		const next_cursor = `c${index + 1}`;
		const envelope = { data: { items }, meta: { pagination: { next_cursor } } };
		yield {
			envelope,
			text: JSON.stringify(envelope),
			limit: 5,
			tookMs: 1,
			nextCursor: next_cursor,
			number: index + 1,
			recordsRead,
			isRepeated: false,
			recordsLeftOut: 0,
		};
	}
}

const collect = async (pages: AsyncIterable<Page>): Promise<Page[]> => {
	const all: Page[] = [];
	for await (const page of pages) all.push(page);
	return all;
};
const idsOf = (pages: Page[]): unknown[] =>
	pages.flatMap(({ envelope }) => envelope.data.items.map(({ id }) => id));

describe('records that changed after a date', () => {
	it('are those whose date is later and those without one, in the text of a page too', async () => {
		const pages = await collect(onlyChangedAfter(pagesOf([8, 10, null, 11], [11, 12]), AFTER));
		expect(idsOf(pages)).toEqual(['0-2', '0-3', '1-0', '1-1']);
		for (const { text: whole, envelope } of pages) {
			const { text, starts, ends } = findRecords(whole);
			expect(starts.map((start, place) => text.slice(start, ends[place]))).toEqual(
				envelope.data.items.map((record) => JSON.stringify(record)),
			);
		}
	});

	it('come without the pages that hold none, but for the first one', async () => {
		const pages = await collect(onlyChangedAfter(pagesOf([1], [2], [3, 20], []), AFTER));
		expect(pages.map(({ number }) => number)).toEqual([1, 3]);
	});

	it('are counted by Limit, and nothing is read after it; a truncated page has no cursor', async () => {
		const read: number[] = [];
		const noting = async function* (): AsyncGenerator<Page, void> {
			for await (const page of pagesOf([1, 11], [12, 13, 14], [15])) {
				read.push(page.number);
				yield page;
			}
		};
		const pages = await collect(onlyChangedAfter(noting(), { ...AFTER, maximum: 3 }));
		expect(idsOf(pages)).toEqual(['0-1', '1-0', '1-1']);
		expect(read).toEqual([1, 2]);
		expect(pages.at(-1)).toMatchObject({ nextCursor: undefined, recordsLeftOut: 1 });
	});

	it.each([
		['a page', [[11, 12, 9]]],
		['a page, with one without a date between', [[12, null, 11]]],
	])('are an error where dates go down within %s', async (_name, pages) => {
		await expect(collect(onlyChangedAfter(pagesOf(...pages), AFTER))).rejects.toMatchObject({
			kind: 'notAscending',
		});
	});
});
