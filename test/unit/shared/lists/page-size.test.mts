import { describe, expect, it } from 'vitest';

import type { RawResponse } from '../../../../nodes/shared/client/api.ts';
import { ServiceFailure, type FailureFacts } from '../../../../nodes/shared/client/failures.ts';
import { MAX_RETRIES } from '../../../../nodes/shared/panel/request-options.ts';
import { CursorReader } from '../../../../nodes/shared/lists/by-cursor.ts';
import { PAGE_SIZES, USUAL_PAGE_SIZE as USUAL } from '../../../../nodes/shared/lists/page-size.ts';
import { answer, bench } from '../client/request-bench.mts';
import { readList as read, upTo } from './any-service.mts';
import { serve, type ListModel } from './list-model.mts';
import { envelope, readAll } from './read-pages.mts';

const NO_QUIRKS: ListModel = { records: 5_000 };
const above = (size: number, status: 400 | 413 | 422 | 429) => ({
	rejectPageSizeAbove: { size, status },
});
const TRIALS = PAGE_SIZES.filter((size) => size > USUAL);
const [LARGEST, MEDIUM] = TRIALS;
const SMALLEST = Math.min(...PAGE_SIZES);
/** Page sizes that the node does not try by itself, because they are not in PAGE_SIZES. */
const BELOW_USUAL = USUAL / 2;
const ABOVE_MEDIUM = MEDIUM * 2;
const TEN_PAGES: ListModel = { records: 10 * LARGEST, ...above(LARGEST, 413) };

it.each(
	Object.entries<Partial<ListModel> & { limits: number[] }>({
		'accepts the largest page size': { limits: [LARGEST, LARGEST] },
		'rejects page sizes above 100': { ...above(USUAL, 413), limits: [...TRIALS, USUAL, USUAL] },
		'responds with HTTP 429 to page sizes above 100': {
			...above(USUAL, 429),
			limits: [...TRIALS, USUAL, ...TRIALS, USUAL, USUAL],
		},
		'rejects even a page size of 100': {
			...above(BELOW_USUAL, 422),
			limits: [...PAGE_SIZES, SMALLEST],
		},
		'does not respond to page sizes above 500': {
			hangPageSizeAbove: ABOVE_MEDIUM,
			limits: [LARGEST, USUAL, USUAL],
		},
		'silently caps pages at 50 records': {
			silentPageCap: BELOW_USUAL,
			limits: [LARGEST, BELOW_USUAL, BELOW_USUAL],
		},
		'silently caps pages at 250 records': {
			silentPageCap: MEDIUM,
			limits: [LARGEST, MEDIUM, MEDIUM],
		},
		'returns no next cursor with a capped page': {
			...{ rowCap: MEDIUM, total: 'absent' },
			limits: [...TRIALS, USUAL, USUAL],
		},
		'returns an empty page for page sizes above 500': {
			emptyPageAbove: ABOVE_MEDIUM,
			limits: [LARGEST, MEDIUM, MEDIUM],
		},
		'returns more records than requested': { extraRecords: 5, limits: [...TRIALS, USUAL, USUAL] },
		'has cursors that count pages': { cursors: 'pageCount', limits: [LARGEST, LARGEST] },
	}),
)('finds the page size of a service that %s', async (_which, row) => {
	const { limits, ...model } = row;
	const { places, asked } = await read({ ...NO_QUIRKS, ...model });
	expect(places).toEqual(upTo(5_000));
	expect(asked.slice(0, limits.length)).toEqual(limits);
	expect(new Set(asked.slice(limits.length - 1)).size, 'limits from there on').toBe(1);
});

it.each([
	{ hidden: { every: 10_000 } },
	{ hidden: { every: 200 } },
	{ hidden: { every: 20 } },
	{ extraRecords: -1 },
])(
	'needs at most 6 requests for the first page if pages have fewer records than requested: %j',
	async (short) => {
		const model: ListModel = { ...NO_QUIRKS, ...short };
		const { asked, failure, places, pages } = await read(model);
		expect(failure).toBeUndefined();
		const { every = Infinity } = model.hidden ?? {};
		expect(places).toEqual(upTo(5_000).filter((n) => n % every !== 0 || !model.hidden));
		expect(asked.length - (pages.length - 1)).toBeLessThanOrEqual(6);
	},
);

