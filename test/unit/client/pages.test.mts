import { describe, expect, it } from 'vitest';

import type { ListEnvelope } from '../../../nodes/client/api.ts';
import { ServiceFailure } from '../../../nodes/client/failures.ts';
import type { Page, PageRequest } from '../../../nodes/client/pages.ts';
import { readPages } from './read-pages.mts';

const CURSOR_MODE = { mode: 'cursor', sort: 'updated_at', pageSize: 2 } as const;
const PAGE_MODE = { mode: 'page', firstPage: 1, pageSize: 2 } as const;

/** An envelope with `count` records whose ids start with a letter. */
function envelope(count: number, pagination: Record<string, unknown>, letter = 'r'): ListEnvelope {
	const items = Array.from({ length: count }, (_none, index) => ({ id: `${letter}${index}` }));
	return { success: true, data: { items }, meta: { pagination, ctx_id: 'ctx-1' } };
}

/** Answers in order, and fails the test when it is asked for more. Keeps what it was asked. */
function scripted(answers: Array<ListEnvelope | Error>): {
	asked: PageRequest[];
	fetchPage: (request: PageRequest) => Promise<ListEnvelope>;
} {
	const asked: PageRequest[] = [];
	return {
		asked,
		fetchPage: async (request) => {
			const answer = answers[asked.length];
			asked.push(request);
			if (answer === undefined) throw new Error(`asked too often: ${JSON.stringify(request)}`);
			if (answer instanceof Error) throw answer;
			return answer;
		},
	};
}

/** Reads to the end, keeping the pages and what it ended in. */
async function drain(pages: AsyncGenerator<Page>): Promise<{ read: Page[]; error?: unknown }> {
	const read: Page[] = [];
	try {
		for await (const page of pages) read.push(page);
		return { read };
	} catch (error) {
		return { read, error };
	}
}

/** What `drain` found, where it has to have ended in a failure. */
function failureOf({ error }: { error?: unknown }): Pick<ServiceFailure, 'kind' | 'facts'> {
	if (!(error instanceof ServiceFailure)) throw error ?? new Error('expected a ServiceFailure');
	return { kind: error.kind, facts: error.facts };
}

describe('cursor pagination', () => {
	it('sends sort first, then the cursor alone, until there is no next one', async () => {
		const { asked, fetchPage } = scripted([
			envelope(2, { next_cursor: 'c1' }),
			envelope(0, { next_cursor: 'c2' }),
			envelope(1, { next_cursor: null }),
		]);
		const { read, error } = await drain(readPages(fetchPage, CURSOR_MODE));
		expect(error).toBeUndefined();
		expect(asked).toStrictEqual([
			{ limit: 2, sort: 'updated_at' },
			{ limit: 2, cursor: 'c1' },
			{ limit: 2, cursor: 'c2' },
		]);
		expect(
			read.map(({ number, recordsRead, cursor, nextCursor }) => [
				number,
				recordsRead,
				cursor,
				nextCursor,
			]),
		).toEqual([
			[1, 2, undefined, 'c1'],
			[2, 2, 'c1', 'c2'],
			[3, 3, 'c2', undefined],
		]);
	});

	it('resumes without sort', async () => {
		const { asked, fetchPage } = scripted([envelope(1, {})]);
		await drain(readPages(fetchPage, { ...CURSOR_MODE, startCursor: 'c7' }));
		expect(asked).toStrictEqual([{ limit: 2, cursor: 'c7' }]);
	});

	it('asks for no page ahead of the reader', async () => {
		const { asked, fetchPage } = scripted([envelope(2, { next_cursor: 'c1' })]);
		const pages = readPages(fetchPage, CURSOR_MODE);
		expect(asked).toHaveLength(0);
		await pages.next();
		expect(asked).toHaveLength(1);
		await pages.return();
	});

	it.each([
		['the cursor it was asked with', ['c1', 'c1'], undefined],
		['an older cursor', ['c1', 'c2', 'c1'], undefined],
		['the start cursor', ['c9'], 'c9'],
	])('stops at %s', async (_name, cursors, startCursor) => {
		const answers = cursors.map((next_cursor) => envelope(2, { next_cursor }));
		const { fetchPage } = scripted(answers);
		const end = await drain(readPages(fetchPage, { ...CURSOR_MODE, startCursor }));
		expect(failureOf(end)).toEqual({
			kind: 'repeatedCursor',
			facts: {
				page: cursors.length,
				recordsRead: 2 * cursors.length,
				ctxId: 'ctx-1',
			},
		});
		expect(end.read).toHaveLength(cursors.length);
	});

	it('stops after five minutes of empty pages', async () => {
		let requests = 0;
		const fetchPage = async () => envelope(0, { next_cursor: `c${++requests}` });
		const now = () => requests * 1_000;
		const end = await drain(readPages(fetchPage, { ...CURSOR_MODE, now }));
		expect(failureOf(end).kind).toBe('emptyPages');
		expect(requests).toBe(301);
	});

	it('counts those minutes anew after each page with records', async () => {
		let requests = 0;
		const fetchPage = async () =>
			envelope(
				++requests % 250 === 0 ? 1 : 0,
				requests < 1_000 ? { next_cursor: `c${requests}` } : {},
			);
		const now = () => requests * 1_000;
		const { read, error } = await drain(readPages(fetchPage, { ...CURSOR_MODE, now }));
		expect(error).toBeUndefined();
		expect(read.at(-1)?.recordsRead).toBe(4);
	});

	it.each([[5], [{}], [['c1']], [true], [false]])('refuses the cursor %j', async (next_cursor) => {
		const { fetchPage } = scripted([envelope(2, { next_cursor })]);
		expect(failureOf(await drain(readPages(fetchPage, CURSOR_MODE))).kind).toBe(
			'missingPagination',
		);
	});

	it('says where it was when a request fails, and keeps what is known of the failure', async () => {
		const lost = new ServiceFailure('status', { statusCode: 500, attempts: 5 });
		const { fetchPage } = scripted([envelope(2, { next_cursor: 'c1' }), lost]);
		expect(failureOf(await drain(readPages(fetchPage, CURSOR_MODE)))).toEqual({
			kind: 'status',
			facts: { statusCode: 500, attempts: 5, page: 2, recordsRead: 2, nextCursor: 'c1' },
		});
	});

	it('passes on errors of any other kind as they are', async () => {
		const other = new RangeError('other');
		const { fetchPage } = scripted([other]);
		expect((await drain(readPages(fetchPage, CURSOR_MODE))).error).toBe(other);
	});
});

