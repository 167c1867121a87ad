import { describe, expect, it } from 'vitest';

import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { createKnownSizes } from '../../../nodes/lists/page-size.ts';
import { readList as read, upTo } from './any-service.mts';
import type { ListModel } from './list-model.mts';
import { envelope, readAll } from './read-pages.mts';

const KIND: ListModel = { records: 5_000 };
const above = (size: number, status: 400 | 413 | 422 | 429) => ({
	refusePageSizeAbove: { size, status },
});
const TRIALS = [2_000, 1_000, 500, 200];

it.each(
	Object.entries<Partial<ListModel> & { limits: number[] }>({
		'accepts 2,000': { limits: [2_000, 2_000] },
		'refuses above 100': { ...above(100, 413), limits: [...TRIALS, 100, 100] },
		'refuses above 100 as by a rate limit': { ...above(100, 429), limits: [...TRIALS, 100, 100] },
		'refuses above 50': { ...above(50, 422), limits: [...TRIALS, 100, 50, 50] },
		'refuses above 20': { ...above(20, 400), limits: [...TRIALS, 100, 50, 20, 20] },
		'hangs above 500': { hangPageSizeAbove: 500, limits: [2_000, 1_000, 500, 500] },
		'caps silently at 50': { silentPageCap: 50, limits: [2_000, 50, 50] },
		'caps silently at 250': { silentPageCap: 250, limits: [2_000, 250, 250] },
		'says no more at 250': { rowCap: 250, total: 'absent', limits: [2_000, 200, 200] },
		'gives nothing above 500': { nothingAbove: 500, limits: [2_000, 1_000, 500, 500] },
		'gives more than is asked for': { extraRecords: 5, limits: [...TRIALS, 100, 100] },
		'has cursors that count pages': { cursors: 'pageCount', limits: [2_000, 2_000] },
	}),
)('the first page of a list finds the limit of a service that %s', async (_which, row) => {
	const { limits, ...model } = row;
	const { places, asked } = await read({ ...KIND, ...model });
	expect(places).toEqual(upTo(5_000));
	expect(asked.slice(0, limits.length)).toEqual(limits);
	expect(new Set(asked.slice(limits.length - 1)).size, 'limits from there on').toBe(1);
});

it.each([
	{ records: 0, limits: [2_000] },
	{ records: 7, limits: [2_000] },
	{ records: 7, total: 'absent' as const, limits: [2_000, 100] },
	{ records: 0, total: 'absent' as const, limits: [2_000, 100] },
	{ records: 2_000, total: 'absent' as const, limits: [2_000, 1_000, 1_000] },
])('a list that is short costs one request, and two where no total tells so: %j', async (row) => {
	const { limits, ...model } = row;
	expect((await read(model)).asked).toEqual(limits);
});

it.each([
	{ maximum: 50, limits: [50] },
	{ maximum: 150, limits: [150] },
	{ maximum: 3_000, limits: [1_500, 1_500] },
	{ maximum: 900, mostPerPage: 250, limits: [225, 225, 225, 225] },
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

	it.each([
		new ServiceFailure('timeout'),
		new ServiceFailure('tooLong'),
		new ServiceFailure('invalidBody'),
		...[401, 402, 403, 404, 429, 500, 503].map(
			(statusCode) => new ServiceFailure('status', { statusCode }),
		),
	])('is tried once and not for long, and the next smaller one after "%s"', async (failure) => {
		const seen: unknown[] = [];
		const list = await readAll(options, async ({ limit }, limits) => {
			const { maxRetries, maxUnprocessed, timeoutMs, mostCharacters } = limits;
			seen.push([limit, maxRetries, maxUnprocessed, timeoutMs, mostCharacters]);
			if (limit > 100) throw failure;
			return envelope(0, 100, {});
		});
		expect(list.ids).toHaveLength(100);
		expect(seen).toEqual([
			...TRIALS.map((limit) => [limit, 0, 1, 15_000, 8_000_000]),
			[100, 4, undefined, 60_000, undefined],
		]);
	});

	it.each(['cancelled', 'noTurn'] as const)('is the last one after "%s"', async (kind) => {
		const list = await readAll(options, async () => {
			throw new ServiceFailure(kind);
		});
		expect([list.asked.length, list.failure?.kind]).toEqual([1, kind]);
	});

	it('is no reason for an error: where all are refused, that is told of 100', async () => {
		const list = await readAll(options, async ({ limit }) => {
			throw new ServiceFailure('status', { statusCode: 400, words: `not by ${limit}` });
		});
		expect([list.asked.length, list.failure?.facts.words]).toEqual([7, 'not by 100']);
	});
});

describe('what a service accepts is known to later lists', () => {
	const bench = () => {
		let nowMs = 1_000;
		const known = createKnownSizes(() => (nowMs += 1))('address key path');
		const limits = async (model: ListModel, options = {}) =>
			(await read(model, { known, ...options })).asked;
		return { known, limits, pass: (ms: number) => (nowMs += ms) };
	};
	const OF_100: ListModel = { records: 300, ...above(100, 400) };

	it('for an hour: the first list asks four times more, and the next 50 not once', async () => {
		const { limits, pass } = bench();
		expect(await limits(OF_100)).toEqual([...TRIALS, 100, 100, 100]);
		for (let list = 0; list < 50; list++) expect(await limits(OF_100)).toEqual([100, 100, 100]);
		pass(3_600_000);
		expect(await limits(OF_100)).toEqual([...TRIALS, 100, 100, 100]);
	});

	it('by address, key and path', () => {
		const sizeOf = createKnownSizes(() => 0);
		sizeOf('address key path').keep(100);
		expect(sizeOf('address key path').read()).toBe(100);
		expect(sizeOf('address key other').read()).toBeUndefined();
	});

	it('and a list that it is too large for goes on from there', async () => {
		const { limits } = bench();
		expect(await limits({ records: 900, ...above(500, 413) })).toEqual([2_000, 1_000, 500, 500]);
		const less: ListModel = { records: 300, ...above(120, 413) };
		expect(await limits(less)).toEqual([500, 200, 100, 100, 100]);
		expect(await limits(less)).toEqual([100, 100, 100]);
	});

	it.each<[string, ListModel, object, number | undefined]>([
		['a cut page', { records: 900, silentPageCap: 250 }, {}, 250],
		['a size and not the part of it that is wanted', OF_100, { maximum: 101 }, 100],
		['nothing of a list as short', { records: 7, total: 'absent' }, {}, undefined],
		[
			'nothing of a limit that is too small',
			{ records: 99, refusePageSizeBelow: 10 },
			{ maximum: 5 },
			undefined,
		],
		['nothing of larger pages that were not asked for', OF_100, { mostPerPage: 90 }, undefined],
	])('as %s', async (_what, model, options, size) => {
		const { known, limits } = bench();
		await limits(model, options);
		expect(known.read()).toBe(size);
	});

	it('and nothing where no request was sent', async () => {
		const { known } = bench();
		await readAll({ mode: 'cursor', sort: 'created_at', known }, async ({ limit }) => {
			if (limit > 100) throw new ServiceFailure('notSent');
			return envelope(0, 100, {});
		});
		expect(known.read()).toBeUndefined();
	});
});

it('a smaller maximum than the service accepts is asked for as 50 records and truncated', async () => {
	const model = { ...KIND, refusePageSizeBelow: 10 };
	const { places, asked } = await read(model, { maximum: 5 });
	expect({ places, asked }).toEqual({ places: upTo(5), asked: [5, 50] });
});
