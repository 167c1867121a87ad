import { describe, expect, it } from 'vitest';

import { digestOf } from '../../../nodes/lists/version.ts';
import { bookmarkOf, digests, savedCursor, type Named } from './bookmark-bench.mts';

describe('a saved cursor', () => {
	it('keeps the limit that it was asked for with', () => {
		const { bookmark, read } = bookmarkOf({ settled: 0 }, savedCursor('a'));
		read('b', 5, ['r1', 1], ['r2', 2]);
		const first = digestOf('r1');
		expect(bookmark.toState(true, false).savedCursors).toEqual([{ cursor: 'b', limit: 5, first }]);
	});

	it('leads to no page that begins without a date but the first, and to no beginning of a list', () => {
		const { read, cursors } = bookmarkOf();
		read('a', 2, ['none', null]);
		read('b', 2, ['r1', 1]);
		read('c', 2, ['none', null], ['r2', 2]);
		expect(cursors()).toEqual(['a', 'b']);
		const { read: begin, cursors: found } = bookmarkOf({ settled: 0 });
		begin(undefined, 2, ['r1', 1]);
		expect(found()).toEqual([]);
	});

	it('that leads to an empty page has no first record', () => {
		const { bookmark, read } = bookmarkOf();
		read('a', 2);
		expect(bookmark.toState(true, false).savedCursors[0].first).toBe('');
	});

	it('is not kept where its cursor is long', () => {
		for (const [length, count] of [
			[3_000, 1],
			[3_001, 0],
		]) {
			const { read, cursors } = bookmarkOf();
			read('c'.repeat(length), 2, ['r1', 1]);
			expect(cursors()).toHaveLength(count);
		}
	});

	it('is a page earlier where something late may hide before its page', () => {
		for (const [settled, known] of [
			[3, ['a', 'b']],
			[2, ['a']],
		] as const) {
			const { bookmark, read, cursors } = bookmarkOf({
				settled,
				savedCursors: [savedCursor('a'), savedCursor('b')],
			});
			expect(bookmark.hasMoved).toBe(false);
			read('a', 2, ['r0', 0], ['r1', 1]);
			read('b', 2, ['r2', 2]);
			expect([bookmark.hasMoved, cursors()]).toEqual([true, known]);
		}
		const from = savedCursor('b');
		const { read, cursors } = bookmarkOf(
			{ settled: 2, savedCursors: [savedCursor('a'), from] },
			from,
		);
		read('b', 2, ['r2', 2]);
		// What it led to before is still settled.
		expect(cursors()).toEqual(['a', 'b']);
		const undated = bookmarkOf({ settled: -1, savedCursors: [savedCursor('a'), from] }, from);
		undated.read('b', 2, ['none', null]);
		expect(undated.cursors()).toEqual(['a', 'b']);
		const alone = bookmarkOf({ settled: 2, savedCursors: [from] }, from);
		alone.read('b', 2, ['r2', 2]);
		expect(alone.cursors()).toEqual(['b']);
	});
});

describe('the place moves over a page', () => {
	/** Pages by the dates of their records; a dash is a record without one. */
	it.each<[string, number, string, [boolean, number | null]]>([
		['whose end nothing can come before', 2, '1 | 2', [true, 1]],
		['not of this very date', 1, '1 | 2', [false, null]],
		['not with an empty one, before the next', 2, '1 | | 2', [false, null]],
		['with an empty one, up to the next', 3, '1 | | 2', [true, 1]],
		['with one that begins without a date', 3, '1 | - 2 | 3', [true, 2]],
		['with one of no date at all', 2, '1 | - | 2', [true, 1]],
		['not without a date, before the next', 2, '- | 2', [false, null]],
		['without a date, up to the next', 3, '- | 2', [true, null]],
	])('%s', (_name, settled, pages, expected) => {
		const { bookmark, read } = bookmarkOf({ settled });
		for (const [number, page] of pages.split('|').entries()) {
			const dates = page.match(/\S+/g) ?? [];
			const named = dates.map((date): Named => [`r${date}`, date === '-' ? null : Number(date)]);
			read(`c${number}`, 2, ...named);
		}
		expect(bookmark.isShortened).toBe(false);
		expect([bookmark.hasMoved, bookmark.toState(true, false).watermark]).toEqual(expected);
	});

	it('for which there is no room, though something late may come before its end', () => {
		const { bookmark, read } = bookmarkOf({ settled: 0, most: 3 });
		read('a', 2, ['r1', 1], ['r2', 2]);
		read('b', 2, ['r3', 3]);
		expect([bookmark.hasMoved, bookmark.isShortened]).toEqual([false, false]);
		read('c', 2, ['r4', 4]);
		expect([bookmark.hasMoved, bookmark.isShortened]).toEqual([true, true]);
		expect(bookmark.toState(true, false)).toMatchObject({ watermark: 2 });
	});
});

it('a list goes up from page to page as well, but for what is known', () => {
	const { read } = bookmarkOf({ settled: 0, seen: digests('known') });
	read('a', 1, ['r2', 2]);
	read('b', 1, ['r3', 3]);
	read('c', 1, ['r2', 2]);
	read('d', 1, ['known', 1]);
	const failure = expect.objectContaining({ kind: 'notAscending' });
	expect(() => read('e', 1, ['r0', 0])).toThrow(failure);
});
