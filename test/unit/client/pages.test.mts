import { describe, expect, it } from 'vitest';

import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { envelope, readAll, readAnswers, readPages, type ServePage } from './read-pages.mts';

const CURSOR_MODE = { mode: 'cursor', sort: 'updated_at', pageSize: 2 } as const;

describe('cursor pagination', () => {
	it('sends sort first, then the cursor alone, until there is no next one', async () => {
		const { pages, asked, failure } = await readAnswers(CURSOR_MODE, [
			envelope(0, 2, { next_cursor: 'c1' }),
			envelope(2, 2, { next_cursor: 'c2' }),
			envelope(2, 3, { next_cursor: null }),
		]);
		expect(failure).toBeUndefined();
		expect(asked).toStrictEqual([
			{ limit: 2, sort: 'updated_at' },
			{ limit: 2, cursor: 'c1' },
			{ limit: 2, cursor: 'c2' },
		]);
		const places = pages.map((page) => [
			...[page.number, page.recordsRead, page.cursor, page.nextCursor],
		]);
		expect(places).toEqual([
			[1, 2, undefined, 'c1'],
			[2, 2, 'c1', 'c2'],
			[3, 3, 'c2', undefined],
		]);
	});

	it('resumes without sort', async () => {
		const { asked } = await readAnswers({ ...CURSOR_MODE, startCursor: 'c7' }, [
			envelope(0, 1, {}),
		]);
		expect(asked).toStrictEqual([{ limit: 2, cursor: 'c7' }]);
	});

	it.each([
		['the cursor it was asked with', ['c1', 'c1'], {}],
		['an older cursor', ['c1', 'c2', 'c1'], {}],
		['the start cursor', ['c9'], { startCursor: 'c9' }],
		['its own cursor, even where no more is wanted', ['c9'], { startCursor: 'c9', maximum: 2 }],
	])('stops at %s', async (_name, cursors, options) => {
		const answers = cursors.map((next_cursor) => envelope(0, 2, { next_cursor }));
		const { pages, failure } = await readAnswers({ ...CURSOR_MODE, ...options }, answers);
		expect(failure).toMatchObject({
			kind: 'repeatedCursor',
			facts: { page: cursors.length, recordsRead: 2 * cursors.length, ctxId: 'ctx-1' },
		});
		expect(failure?.facts.nextCursor).toBeUndefined();
		expect(pages.map(({ isRepeated }) => isRepeated)).toEqual([
			...cursors.slice(1).map(() => false),
			true,
		]);
	});

	it('stops after five minutes of empty pages, counted anew after each page with records', async () => {
		const emptyAfter = async (lastRecord: number) => {
			let requests = 0;
			const now = () => requests * 1_000;
			const read = await readAll([], { ...CURSOR_MODE, now }, async () => {
				const hasRecord = ++requests % 250 === 0 && requests <= lastRecord;
				return envelope(0, hasRecord ? 1 : 0, { next_cursor: `c${requests}` });
			});
			const { kind, facts } = read.failure ?? {};
			return [kind, read.ids.length, requests, facts?.nextCursor];
		};
		expect(await emptyAfter(0)).toEqual(['emptyPages', 0, 301, 'c301']);
		expect(await emptyAfter(1_000)).toEqual(['emptyPages', 4, 1_301, 'c1301']);
	});

	it.each([[5], [{}], [['c1']], [true], [false]])('refuses the cursor %j', async (next_cursor) => {
		const { failure } = await readAnswers(CURSOR_MODE, [envelope(0, 2, { next_cursor })]);
		expect(failure).toMatchObject({ kind: 'missingPagination', facts: { ctxId: 'ctx-1' } });
	});

	it('says where it was when a request fails, and keeps what is known of the failure', async () => {
		const lost = new ServiceFailure('status', { statusCode: 500, attempts: 5 });
		const answers = [envelope(0, 2, { next_cursor: 'c1' }), lost];
		const { failure } = await readAnswers(CURSOR_MODE, answers);
		expect(failure?.facts).toEqual({
			...lost.facts,
			...{ page: 2, recordsRead: 2, nextCursor: 'c1' },
		});
	});

	it('passes on errors of any other kind as they are', async () => {
		const other = new RangeError('other');
		await expect(readAnswers(CURSOR_MODE, [other])).rejects.toBe(other);
	});

	it('gives no cursor that leads past cut records, and says how many they are', async () => {
		const answers = () => [
			envelope(0, 5, { next_cursor: 'c1', total: 99 }),
			envelope(5, 8, { next_cursor: 'c2', total: 99 }),
		];
		const options = { ...CURSOR_MODE, pageSize: 4 };
		const { pages, ids, asked } = await readAnswers({ ...options, maximum: 6 }, answers());
		expect(ids).toEqual([0, 1, 2, 3, 4, 5]);
		expect(asked.map(({ limit }) => limit)).toEqual([4, 1]);
		expect(pages.map((page) => [page.nextCursor, page.recordsLeftOut])).toEqual([
			['c1', 0],
			[undefined, 2],
		]);
		expect(pages.map((page) => page.envelope.meta.pagination)).toEqual([
			{ next_cursor: 'c1', total: 99 },
			{ records_left_out: 2, total: 99 },
		]);
		const whole = await readAnswers({ ...options, maximum: 5 }, answers());
		expect(whole.pages[0]).toMatchObject({ nextCursor: 'c1', recordsLeftOut: 0 });
	});
});

describe('reading one page ahead', () => {
	const AHEAD = { ...CURSOR_MODE, readsAhead: true } as const;

	/** A list of six records, two per page at most; keeps who still wants its answers. */
	function service(failsAt = Infinity): { wanted: Array<() => boolean>; serve: ServePage } {
		const wanted: Array<() => boolean> = [];
		const serve: ServePage = async (request, _isTrial, isWanted = () => true) => {
			wanted.push(isWanted);
			if (wanted.length === failsAt) throw new ServiceFailure('timeout');
			const from = 'cursor' in request ? Number(request.cursor) : 0;
			const to = Math.min(6, from + request.limit);
			return envelope(from, to, to < 6 ? { next_cursor: String(to) } : {});
		};
		return { wanted, serve };
	}

	it.each([
		[true, [2, 2, 4, 3, 6, 3]],
		[false, [2, 1, 4, 2, 6, 3]],
	])('asks for the next page before one is handed over: %s', async (readsAhead, expected) => {
		const { wanted, serve } = service();
		const seen: number[] = [];
		for await (const page of readPages(serve, { ...AHEAD, readsAhead })) {
			seen.push(page.recordsRead, wanted.length);
		}
		expect(seen).toEqual(expected);
	});

	it('asks for nothing after the maximum', async () => {
		const { wanted, serve } = service();
		for await (const page of readPages(serve, { ...AHEAD, maximum: 4 })) void page;
		expect(wanted).toHaveLength(2);
	});

	it('is given up when nobody reads on: what is under way is not wanted any more', async () => {
		const { wanted, serve } = service();
		const pages = readPages(serve, AHEAD);
		await pages.next();
		expect([wanted.length, wanted[1]()]).toEqual([2, true]);
		await pages.return();
		expect(wanted[1]()).toBe(false);
	});

	it('hands a page over before the failure of the next one, and names the place of that', async () => {
		const pages = readPages(service(2).serve, AHEAD);
		expect((await pages.next()).value).toMatchObject({ recordsRead: 2 });
		await expect(pages.next()).rejects.toMatchObject({
			kind: 'timeout',
			facts: { page: 2, recordsRead: 2, nextCursor: '2' },
		});
	});
});
