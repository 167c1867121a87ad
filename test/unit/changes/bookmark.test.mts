import { describe, expect, it } from 'vitest';

import { digestOf } from '../../../nodes/lists/version.ts';
import { bookmarkOf, digests, savedCursor } from './bookmark-bench.mts';

describe('saved cursors', () => {
	it('are kept with the limit that their page was asked for with, and its first record', () => {
		const { bookmark, read } = bookmarkOf({ settled: 0 }, savedCursor('a'));
		read('b', { r1: 1, r2: 2 }, 5);
		const first = digestOf('r1');
		expect(bookmark.toState(true, false).savedCursors).toEqual([{ cursor: 'b', limit: 5, first }]);
	});

	it('lead to no page that begins without a date, except the first page that is read', () => {
		const { read, cursors } = bookmarkOf();
		read('a', { none: null });
		read('b', { r1: 1 });
		read('c', { none: null, r2: 2 });
		expect(cursors()).toEqual(['a', 'b']);
	});

	it('are none where only the beginning of the list was read, which has no cursor', () => {
		const { read, cursors } = bookmarkOf({ settled: 0 });
		read(undefined, { r1: 1 });
		expect(cursors()).toEqual([]);
	});

	it('have no first record where they lead to an empty page', () => {
		const { bookmark, read } = bookmarkOf();
		read('a', {});
		expect(bookmark.toState(true, false).savedCursors[0].first).toBe('');
	});

	it.each([
		{ characters: 3_000, kept: 1 },
		{ characters: 3_001, kept: 0 },
	])('of $characters characters: $kept of 1 is kept', ({ characters, kept }) => {
		const { read, cursors } = bookmarkOf();
		read('c'.repeat(characters), { r1: 1 });
		expect(cursors()).toHaveLength(kept);
	});

	const [a, b] = [savedCursor('a'), savedCursor('b')];
	it.each([
		{ settled: 3, kept: ['a', 'b'], where: 'the last page is settled' },
		{ settled: 2, kept: ['a'], where: 'something late may hide before it' },
	])('are $kept after a move up to the last page, where $where', ({ settled, kept }) => {
		const { bookmark, read, cursors } = bookmarkOf({ settled, savedCursors: [a, b] });
		expect(bookmark.hasMoved, 'moved before anything was read').toBe(false);
		read('a', { r0: 0, r1: 1 });
		read('b', { r2: 2 });
		expect(bookmark.hasMoved, 'moved over the first page').toBe(true);
		expect(cursors()).toEqual(kept);
	});

	// What the cursor led to before is still settled.
	it.each([
		{ where: 'something late may come before its page', settled: 2, date: 2, saved: [a, b] },
		{ where: 'its page has no date', settled: -1, date: null, saved: [a, b] },
		{ where: 'it is the only one', settled: 2, date: 2, saved: [b] },
	])('stay where reading began at the last one, and $where', ({ settled, date, saved }) => {
		const { read, cursors } = bookmarkOf({ settled, savedCursors: saved }, b);
		read('b', { record: date });
		expect(cursors()).toEqual(saved.map(({ cursor }) => cursor));
	});
});

/** Reads pages of records with these dates; null for a record without one. */
function readPages(settled: number, pages: Array<Array<number | null>>) {
	const { bookmark, read } = bookmarkOf({ settled });
	for (const [number, dates] of pages.entries())
		read(`c${number}`, Object.fromEntries(dates.map((date) => [`r${date}`, date])));
	const { hasMoved, isShortened } = bookmark;
	return { hasMoved, isShortened, watermark: bookmark.toState(true, false).watermark };
}

// Nothing late can come before the date that is settled.
describe('the bookmark moves over a page', () => {
	it.each([
		{ which: 'whose end is settled', settled: 2, pages: [[1], [2]], watermark: 1 },
		{ which: 'and an empty one after it', settled: 3, pages: [[1], [], [2]], watermark: 1 },
		{
			which: 'and one after it that begins undated',
			settled: 3,
			pages: [[1], [null, 2], [3]],
			watermark: 2,
		},
		{ which: 'and an undated one after it', settled: 2, pages: [[1], [null], [2]], watermark: 1 },
		{ which: 'undated, before a settled one', settled: 3, pages: [[null], [2]], watermark: null },
	])('$which: $pages, where $settled is settled', ({ settled, pages, watermark }) => {
		expect(readPages(settled, pages)).toEqual({ hasMoved: true, isShortened: false, watermark });
	});

	it('that is not settled where it does not fit, and tells that it has', () => {
		const { bookmark, read } = bookmarkOf({ settled: 0, most: 3 });
		read('a', { r1: 1, r2: 2 });
		read('b', { r3: 3 });
		expect(bookmark).toMatchObject({ hasMoved: false, isShortened: false });
		read('c', { r4: 4 });
		expect(bookmark).toMatchObject({ hasMoved: true, isShortened: true });
		expect(bookmark.toState(true, false)).toMatchObject({ watermark: 2 });
	});
});

describe('the bookmark stays before a page', () => {
	it.each([
		{ which: 'that ends at the settled date', settled: 1, pages: [[1], [2]] },
		{ which: 'before an empty one and an unsettled one', settled: 2, pages: [[1], [], [2]] },
		{ which: 'undated, before an unsettled one', settled: 2, pages: [[null], [2]] },
	])('$which: $pages, where $settled is settled', ({ settled, pages }) => {
		const expected = { hasMoved: false, isShortened: false, watermark: null };
		expect(readPages(settled, pages)).toEqual(expected);
	});
});

it('a date below those of the page before fails the poll, unless its version is known', () => {
	const { read } = bookmarkOf({ settled: 0, seen: digests('known') });
	read('a', { r2: 2 });
	read('b', { r3: 3 });
	read('c', { r2: 2 });
	read('d', { known: 1 });
	expect(() => read('e', { r0: 0 })).toThrow('notAscending');
});

it('a list that comes newest first fails the poll by its first two dates, however old they are', () => {
	const { read } = bookmarkOf({ settled: 0, watermark: 10 });
	read('a', { r3: 3 });
	expect(() => read('b', { r2: 2 })).toThrow('notAscending');
});
