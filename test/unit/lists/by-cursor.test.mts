import { describe, expect, it } from 'vitest';

import { ServiceFailure, type FailureFacts } from '../../../nodes/client/failures.ts';
import { listSizes } from '../../../nodes/lists/page-size.ts';
import { envelope, readAll, readAnswers, readPages, type ServePage } from './read-pages.mts';

const CURSOR_MODE = { mode: 'cursor', sort: 'updated_at', pageSize: 2 } as const;

describe('cursor pagination', () => {
	it.each([
		['an older cursor', ['c1', 'c2', 'c1'], {}],
		['its own cursor, even where no more is wanted', ['c9'], { startCursor: 'c9', maximum: 2 }],
	])('stops at %s', async (_name, cursors, options) => {
		const answers = cursors.map((next_cursor, page) =>
			envelope(2 * page, 2 * page + 2, { next_cursor }),
		);
		const { pages, failure } = await readAnswers({ ...CURSOR_MODE, ...options }, answers);
		expect(failure).toMatchObject({
			kind: 'repeatedPage',
			facts: { page: cursors.length, recordsRead: 2 * cursors.length, ctxId: 'ctx-1' },
		});
		expect(failure?.facts.nextCursor).toBeUndefined();
		expect(pages.map(({ nextCursor }) => nextCursor)).toEqual([...cursors.slice(0, -1), undefined]);
	});

	const dates = ['old', 'old'];
	it.each([
		{ title: 'under a new cursor', ids: [0, 1, 0, 1], dates, came: 2 },
		{ title: 'with other dates', ids: [0, 1, 0, 1], dates: ['old', 'new'], came: 4 },
		{ title: 'with another last record', ids: [0, 1, 0, 2], dates, came: 4 },
		{ title: 'with ids that differ in a last digit', ids: [0, 1, 0, '1'], dates, came: 4 },
		{ title: 'where records have no ids, and may be equal', ids: [], dates, came: 4 },
		{ title: 'while the total grows by less', ids: [0, 1, 0, 1], dates, total: 10, came: 2 },
		{ title: 'after as many new records before it', ids: [0, 1, 0, 1], dates, total: 11, came: 4 },
		{ title: 'under the same cursor, without ids', ids: [], dates, cursor: 'c1', came: 2 },
	])('tells a page that comes twice, before it is given: $title', async (row) => {
		const { ids, came, cursor = 'c2' } = row;
		const pageOf = (number: number, next_cursor: string) => {
			const total = number === 0 ? 9 : (row.total ?? 9);
			const page = envelope(0, 2, { next_cursor, total });
			for (const [index, record] of page.data.items.entries())
				Object.assign(record, { id: ids[2 * number + index], updated_at: row.dates[number] });
			return page;
		};
		const answers = [pageOf(0, 'c1'), pageOf(1, cursor), envelope(0, 0, {})];
		const read = await readAnswers(CURSOR_MODE, answers);
		const failure = came === 2 ? 'repeatedPage' : undefined;
		expect({ failure: read.failure?.kind, came: read.ids.length }).toEqual({ failure, came });
	});

	it('advises the Page Size of 100 where a larger one was the choice of the node', async () => {
		const failWith = async (facts: FailureFacts, pageSize?: number) => {
			const read = await readAll({ ...CURSOR_MODE, pageSize }, async ({ limit, ...place }) => {
				if ('cursor' in place) throw new ServiceFailure('status', facts);
				return envelope(0, limit, { next_cursor: 'c1' });
			});
			return read.failure?.facts.isChosenLimit;
		};
		expect(await failWith({ statusCode: 504, gaveUp: 'retriesUsed' })).toBe(true);
		expect(await failWith({ statusCode: 413 })).toBe(true);
		expect(await failWith({ statusCode: 429, gaveUp: 'waitUsed' })).toBe(false);
		expect(await failWith({ statusCode: 413 }, 1_000)).toBe(false);
	});

	it.each([
		['says so to later lists', new ServiceFailure('timeout'), true],
		['says so by a firewall, too', new ServiceFailure('status', { statusCode: 403 }), true],
		['learns nothing by a rate limit', new ServiceFailure('status', { statusCode: 429 }), false],
		['learns nothing by what was not sent', new ServiceFailure('notSent'), false],
		['learns nothing where no turn is left', new ServiceFailure('noTurn'), false],
	])('tries a larger limit once, not for long, and %s', async (_name, failure, wereTried) => {
		const seen: unknown[] = [];
		const sizes = listSizes();
		await readAll({ ...CURSOR_MODE, pageSize: undefined, sizes }, async ({ limit }, limits) => {
			seen.push([limit, limits.maxRetries, limits.maxUnprocessed, limits.timeoutMs]);
			if (limit > 100) throw failure;
			return envelope(0, 100, seen.length > 1 ? {} : { next_cursor: 'c1' });
		});
		expect(seen).toEqual([
			[100, 4, undefined, 60_000],
			...[2_000, 1_000, 500, 200].map((limit) => [limit, 0, 1, 15_000]),
			[100, 4, undefined, 60_000],
		]);
		expect(sizes).toMatchObject({ first: 100, wereTried });
	});

	it.each([
		{
			title: 'empty pages',
			records: 0,
			lastRecord: 1_000,
			expected: ['emptyPages', 4, 11_000, 'c11000'],
		},
		{
			title: 'equal records without ids',
			records: 1,
			lastRecord: 0,
			expected: ['repeatedPage', 10_000, 10_001, undefined],
		},
	])(
		'stops after 10,000 $title in a row, counted anew after each that brings something',
		async (row) => {
			let requests = 0;
			const read = await readAll(CURSOR_MODE, async () => {
				const isNew = ++requests % 250 === 0 && requests <= row.lastRecord;
				const page = envelope(requests, requests + (isNew ? 1 : row.records), {
					next_cursor: `c${requests}`,
				});
				if (row.records > 0) page.data.items = [{ name: 'equal' }];
				return page;
			});
			const { kind, facts } = read.failure ?? {};
			expect([kind, read.ids.length, requests, facts?.nextCursor]).toEqual(row.expected);
		},
	);

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
			...{ page: 2, recordsRead: 2, nextCursor: 'c1', limit: 2, isChosenLimit: false },
			isOfCursor: false,
		});
	});

	it.each<[number, string | undefined, boolean]>([
		[400, undefined, true],
		[404, undefined, true],
		[410, 'expired', true],
		[422, undefined, true],
		[409, 'Old page token', true],
		[409, 'in use', false],
		[401, undefined, false],
		[413, undefined, false],
	])('after a good page, HTTP %i (%s) is about the cursor: %s', async (statusCode, words, isIt) => {
		const refused = new ServiceFailure('status', { statusCode, words });
		const answers = [envelope(0, 2, { next_cursor: 'c1' }), refused];
		expect((await readAnswers(CURSOR_MODE, answers)).failure?.facts.isOfCursor).toBe(isIt);
		// Of a first page, it is about the request.
		expect((await readAnswers(CURSOR_MODE, [refused])).failure?.facts.isOfCursor).toBe(false);
	});

	it('passes on errors of any other kind as they are', async () => {
		const other = new RangeError('other');
		await expect(readAnswers(CURSOR_MODE, [other])).rejects.toBe(other);
	});
});

