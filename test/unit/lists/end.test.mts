import { describe, expect, it } from 'vitest';

import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { envelope, readAll, type ReadOptions } from './read-pages.mts';

type CursorOptions = Partial<Extract<ReadOptions, { mode: 'cursor' }>>;

/**
 * A list whose pages have so many records, from the one that a cursor leads to; after those with a plus a cursor leads on,
 * and those with a minus are refused. After a slash comes the total, where it says one.
 */
const readScript = async (script: string, options: CursorOptions = {}) => {
	const asked: number[] = [];
	const starts = new Map<string | undefined, number>([[options.startCursor, 0]]);
	const all = { mode: 'cursor', sort: 'created_at', ...options } as const;
	const { failure, ids } = await readAll([], all, async (request) => {
		const page = script.split(' ')[asked.push(request.limit) - 1];
		if (page === undefined) throw new ServiceFailure('cancelled');
		if (page.endsWith('-')) throw new ServiceFailure('status', { statusCode: 403 });
		const [rows, total] = page.split('/').map((text) => parseInt(text));
		const start = starts.get('cursor' in request ? request.cursor : undefined) ?? 0;
		const next_cursor = page.includes('+') ? `c${asked.length}` : undefined;
		starts.set(next_cursor, start + rows);
		return envelope(start, start + rows, { total, next_cursor });
	});
	return [asked, ids.length, failure?.kind];
};

describe('the end of a list is proven by its total', () => {
	const pageSize = 100;
	it.each<[string, string, CursorOptions, number[], number, string | undefined]>([
		['all have come', '100+/150 50/150', {}, [100, 100], 150, undefined],
		[
			'one came between the count and the rows',
			'20+/21 0/21 1/21',
			{ pageSize: 20 },
			[20, 20, 20],
			21,
			undefined,
		],
		['one went between them', '100+/141 41/142 40/140', {}, [100, 100, 100], 140, undefined],
		[
			'a smaller page brings more',
			'80/200 80/200 50+/200 50+/200 50+/200 50/200',
			{},
			[100, 100, 50, 50, 50, 50],
			200,
			undefined,
		],
		[
			'nothing brings more',
			'80/200 80/200 50/200 20/200',
			{},
			[100, 100, 50, 20],
			80,
			'incompleteList',
		],
		['all smaller pages are refused', '80/200 - - -', {}, [100, 100, 50, 20], 80, 'incompleteList'],
		['no more are wanted', '100/200', { maximum: 100 }, [100], 100, undefined],
		['the total is less than what came', '100+/50 50/50', {}, [100, 100], 150, undefined],
	])('where %s', async (_name, script, options, asked, records, kind) => {
		expect(await readScript(script, { pageSize, ...options })).toEqual([asked, records, kind]);
	});
});

describe('the end of a list is proven without a total', () => {
	it.each<[string, string, CursorOptions, number[], number, string | undefined]>([
		['such a page came with a cursor', '100+ 50', { pageSize: 100 }, [100, 100], 150, undefined],
		[
			'the Start Cursor came with that limit',
			'50',
			{ pageSize: 100, startCursor: 'c' },
			[100],
			50,
			undefined,
		],
		['there are no more than the smallest page', '20', {}, [100], 20, undefined],
		['a smaller page has no cursor either', '80 50', {}, [100, 50], 80, undefined],
		['a smaller page goes on', '22 20+ 2', {}, [100, 20, 20], 22, undefined],
		[
			'the next smaller one is accepted',
			'80 - 20+ 20+ 20+ 20',
			{},
			[100, 50, 20, 20, 20, 20],
			80,
			undefined,
		],
		['the smaller ones are refused', '80 - -', {}, [100, 50, 20], 80, 'unprovenEnd'],
		['no more came than with a cursor', '150+ 150', { pageSize: 100 }, [100, 100], 300, undefined],
		[
			'more came than with any cursor',
			'50+ 120 100',
			{ pageSize: 100 },
			[100, 100, 100],
			170,
			undefined,
		],
		['a smaller page brings more than it should', '80 80 80', {}, [100, 50, 20], 80, 'unprovenEnd'],
		['the list seems empty', '0 5', {}, [100, 20], 5, undefined],
		['it is empty', '0 0', {}, [100, 20], 0, undefined],
		[
			'an empty page follows empty ones',
			'0+ 0 5',
			{ pageSize: 1_000 },
			[1_000, 1_000, 20],
			0,
			'unprovenEnd',
		],
		['the total is an estimate', '80/200 50/200', { ignoreTotal: true }, [100, 50], 80, undefined],
	])('where %s', async (_name, script, options, asked, records, kind) => {
		expect(await readScript(script, options)).toEqual([asked, records, kind]);
	});

	it('by nothing that begins with another record', async () => {
		const answers = [
			envelope(0, 40, { next_cursor: 'c' }),
			envelope(40, 130, {}),
			envelope(50, 100, {}),
		];
		const options = { mode: 'cursor', sort: 'created_at', pageSize: 100 } as const;
		const serve = async () => answers.shift() ?? envelope(0, 0, {});
		const { failure, ids } = await readAll([], { ...options, pageSize: 60 }, serve);
		expect([ids.length, failure?.kind]).toEqual([130, 'unprovenEnd']);
	});
});

it('a failure that says nothing of the limit ends the proof with that failure', async () => {
	let answered = 0;
	const { ids, failure } = await readAll([], { mode: 'cursor', sort: 'created_at' }, async () => {
		if (answered++ === 0) return envelope(0, 30, {});
		throw new ServiceFailure('status', { statusCode: 500 });
	});
	expect([ids.length, failure?.facts.statusCode]).toEqual([0, 500]);
});

it('where every limit is refused, the first refusal is told', async () => {
	const { failure } = await readAll(
		[],
		{ mode: 'cursor', sort: 'created_at' },
		async ({ limit }) => {
			throw new ServiceFailure('status', { statusCode: 400, words: String(limit) });
		},
	);
	expect(failure?.facts.words).toBe('100');
});
