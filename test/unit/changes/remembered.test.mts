import { describe, expect, it } from 'vitest';

import { digestOf, unpack } from '../../../nodes/lists/version.ts';
import { bookmarkOf, digests, versionOf, type Named } from './bookmark-bench.mts';

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
