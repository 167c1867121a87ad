import { describe, expect, it } from 'vitest';

import { USUAL_PAGE_SIZE } from '../../../../nodes/shared/lists/page-size.ts';
import type { ListEnvelope } from '../../../../nodes/shared/client/api.ts';
import type { PageRequest } from '../../../../nodes/shared/lists/page.ts';
import { ServiceFailure, type FailureFacts } from '../../../../nodes/shared/client/failures.ts';
import { envelope, readAll, readAnswers, readPages, type ServePage } from './read-pages.mts';

const CURSOR_MODE = { mode: 'cursor', sort: 'updated_at', pageSize: 2 } as const;

describe('a list read by cursor', () => {
	it('fails if the next cursor of a page was already used for an earlier page', async () => {
		const cursors = ['c1', 'c2', 'c1'];
		const answers = cursors.map((next_cursor, page) =>
			envelope(2 * page, 2 * page + 2, { next_cursor }),
		);
		const { pages, failure } = await readAnswers(CURSOR_MODE, answers);
		expect(failure).toMatchObject({
			kind: 'repeatedPage',
			facts: { page: cursors.length, recordsRead: 2 * cursors.length, ctxId: 'ctx-1' },
		});
		expect(failure?.facts.nextCursor).toBeUndefined();
		expect(pages.map(({ nextCursor }) => nextCursor)).toEqual([...cursors.slice(0, -1), undefined]);
	});

	const dates = ['old', 'old'];
	it.each([
		{ title: 'only their next cursors differ', ids: [0, 1, 0, 1], dates, came: 2 },
		{ title: 'their dates differ', ids: [0, 1, 0, 1], dates: ['old', 'new'], came: 4 },
		{ title: 'their last records differ', ids: [0, 1, 0, 2], dates, came: 3 },
		{ title: 'their last ids differ only in type', ids: [0, 1, 0, '1'], dates, came: 3 },
		{ title: 'their records have no ids', ids: [], dates, came: 4 },
		{
			title: 'the total grows by less than one page',
			ids: [0, 1, 0, 1],
			dates,
			total: 10,
			came: 2,
		},
		{
			title: 'the total grows by one whole page',
			ids: [0, 1, 0, 1],
			dates,
			total: 11,
			came: 4,
		},
		{
			title: 'a cursor repeats and ids are missing',
			ids: [],
			dates,
			cursor: 'c1',
			came: 2,
		},
		{
			title: 'a cursor repeats while the total grows',
			...{ ids: [0, 1, 0, 1], dates, cursor: 'c1', total: 12, came: 2 },
		},
	])('returns $came records of two similar pages if $title', async (row) => {
		const { ids, came, cursor = 'c2' } = row;
		const pageOf = (number: number, next_cursor: string) => {
			const total = number === 0 ? 9 : (row.total ?? 9);
			const page = envelope(0, 2, { next_cursor, total });
			for (const [index, record] of page.data.items.entries())
				Object.assign(record, { id: ids[2 * number + index], updated_at: row.dates[number] });
			return page;
		};
		// The node requests the last page once more, because fewer records than the total have arrived.
		const end = envelope(0, 0, {});
		const answers = [pageOf(0, 'c1'), pageOf(1, cursor), end, end];
		const read = await readAnswers(CURSOR_MODE, answers);
		const failure = came === 2 ? 'repeatedPage' : undefined;
		expect({ failure: read.failure?.kind, came: read.ids.length }).toEqual({ failure, came });
	});

	it('suggests a page size of 100 in the error if the node chose a larger page size', async () => {
		const failWith = async (facts: FailureFacts, pageSize?: number) => {
			const read = await readAll({ ...CURSOR_MODE, pageSize }, async ({ limit, ...place }) => {
				if ('cursor' in place) throw new ServiceFailure('status', facts);
				return envelope(0, limit, { next_cursor: 'c1' });
			});
			return read.failure?.facts.smallerPageSize;
		};
		expect(await failWith({ statusCode: 504, gaveUp: 'retriesUsed' })).toBe(USUAL_PAGE_SIZE);
		expect(await failWith({ statusCode: 413 })).toBe(USUAL_PAGE_SIZE);
		expect(await failWith({ statusCode: 429, gaveUp: 'waitUsed' })).toBeUndefined();
		expect(await failWith({ statusCode: 413 }, 1_000)).toBeUndefined();
	});

	it.each([
		{
			title: 'no records',
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
	])('fails after 10,000 consecutive pages with $title', async (row) => {
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
	});

	it.each([[5], [{}], [['c1']], [true], [false]])(
		'rejects the next cursor %j, which is not text',
		async (next_cursor) => {
			const { failure } = await readAnswers(CURSOR_MODE, [envelope(0, 2, { next_cursor })]);
			expect(failure).toMatchObject({ kind: 'missingPagination', facts: { ctxId: 'ctx-1' } });
		},
	);

	it('adds page, record count and next cursor to a failure, and keeps its other facts', async () => {
		const lost = new ServiceFailure('status', { statusCode: 500, attempts: 5 });
		const answers = [envelope(0, 2, { next_cursor: 'c1' }), lost];
		const { failure } = await readAnswers(CURSOR_MODE, answers);
		expect(failure?.facts).toEqual({
			...lost.facts,
			...{ page: 2, recordsRead: 2, nextCursor: 'c1', pageSize: 2 },
		});
	});

	it('rethrows an error that is not a ServiceFailure', async () => {
		const other = new RangeError('other');
		await expect(readAnswers(CURSOR_MODE, [other])).rejects.toBe(other);
	});
});

describe('a list that has returned as many records as its total', () => {
	const first = () => envelope(0, 2, { next_cursor: 'c1', total: 4 });
	const second = (next_cursor?: string, total = 4) => envelope(2, 4, { next_cursor, total });

	it.each<[string, ListEnvelope[]]>([
		['the last page points back to itself', [first(), second('c1')]],
		[
			'an empty page points to a further page',
			[first(), second('c2'), envelope(4, 4, { next_cursor: 'c3', total: 4 })],
		],
		['the last page is returned again', [first(), second('c2'), second('c3')]],
		[
			'the last page is returned again and points back to itself',
			[first(), second('c2'), second('c2')],
		],
		[
			'the last page is returned again with an added record',
			[first(), second('c2'), envelope(2, 5, { next_cursor: 'c2', total: 5 })],
		],
		[
			'the last page is returned again without a deleted record',
			[first(), second('c2'), envelope(3, 4, { next_cursor: 'c2', total: 3 })],
		],
	])('ends when all records of the total have arrived if %s', async (_where, answers) => {
		const { ids, pages, failure, asked } = await readAnswers(CURSOR_MODE, answers);
		expect([ids, failure, asked.length]).toEqual([[0, 1, 2, 3], undefined, answers.length]);
		expect(pages.at(-1)).toMatchObject({ isLast: true, nextCursor: undefined });
		// With a date range, the node must drop repeated records first, because their dates would be out of order.
		for (const record of answers.flatMap(({ data }) => data.items))
			record.updated_at = new Date(Number(record.id) * 1_000).toISOString();
		const inRange = await readAnswers({ ...CURSOR_MODE, range: { after: -1 } }, answers);
		expect([inRange.ids, inRange.failure]).toEqual([[0, 1, 2, 3], undefined]);
	});

	it.each<[string, ListEnvelope]>([
		['an empty page points back to itself', envelope(2, 2, { next_cursor: 'c1', total: 4 })],
		[
			'an empty page points back to the start cursor',
			envelope(2, 2, { next_cursor: 'c0', total: 4 }),
		],
		['a page points back to itself', second('c1')],
		['a page is returned again with a new cursor', envelope(0, 2, { next_cursor: 'c2', total: 4 })],
	])('stops reading from a saved cursor if %s', async (_where, page) => {
		const followed = { ...CURSOR_MODE, startCursor: 'c0', isFollowed: true };
		const { failure, pages, ids } = await readAnswers(followed, [first(), page]);
		expect([failure, pages.at(-1)]).toMatchObject([undefined, { isLast: true }]);
		expect(new Set(ids).size).toBe(ids.length);
		const goesRound = await readAnswers(followed, [first(), second('c0')]);
		expect(goesRound.failure?.kind).toBe('repeatedPage');
	});

	it('fails at a page that points back to itself if the total has grown', async () => {
		const { failure } = await readAnswers(CURSOR_MODE, [first(), second('c1', 5)]);
		expect(failure?.kind).toBe('repeatedPage');
	});
});

it('fails if a list returns more than twice its first total plus 1,000 records, unless the total is ignored', async () => {
	const endless = async (request: PageRequest) => {
		const from = 'cursor' in request ? Number(request.cursor) : 0;
		return envelope(from, from + 100, { next_cursor: String(from + 100), total: 150 });
	};
	const options = { ...CURSOR_MODE, pageSize: 100, readsAhead: true };
	const { failure, ids } = await readAll(options, endless);
	expect(failure).toMatchObject({
		kind: 'endlessList',
		facts: { recordsRead: 1_400, total: 150, nextCursor: '1400', pageSize: 100 },
	});
	expect(ids).toHaveLength(1_400);
	const ignoring = await readAll({ ...options, ignoreTotal: true, limit: 2_000 }, endless);
	expect([ignoring.ids.length, ignoring.failure]).toEqual([2_000, undefined]);
});

describe('reading one page ahead', () => {
	const AHEAD = { ...CURSOR_MODE, readsAhead: true } as const;

	/**
	 * Returns a simulated service with a list of six records, and the abort signal of each request. The request with
	 * the number `failsAt`, counted from 1, fails.
	 */
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
		'requests the next page early only with readsAhead and before Limit is reached (readsAhead: %s, Limit: %s)',
		async (readsAhead, maximum, expected) => {
			const { signals, serve } = service();
			const seen: number[] = [];
			for await (const page of readPages(serve, { ...AHEAD, readsAhead, limit: maximum }))
				seen.push(page.recordsRead, signals.length);
			expect(seen).toEqual(expected);
		},
	);

	it('aborts the open request if the caller stops reading', async () => {
		const { signals, serve } = service();
		const pages = readPages(serve, AHEAD);
		await pages.next();
		expect([signals.length, signals[1]?.aborted]).toEqual([2, false]);
		await pages.return();
		expect(signals[1]?.aborted).toBe(true);
	});

	it('returns a page even if the next page fails, and then reports the number and cursor of the failed page', async () => {
		const pages = readPages(service(2).serve, AHEAD);
		expect((await pages.next()).value).toMatchObject({ recordsRead: 2 });
		await expect(pages.next()).rejects.toMatchObject({
			kind: 'timeout',
			facts: { page: 2, recordsRead: 2, nextCursor: '2' },
		});
	});
});