it.each([
	{ records: 0, limits: [LARGEST] },
	{ records: 7, limits: [LARGEST] },
	{ records: 7, total: 'absent' as const, limits: [LARGEST, USUAL] },
	{ records: 0, total: 'absent' as const, limits: [LARGEST, USUAL] },
	{ records: MEDIUM + 1, total: 'absent' as const, limits: [LARGEST, MEDIUM, MEDIUM] },
	{ records: 2 * LARGEST, total: 'absent' as const, limits: [LARGEST, LARGEST] },
])('tries at most one more page size, and none if a short list has a total: %j', async (row) => {
	const { limits, ...model } = row;
	expect((await read(model)).asked).toEqual(limits);
});

it.each([
	{ limit: 50, limits: [50] },
	{ limit: 150, limits: [150] },
	{ limit: 3 * LARGEST, limits: [LARGEST, LARGEST, LARGEST] },
	{ limit: 900, maxPerPage: 250, limits: [225, 225, 225, 225] },
	{ limit: 250, pageSize: 100, limits: [100, 100, 100] },
])(
	'splits Limit into pages of equal size unless Page Size is set: %j',
	async ({ limits, ...options }) => {
		expect((await read(NO_QUIRKS, options)).asked).toEqual(limits);
	},
);

it("tries no other page size if the service rejects the user's Page Size", async () => {
	const list = await read({ ...NO_QUIRKS, ...above(50, 422) }, { pageSize: 60 });
	expect(list).toMatchObject({ asked: [60], failure: { facts: { statusCode: 422 } } });
});

describe('a trial request with a page size above 100', () => {
	const options = { mode: 'cursor', sort: 'created_at' } as const;

	const failures = {
		temporary: ['connectionLost', 'invalidBody', 'notSent', 429, 500, 503, 504],
		permanent: ['tooLong', 402, 403, 404, 413],
	} as const;
	const failureOf = (what: 'timeout' | (typeof failures)['temporary' | 'permanent'][number]) =>
		typeof what === 'number'
			? new ServiceFailure('status', { statusCode: what })
			: new ServiceFailure(what);

	it.each(['timeout', ...failures.temporary, ...failures.permanent] as const)(
		'tries a page size above 100 once with half the Timeout, and a smaller page size after failure "%s"',
		async (what) => {
			const seen: unknown[] = [];
			const list = await readAll(options, async ({ limit }, limits) => {
				const { maxRetries, maxUnprocessed, timeoutMs, maxCharacters } = limits;
				seen.push([limit, maxRetries, maxUnprocessed, timeoutMs, maxCharacters]);
				if (limit > USUAL) throw failureOf(what);
				return envelope(0, USUAL, {});
			});
			expect(list.ids).toHaveLength(USUAL);
			expect(seen).toEqual([
				...(what === 'timeout' ? [LARGEST] : TRIALS).map((limit) => [
					limit,
					0,
					1,
					30_000,
					8_000_000,
				]),
				[USUAL, 6, undefined, 60_000, undefined],
			]);
		},
	);

	/**
	 * Reads a list of two pages of the largest size. The first `times` requests with a page size above 100 fail.
	 * Returns the page sizes of the last three requests without duplicates, and the number of requests.
	 */
	const limitsAfter = async (what: Parameters<typeof failureOf>[0], times: number, more = {}) => {
		const { servePage } = serve({ records: 2 * LARGEST, ...more });
		let requests = 0;
		const { asked, failure, ids } = await readAll(options, async (request) => {
			if (request.limit > USUAL && requests++ < times) throw failureOf(what);
			return await servePage(request);
		});
		expect([ids.length, failure]).toEqual([2 * LARGEST, undefined]);
		return [...new Set(asked.slice(-3).map(({ limit }) => limit)), asked.length];
	};

	const pagesOf = (size: number) => Math.ceil((2 * LARGEST) / size);

	it.each(failures.temporary)('retries a large page size once after failure "%s"', async (what) => {
		expect(await limitsAfter(what, 1)).toEqual([MEDIUM, LARGEST, 4]);
		expect(await limitsAfter(what, 2)).toEqual([USUAL, LARGEST, 5]);
		// After the page size 1,000 has failed twice, the page size 250 works.
		expect(await limitsAfter(what, 3)).toEqual([MEDIUM, 4 + pagesOf(MEDIUM)]);
		// Both page sizes above 100 fail twice, so the node uses 100.
		expect(await limitsAfter(what, 9)).toEqual([USUAL, 5 + pagesOf(USUAL)]);
	});

	it.each(['timeout', ...failures.permanent] as const)(
		'does not retry a large page size after the permanent failure "%s"',
		async (what) => {
			const trials = what === 'timeout' ? 1 : 2;
			expect(await limitsAfter(what, trials)).toEqual([USUAL, trials + pagesOf(USUAL)]);
		},
	);

	it('does not retry a failed page size if a smaller page holds the whole list', async () => {
		let requests = 0;
		const { asked } = await readAll(options, async () => {
			if (requests++ === 0) throw failureOf(500);
			return envelope(0, 7, { total: 7 });
		});
		expect(asked.map(({ limit }) => limit)).toEqual(TRIALS);
	});

	it.each([
		new ServiceFailure('cancelled'),
		new ServiceFailure('quotaExceeded'),
		new ServiceFailure('status', { statusCode: 401 }),
	])('tries no other page size after %s', async (failure) => {
		const list = await readAll(options, async () => {
			throw failure;
		});
		expect([list.asked.length, list.failure?.message]).toEqual([1, failure.message]);
	});

	it('suggests the next smaller page size, if there is one, after all retries end in a server error', async () => {
		const end = async (facts: FailureFacts, maximum?: number) => {
			const { asked, failure } = await readAll(
				{ ...options, limit: maximum },
				async ({ limit }) => {
					if (limit > BELOW_USUAL || maximum !== undefined)
						throw new ServiceFailure('status', facts);
					return envelope(0, limit, {});
				},
			);
			return [asked.length, failure?.facts.smallerPageSize];
		};
		for (const statusCode of [500, 504])
			expect(await end({ statusCode, gaveUp: 'retriesUsed' })).toEqual([3, SMALLEST]);
		expect(await end({ statusCode: 429, gaveUp: 'waitUsed' })).toEqual([3, undefined]);
		expect(await end({ statusCode: 504, gaveUp: 'retriesUsed' }, 10)).toEqual([1, undefined]);
	});

	it('throws the error that the service returned for page size 100 if the service rejects every page size', async () => {
		const list = await readAll(options, async ({ limit }) => {
			throw new ServiceFailure('status', { statusCode: 400, words: `not by ${limit}` });
		});
		expect([list.asked.length, list.failure?.facts.words]).toEqual([
			PAGE_SIZES.length,
			`not by ${USUAL}`,
		]);
	});
});