describe('page pagination', () => {
	it('goes on while page * page_size < total, by the numbers of the answer', async () => {
		const { asked, fetchPage } = scripted([
			envelope(2, { page: 3, page_size: 2, total: 7 }),
			envelope(1, { page: 4, page_size: 2, total: 7 }),
		]);
		const options = { ...PAGE_MODE, firstPage: 3, sortKey: 'name' };
		const { read, error } = await drain(readPages(fetchPage, options));
		expect(error).toBeUndefined();
		expect(asked).toStrictEqual([
			{ page: 3, limit: 2, sort: 'name' },
			{ page: 4, limit: 2, sort: 'name' },
		]);
		expect(read.map(({ number, recordsRead }) => [number, recordsRead])).toEqual([
			[1, 2],
			[2, 3],
		]);
	});

	it('takes a page past the end, or an empty table, as the end', async () => {
		const { fetchPage } = scripted([envelope(0, { page: 1, page_size: 2, total: 0 })]);
		expect((await drain(readPages(fetchPage, PAGE_MODE))).error).toBeUndefined();
	});

	it.each([
		[
			'stands still',
			[
				envelope(2, { page: 1, page_size: 2, total: 9 }),
				envelope(2, { page: 1, page_size: 2, total: 9 }),
			],
		],
		['is not the one asked for', [envelope(2, { page: 2, page_size: 2, total: 9 })]],
		['is empty though more are said to follow', [envelope(0, { page: 1, page_size: 2, total: 9 })]],
	])('stops when the page %s', async (_name, answers) => {
		const { fetchPage } = scripted(answers);
		expect(failureOf(await drain(readPages(fetchPage, PAGE_MODE))).kind).toBe('stuckPage');
	});

	it.each([
		{},
		{ page: 1, page_size: 2 },
		{ page: '1', page_size: '2', total: '9' },
		{ page: 1, page_size: 0, total: 9 },
		{ page: 1, page_size: -2, total: 9 },
		{ page: 1, page_size: 1.5, total: 9 },
		{ page: 1, page_size: 2, total: 1e300 },
		{ page: 1, page_size: 2, total: null },
	])('refuses the numbers %j', async (pagination) => {
		const { fetchPage } = scripted([envelope(2, pagination)]);
		expect(failureOf(await drain(readPages(fetchPage, PAGE_MODE)))).toMatchObject({
			kind: 'missingPagination',
			facts: { page: 1, recordsRead: 0 },
		});
	});

	it('refuses a total below zero, which says nothing about the end', async () => {
		const { fetchPage } = scripted([envelope(2, { page: 1, page_size: 2, total: -1 })]);
		expect(failureOf(await drain(readPages(fetchPage, PAGE_MODE))).kind).toBe('missingPagination');
	});

	it.each([
		[100, 1_000, 250, 'incompletePage'],
		[100, 1_000, 2_503, 'incompletePage'],
		[249, 250, 250, 'incompletePage'],
		[3, 10, 3, undefined],
	])('%i of %i asked for, %i in all: %s', async (received, page_size, total, kind) => {
		const { fetchPage } = scripted([envelope(received, { page: 1, page_size, total })]);
		const { error } = await drain(readPages(fetchPage, { ...PAGE_MODE, pageSize: page_size }));
		if (kind === undefined) expect(error).toBeUndefined();
		else expect(error).toMatchObject({ kind, facts: { received } });
	});
});
