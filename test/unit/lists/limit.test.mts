import { describe, expect, it } from 'vitest';

import type { RawResponse } from '../../../nodes/client/api.ts';
import { ServiceFailure, type FailureFacts } from '../../../nodes/client/failures.ts';
import { MAX_RETRIES } from '../../../nodes/common/panel/request-options.ts';
import { CursorReader } from '../../../nodes/lists/by-cursor.ts';
import { answer, bench } from '../client/request-bench.mts';
import { readList as read, upTo } from './any-service.mts';
import { serve, type ListModel } from './list-model.mts';
import { envelope, readAll } from './read-pages.mts';

const KIND: ListModel = { records: 5_000 };
const above = (size: number, status: 400 | 413 | 422 | 429) => ({
	refusePageSizeAbove: { size, status },
});
const TRIALS = [1_000, 250];
const OF_1_000: ListModel = { records: 10_000, ...above(1_000, 413) };

it.each(
	Object.entries<Partial<ListModel> & { limits: number[] }>({
		'accepts 1,000': { limits: [1_000, 1_000] },
		'refuses above 100': { ...above(100, 413), limits: [...TRIALS, 100, 100] },
		'refuses above 100 as by a rate limit': {
			...above(100, 429),
			limits: [...TRIALS, 100, ...TRIALS, 100, 100],
		},
		'refuses above 50': { ...above(50, 422), limits: [...TRIALS, 100, 25, 25] },
		'hangs above 500': { hangPageSizeAbove: 500, limits: [1_000, 100, 100] },
		'caps silently at 50': { silentPageCap: 50, limits: [1_000, 50, 50] },
		'caps silently at 250': { silentPageCap: 250, limits: [1_000, 250, 250] },
		'says no more at 250': { rowCap: 250, total: 'absent', limits: [1_000, 250, 100, 100] },
		'gives nothing above 500': { nothingAbove: 500, limits: [1_000, 250, 250] },
		'gives more than is asked for': { extraRecords: 5, limits: [...TRIALS, 100, 100] },
		'has cursors that count pages': { cursors: 'pageCount', limits: [1_000, 1_000] },
	}),
)('the first page of a list finds the limit of a service that %s', async (_which, row) => {
	const { limits, ...model } = row;
	const { places, asked } = await read({ ...KIND, ...model });
	expect(places).toEqual(upTo(5_000));
	expect(asked.slice(0, limits.length)).toEqual(limits);
	expect(new Set(asked.slice(limits.length - 1)).size, 'limits from there on').toBe(1);
});

it.each([
	{ records: 0, limits: [1_000] },
	{ records: 7, limits: [1_000] },
	{ records: 7, total: 'absent' as const, limits: [1_000, 100] },
	{ records: 0, total: 'absent' as const, limits: [1_000, 100] },
	{ records: 300, total: 'absent' as const, limits: [1_000, 250, 250] },
	{ records: 2_000, total: 'absent' as const, limits: [1_000, 1_000] },
])('a list that is short costs one request, and two where no total tells so: %j', async (row) => {
	const { limits, ...model } = row;
	expect((await read(model)).asked).toEqual(limits);
});

it.each([
	{ maximum: 50, limits: [50] },
	{ maximum: 150, limits: [150] },
	{ maximum: 3_000, limits: [1_000, 1_000, 1_000] },
	{ maximum: 900, maxPerPage: 250, limits: [225, 225, 225, 225] },
	{ maximum: 250, pageSize: 100, limits: [100, 100, 100] },
])('a maximum is read in equal pages, but for a Page Size: %j', async ({ limits, ...options }) => {
	expect((await read(KIND, options)).asked).toEqual(limits);
});

it('a Page Size is sent as it is, also where the service refuses it', async () => {
	const list = await read({ ...KIND, ...above(50, 422) }, { pageSize: 60 });
	expect(list).toMatchObject({ asked: [60], failure: { facts: { statusCode: 422 } } });
});