describe('a list of 10,000 records during an outage', () => {
	const outages = {
		'HTTP 502': answer(502),
		'HTTP 429': answer(429),
		'HTTP 503 with Retry-After': answer(503, {}, { 'retry-after': '1' }),
		'connection resets': new ServiceFailure('connectionLost'),
		'no connection': new ServiceFailure('notSent'),
	};
	const limits = { maxRetries: MAX_RETRIES, maxWaitMs: 300_000, timeoutMs: 60_000 };

	/** Returns the number of requests for each list if all requests of the first 300 ms fail. */
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
		const list = { client, source, limits: () => limits };
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

	it.each(Object.entries(outages))(
		'needs at most 14 requests for ten pages after an outage of 300 ms (%s), and 10 for the next list',
		async (_what, failure) => {
			for (const [random, latencyMs] of [
				[0, 5],
				[0.9, 120],
			]) {
				const lists = [TEN_PAGES, TEN_PAGES];
				const [first, next] = await requestsOf(lists, failure, { random, latencyMs });
				expect(first, `${latencyMs} ms`).toBeLessThanOrEqual(14);
				expect(next).toBe(10);
			}
		},
	);
});

it('reads a list that is shorter than the smallest page size that the service accepts', async () => {
	const model: ListModel = { records: 7, trailingCursor: 'toEmpty', rejectPageSizeBelow: 10 };
	const { places, asked } = await read(model, { ignoreTotal: true });
	expect({ places, asked }).toEqual({ places: upTo(7), asked: [LARGEST, 7, SMALLEST, SMALLEST] });
});

it('requests 25 records and truncates the page if the service rejects a smaller page size', async () => {
	const model = { ...NO_QUIRKS, rejectPageSizeBelow: 10 };
	const { places, asked } = await read(model, { limit: 5 });
	expect({ places, asked }).toEqual({ places: upTo(5), asked: [5, SMALLEST] });
});