describe('reading one page ahead', () => {
	const AHEAD = { ...CURSOR_MODE, readsAhead: true } as const;

	/** A list of six records, two per page at most; keeps the signals by which its answers are given up. */
	function service(failsAt = Infinity): {
		signals: Array<AbortSignal | undefined>;
		serve: ServePage;
	} {
		const signals: Array<AbortSignal | undefined> = [];
		const serve: ServePage = async (request, _limits, signal) => {
			signals.push(signal);
			if (signals.length === failsAt) throw new ServiceFailure('timeout');
			const from = 'cursor' in request ? Number(request.cursor) : 0;
			const to = Math.min(6, from + request.limit);
			return envelope(from, to, to < 6 ? { next_cursor: String(to) } : {});
		};
		return { signals, serve };
	}

	it.each([
		[true, undefined, [2, 2, 4, 3, 6, 3]],
		[false, undefined, [2, 1, 4, 2, 6, 3]],
		[true, 4, [2, 2, 4, 2]],
	])(
		'asks for the next page before one is handed over: %s, and for none after the maximum (%s)',
		async (readsAhead, maximum, expected) => {
			const { signals, serve } = service();
			const seen: number[] = [];
			for await (const page of readPages(serve, { ...AHEAD, readsAhead, maximum }))
				seen.push(page.recordsRead, signals.length);
			expect(seen).toEqual(expected);
		},
	);

	it('is given up when nobody reads on: what is under way is not wanted any more', async () => {
		const { signals, serve } = service();
		const pages = readPages(serve, AHEAD);
		await pages.next();
		expect([signals.length, signals[1]?.aborted]).toEqual([2, false]);
		await pages.return();
		expect(signals[1]?.aborted).toBe(true);
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
