import { describe, expect, it } from 'vitest';

import { Overlap } from '../../../nodes/changes/overlap.ts';
import { Bookmark } from '../../../nodes/changes/bookmark.ts';
import { NEXT_DATE, type SavedCursor, type State } from '../../../nodes/changes/state.ts';
import { digestOf, pack, unpack } from '../../../nodes/lists/version.ts';
import { stateAt } from './follower.mts';

/** A version by its name and date. */
type Named = [name: string, time: number | null];
const versionOf = ([name, time]: Named) => ({ digest: digestOf(name), time });
const digests = (...names: string[]): string => pack(names.map(digestOf));
const savedCursor = (cursor: string, limit = 2): SavedCursor => ({
	...{ cursor, limit, first: digestOf(cursor) },
});

/** What is remembered; `settled`: before this date nothing late turns up any more. */
function bookmarkOf(
	known: Partial<State> & { settled?: number; most?: number } = {},
	from?: SavedCursor,
) {
	const { settled = Infinity, most, ...members } = known;
	const state = { ...stateAt('beginning'), ...members };
	const overlap = { settled, isNewer: false, meet: () => {}, toState: () => ({}) };
	const bookmark = new Bookmark(state, from, overlap as unknown as Overlap, most);
	/** Reads a page whose records have these names and dates. */
	const read = (cursor: string | undefined, limit: number, ...named: Named[]): void => {
		const versions = named.map(versionOf);
		bookmark.open({ cursor, limit, versions });
		for (const version of versions) bookmark.pass(version, 'updated_at');
		bookmark.close();
	};
	const cursors = () => bookmark.toState(true, false).savedCursors.map(({ cursor }) => cursor);
	return { bookmark, read, cursors };
}

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

describe('what is remembered', () => {
	it('is older than the watermark, among those of its date, or one of those after it', () => {
		const { bookmark, read } = bookmarkOf({
			watermark: 5,
			seenAtWatermark: digests('b'),
			seen: digests('s'),
		});
		const known = (...named: Named) => bookmark.knows(versionOf(named));
		expect([known('x', 4), known('b', 5), known('s', 9)]).toEqual([true, true, true]);
		expect([known('x', 5), known('x', 6), known('x', null)]).toEqual([false, false, false]);
		read('a', 2, ['x', 6]);
		expect(known('x', 6)).toBe(true);
	});

	it('are what came, and what did not: 200 of that at the end of a list', () => {
		const gone = Array.from({ length: 250 }, (_none, number) => `g${number}`);
		for (const [hasEnded, count] of [
			[true, 201],
			[false, 251],
		] as const) {
			const { bookmark, read } = bookmarkOf({ settled: 0, seen: digests('r1', ...gone) });
			read('a', 2, ['r1', 1]);
			const seen = unpack(bookmark.toState(hasEnded, false).seen);
			expect([seen.length, seen[0], seen.at(-1)]).toEqual([
				...[count, digestOf('r1'), digestOf('g249')],
			]);
		}
	});

	it('fits, whatever is forgotten for that: the first after the watermark', () => {
		const { bookmark, read } = bookmarkOf({
			watermark: 5,
			seen: digests('g'),
			most: 3,
			settled: 0,
		});
		read('a', 2, ['old', 1]);
		read('b', 2, ['r1', 6], ['r2', 7], ['r3', 8]);
		const seen = digests('r2', 'r3', 'g');
		expect(bookmark.toState(false, false)).toMatchObject({
			watermark: 6,
			seenAtWatermark: digests('r1'),
			seen,
		});
		const many = bookmarkOf({ seen: digests('1', '2', '3', '4'), most: 3 });
		many.read('a', 2);
		expect(unpack(many.bookmark.toState(false, false).seen)).toHaveLength(4);
	});

	it('before the watermark are those of its date alone', () => {
		const { bookmark, read } = bookmarkOf({ settled: 9 });
		read('a', 2, ['r1', 1], ['r2', 1]);
		read('b', 2, ['r3', 2]);
		read('c', 2, ['r4', 10]);
		expect(bookmark.toState(true, false)).toMatchObject({
			watermark: 2,
			seenAtWatermark: digests('r3'),
		});
	});

	it('are records without a date; those that are gone are forgotten once the whole list was read', () => {
		const { bookmark, read } = bookmarkOf({ undated: digests('old') });
		read('a', 2, ['new', null]);
		expect(bookmark.knows(versionOf(['old', null]))).toBe(true);
		expect(bookmark.knows(versionOf(['new', null]))).toBe(true);
		const undated = (...how: [boolean, boolean]) => bookmark.toState(...how).undated;
		expect(undated(true, true)).toBe(digests('new'));
		expect([undated(true, false), undated(false, true)]).toEqual(
			Array(2).fill(digests('new', 'old')),
		);
	});

	it('are no more than 2,000 records without a date', () => {
		const { read } = bookmarkOf();
		read('a', 2, ...Array.from({ length: 2_000 }, (_none, n): Named => [`n${n}`, null]));
		const failure = { kind: 'tooManyUndated', facts: { dateField: 'updated_at' } };
		expect(() => read('b', 2, ['one more', null])).toThrow(expect.objectContaining(failure));
	});

	it('are the newest of them where more are remembered', () => {
		const old = Array.from({ length: 2_000 }, (_none, number) => `n${number}`);
		const { bookmark, read } = bookmarkOf({ undated: digests(...old) });
		read('a', 2, ['new', null]);
		expect(bookmark.toState(false, false).undated).toBe(digests('new', ...old.slice(0, -1)));
	});

	it('shows which of more versions of the watermark are dealt with; without it, nothing does', () => {
		const { bookmark, read } = bookmarkOf({
			watermark: 5,
			seenAtWatermark: digests('b', 'c'),
			seen: digests('s'),
			most: 4,
		});
		const isLost = (name: string, time: number | null) =>
			bookmark.isLostBefore(versionOf([name, time]));
		expect(isLost('y', 6)).toBe(false);
		const few = bookmarkOf({ watermark: 5, seenAtWatermark: digests('b'), most: 4 });
		expect(few.bookmark.knows(versionOf(['x', 5]))).toBe(false);
		read('a', 2, ['x', 5]);
		expect([bookmark.isLostBefore(undefined), isLost('y', 6)]).toEqual([true, true]);
		expect([isLost('b', 5), isLost('s', 6), isLost('y', null)]).toEqual([false, false, false]);
		// The next reading still knows that nothing shows it.
		const known = bookmark.toState(false, true);
		expect(bookmarkOf({ ...known, most: 4 }).bookmark.isLostBefore(undefined)).toBe(true);
		read('b', 2, ['b', 5]);
		expect([bookmark.isLostBefore(undefined), isLost('y', 6)]).toEqual([false, false]);
		expect(bookmark.toState(false, true).isSkipping).toBe(false);
	});
});

it('what was settled stays so when something newer comes, and of no date nothing is known', () => {
	const overlap = new Overlap({ newest: 0, newestAt: 0 } as State, () => 100_000, 30_000);
	overlap.meet(500);
	expect(overlap.settled).toBe(NEXT_DATE);
	expect(overlap.toState()).toEqual({ newest: 500, newestAt: 100_000 });
	const none = new Overlap({ newest: null, newestAt: 0 } as State, () => 0, 30_000);
	expect(none.toState()).toEqual({ newest: null, newestAt: 0 });
});
