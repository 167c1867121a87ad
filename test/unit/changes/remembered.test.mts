import { describe, expect, it } from 'vitest';

import { digestOf, unpack } from '../../../nodes/lists/version.ts';
import { bookmarkOf, digests, versionOf } from './bookmark-bench.mts';

describe('a version', () => {
	it.each([
		{ which: 'before the watermark', name: 'x', time: 4, isKnown: true },
		{ which: 'remembered at the watermark', name: 'at', time: 5, isKnown: true },
		{ which: 'not remembered at the watermark', name: 'x', time: 5, isKnown: false },
		{ which: 'remembered after the watermark', name: 'after', time: 9, isKnown: true },
		{ which: 'not remembered after the watermark', name: 'x', time: 6, isKnown: false },
		{ which: 'without a date', name: 'x', time: null, isKnown: false },
	])('$which is known: $isKnown', ({ name, time, isKnown }) => {
		const remembered = { seenAtWatermark: digests('at'), seen: digests('after') };
		expect(bookmarkOf({ watermark: 5, ...remembered, most: 4 }).knows(name, time)).toBe(isKnown);
	});

	it('is known once its page was read', () => {
		const { read, knows } = bookmarkOf({ watermark: 5 });
		read('a', { x: 6 });
		expect(knows('x', 6)).toBe(true);
	});
});

describe('versions after the watermark', () => {
	it.each([
		{ where: 'at the end of the list', hasEnded: true, kept: 200 },
		{ where: 'before the end of the list', hasEnded: false, kept: 250 },
	])('that have not come back $where: the last $kept are kept', ({ hasEnded, kept }) => {
		const gone = Array.from({ length: 250 }, (_none, number) => `gone${number}`);
		const { bookmark, read } = bookmarkOf({ settled: 0, seen: digests('r1', ...gone) });
		read('a', { r1: 1 });
		const seen = unpack(bookmark.toState(hasEnded, false).seen);
		expect(seen).toEqual(['r1', ...gone.slice(-kept)].map(digestOf));
	});

	it('that came are forgotten from the first one on, where they do not fit', () => {
		const { bookmark, read } = bookmarkOf({
			...{ watermark: 5, seen: digests('gone'), most: 3, settled: 0 },
		});
		read('a', { old: 1 });
		read('b', { r1: 6, r2: 7, r3: 8 });
		expect(bookmark.toState(false, false)).toMatchObject({
			watermark: 6,
			seenAtWatermark: digests('r1'),
			seen: digests('r2', 'r3', 'gone'),
		});
	});

	it('that have not come back before the end of the list are all kept, though they do not fit', () => {
		const { bookmark, read } = bookmarkOf({ seen: digests('1', '2', '3', '4'), most: 3 });
		read('a', {});
		expect(unpack(bookmark.toState(false, false).seen)).toHaveLength(4);
	});
});

it('of what the bookmark has moved over, only versions of the last date are remembered', () => {
	const { bookmark, read } = bookmarkOf({ settled: 9 });
	read('a', { r1: 1, r2: 1 });
	read('b', { r3: 2 });
	read('c', { r4: 10 });
	const expected = { watermark: 2, seenAtWatermark: digests('r3') };
	expect(bookmark.toState(true, false)).toMatchObject(expected);
});

describe('records without a date', () => {
	it('are known from this poll and from earlier ones', () => {
		const { read, knows } = bookmarkOf({ undated: digests('old') });
		read('a', { new: null });
		expect({ old: knows('old', null), new: knows('new', null) }).toEqual({ old: true, new: true });
	});

	it.each([
		{ hasEnded: true, fromBeginning: true, remembered: ['new'] },
		{ hasEnded: true, fromBeginning: false, remembered: ['new', 'old'] },
		{ hasEnded: false, fromBeginning: true, remembered: ['new', 'old'] },
	])('are forgotten once a whole list has come without them: %j', (row) => {
		const { bookmark, read } = bookmarkOf({ undated: digests('old') });
		read('a', { new: null });
		const { undated } = bookmark.toState(row.hasEnded, row.fromBeginning);
		expect(undated).toBe(digests(...row.remembered));
	});

	const full = Array.from({ length: 2_000 }, (_none, number) => `n${number}`);

	it('fail a poll in which more than 2,000 of them come', () => {
		const { read } = bookmarkOf();
		read('a', Object.fromEntries(full.map((name) => [name, null])));
		const failure = { kind: 'tooManyUndated', facts: { dateField: 'updated_at' } };
		expect(() => read('b', { oneMore: null })).toThrow(expect.objectContaining(failure));
	});

	it('are remembered up to 2,000, those of this poll before older ones', () => {
		const { bookmark, read } = bookmarkOf({ undated: digests(...full) });
		read('a', { new: null });
		expect(bookmark.toState(false, false).undated).toBe(digests('new', ...full.slice(0, -1)));
	});
});

describe('where more versions of the watermark were dealt with than are remembered', () => {
	const skipping = () => {
		const remembered = { seenAtWatermark: digests('b', 'c'), seen: digests('s') };
		return bookmarkOf({ watermark: 5, ...remembered, most: 4 });
	};

	it.each([
		{ next: 'the end of the list', version: undefined, isLost: true },
		{ next: 'an unknown one of a later date', version: versionOf('y', 6), isLost: true },
		{ next: 'a remembered one of the watermark', version: versionOf('b', 5), isLost: false },
		{ next: 'a remembered one of a later date', version: versionOf('s', 6), isLost: false },
		{ next: 'one without a date', version: versionOf('y', null), isLost: false },
	])('and $next follows on skipped ones, the bookmark is lost: $isLost', ({ version, isLost }) => {
		const { bookmark, read } = skipping();
		read('a', { x: 5 });
		expect(bookmark.isLostBefore(version)).toBe(isLost);
	});

	it('the next poll still knows that some were skipped', () => {
		const { bookmark, read } = skipping();
		read('a', { x: 5 });
		const next = bookmarkOf({ ...bookmark.toState(false, true), most: 4 });
		expect(next.bookmark.isLostBefore(undefined)).toBe(true);
	});

	it('the bookmark is not lost before one is skipped, nor after a remembered one has come', () => {
		const { bookmark, read } = skipping();
		const later = versionOf('y', 6);
		expect(bookmark.isLostBefore(later), 'lost before anything was read').toBe(false);
		read('a', { x: 5 });
		read('b', { b: 5 });
		expect(bookmark.isLostBefore(undefined), 'lost at the end of the list').toBe(false);
		expect(bookmark.isLostBefore(later), 'lost before a later one').toBe(false);
		expect(bookmark.toState(false, true).isSkipping, 'still skipping').toBe(false);
	});
});