describe('a limit above 100', () => {
	const options = { mode: 'cursor', sort: 'created_at' } as const;

	const failures = {
		passing: ['connectionLost', 'invalidBody', 'notSent', 429, 500, 503, 504],
		lasting: ['tooLong', 401, 402, 403, 404, 413],
	} as const;
	const failureOf = (what: 'timeout' | (typeof failures)['passing' | 'lasting'][number]) =>
		typeof what === 'number'
			? new ServiceFailure('status', { statusCode: what })
			: new ServiceFailure(what);

	it.each(['timeout', ...failures.passing, ...failures.lasting] as const)(
		'is tried once, for half the Timeout, and the next smaller one after %s; after a time-out, 100',
		async (what) => {
			const seen: unknown[] = [];
			const list = await readAll(options, async ({ limit }, bounds) => {
				const { maxRetries, maxUnprocessed, timeoutMs, maxCharacters } = bounds;
				seen.push([limit, maxRetries, maxUnprocessed, timeoutMs, maxCharacters]);
				if (limit > 100) throw failureOf(what);
				return envelope(0, 100, {});
			});
			expect(list.ids).toHaveLength(100);
			expect(seen).toEqual([
				...(what === 'timeout' ? [1_000] : TRIALS).map((limit) => [limit, 0, 1, 30_000, 8_000_000]),
				[100, 6, undefined, 60_000, undefined],
			]);
		},
	);

	/** The limits that a list of 2,000 records is asked with, of which so many requests fail. */
	const limitsAfter = async (what: Parameters<typeof failureOf>[0], times: number, more = {}) => {
		const { servePage } = serve({ records: 2_000, ...more });
		let requests = 0;
		const { asked, failure, ids } = await readAll(options, async (request) => {
			if (request.limit > 100 && requests++ < times) throw failureOf(what);
			return await servePage(request);
		});
		expect([ids.length, failure]).toEqual([2_000, undefined]);
		return [...new Set(asked.slice(-3).map(({ limit }) => limit)), asked.length];
	};

	it.each(failures.passing)('is tried once more after %s, which may pass', async (what) => {
		// By 1,000 and 250, then by 100, then two pages by 1,000.
		expect(await limitsAfter(what, 1)).toEqual([250, 1_000, 4]);
		expect(await limitsAfter(what, 2)).toEqual([100, 1_000, 5]);
		// By 1,000 in vain, and then by 250.
		expect(await limitsAfter(what, 3)).toEqual([250, 12]);
		// By both in vain once more.
		expect(await limitsAfter(what, 9)).toEqual([100, 25]);
	});

	it.each(['timeout', ...failures.lasting] as const)(
		'is not tried once more after %s, which lasts',
		async (what) => {
			expect(await limitsAfter(what, what === 'timeout' ? 1 : 2)).toEqual([
				100,
				what === 'timeout' ? 21 : 22,
			]);
		},
	);

	it('is not tried once more where the list is whole already', async () => {
		let requests = 0;
		const { asked } = await readAll(options, async () => {
			if (requests++ === 0) throw failureOf(500);
			return envelope(0, 7, { total: 7 });
		});
		expect(asked.map(({ limit }) => limit)).toEqual(TRIALS);
	});

	it.each(['cancelled', 'noTurn'] as const)('is the last one after "%s"', async (kind) => {
		const list = await readAll(options, async () => {
			throw new ServiceFailure(kind);
		});
		expect([list.asked.length, list.failure?.kind]).toEqual([1, kind]);
	});

	it('and one of 100 that fails for good names a smaller one, where that asks for less', async () => {
		const end = async (facts: FailureFacts, maximum?: number) => {
			const { asked, failure } = await readAll({ ...options, maximum }, async ({ limit }) => {
				if (limit > 50 || maximum !== undefined) throw new ServiceFailure('status', facts);
				return envelope(0, limit, {});
			});
			return [asked.length, failure?.facts.smallerLimit];
		};
		for (const statusCode of [500, 504])
			expect(await end({ statusCode, gaveUp: 'retriesUsed' })).toEqual([3, 25]);
		expect(await end({ statusCode: 429, gaveUp: 'waitUsed' })).toEqual([3, undefined]);
		expect(await end({ statusCode: 504, gaveUp: 'retriesUsed' }, 10)).toEqual([1, undefined]);
	});

	it('is no reason for an error: where all are refused, that is told of 100', async () => {
		const list = await readAll(options, async ({ limit }) => {
			throw new ServiceFailure('status', { statusCode: 400, words: `not by ${limit}` });
		});
		expect([list.asked.length, list.failure?.facts.words]).toEqual([4, 'not by 100']);
	});
});

describe('10,000 records of a service that accepts 1,000', () => {
	const away = {
		'502': answer(502),
		'429': answer(429),
		'503 with Retry-After': answer(503, {}, { 'retry-after': '1' }),
		resets: new ServiceFailure('connectionLost'),
		'no connection': new ServiceFailure('notSent'),
	};
	const bounds = { maxRetries: MAX_RETRIES, maxWaitMs: 300_000, timeoutMs: 60_000 };

	/** How many requests each of these lists takes, where all fail for 300 ms from the beginning of the first one. */
	async function requestsOf(
		lists: ListModel[],
		failure: Error | RawResponse,
		{ random, latencyMs }: Record<'random' | 'latencyMs', number>,
	) {
		let served = serve(lists[0]);
		const { client, sent } = bench(
			async (atMs, { query }) =>
				atMs < 300 ? failure : answer(200, await served.servePage(query as never)),
			{ random, latencyMs: () => latencyMs },
		);
		const source = { endpoint: { method: 'GET', path: '/list' } } as const;
		const list = { client, source, bounds: () => bounds };
		const requests: number[] = [];
		for (const model of lists) {
			served = serve(model);
			const before = sent.length;
			let records = 0;
			const settings = { sort: 'created_at', readsAhead: true } as const;
			for await (const page of new CursorReader(list, settings).pages())
				records += page.indexes.length;
			expect(records).toBe(model.records);
			requests.push(sent.length - before);
		}
		return requests;
	}

	it.each(Object.entries(away))(
		'take at most 14 requests after 300 ms of %s, and the next list 10',
		async (_what, failure) => {
			for (const [random, latencyMs] of [
				[0, 5],
				[0.9, 120],
			]) {
				const lists = [OF_1_000, OF_1_000];
				const [first, next] = await requestsOf(lists, failure, { random, latencyMs });
				expect(first, `${latencyMs} ms`).toBeLessThanOrEqual(14);
				expect(next).toBe(10);
			}
		},
	);
});

it('a smaller maximum than the service accepts is asked for as 25 records and truncated', async () => {
	const model = { ...KIND, refusePageSizeBelow: 10 };
	const { places, asked } = await read(model, { maximum: 5 });
	expect({ places, asked }).toEqual({ places: upTo(5), asked: [5, 25] });
});
