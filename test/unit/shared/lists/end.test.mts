import { expect, it } from 'vitest';

import { ServiceFailure } from '../../../../nodes/shared/client/failures.ts';
import { USUAL_PAGE_SIZE as LIMIT } from '../../../../nodes/shared/lists/page-size.ts';
import { envelope, readAll, readAnswers, type ReadOptions } from './read-pages.mts';

/** A page that begins where its cursor leads to, or with the record `from`; or a status. */
type Answer = { records: number; hasCursor: boolean; total?: number; from?: number } | number;

/** A page with a cursor to the next one, and one without, as the last page of a list. */
const more = (records: number, total?: number): Answer => ({ records, hasCursor: true, total });
const last = (records: number, total?: number, from?: number): Answer => ({
	...{ records, hasCursor: false, total, from },
});

interface Row {
	answers: Answer[];
	options?: Partial<Extract<ReadOptions, { mode: 'cursor' }>>;
	/** Of each request. */
	limits: number[];
	came: number;
	failure?: ServiceFailure['kind'];
}

const short = 'incompleteList';

const ROWS: Record<string, Row> = {
	'ends where next_cursor is absent and there is no total, which cannot be seen for a page that is cut':
		{
			answers: [last(LIMIT - 20)],
			...{ limits: [LIMIT], came: LIMIT - 20 },
		},
	'is asked for its last page once more where a record came between the count and the rows': {
		answers: [more(20, 21), last(0, 21), last(1, 21)],
		options: { pageSize: 20 },
		...{ limits: [20, 20, 20], came: 21 },
	},
	'is asked once more where a record went between the count and the rows': {
		answers: [more(LIMIT, LIMIT + 41), last(41, LIMIT + 42), last(40, LIMIT + 40)],
		...{ limits: [LIMIT, LIMIT, LIMIT], came: LIMIT + 40 },
	},
	'is asked once more, and goes on where that says so': {
		answers: [last(LIMIT - 20, 150), more(LIMIT - 20, 150), last(170 - LIMIT, 150)],
		...{ limits: [LIMIT, LIMIT, LIMIT], came: 150 },
	},
	'is an error where it ends early twice, and is asked by no smaller limit': {
		answers: [last(LIMIT - 20, 200), last(LIMIT - 20, 200)],
		...{ limits: [LIMIT, LIMIT], came: LIMIT - 20, failure: short },
	},
	'is the same error where the cursor of its last page is good for one use': {
		answers: [more(LIMIT, 200), last(50, 200), 410],
		...{ limits: [LIMIT, LIMIT, LIMIT], came: LIMIT + 50, failure: short },
	},
	'keeps its last page where its cursor leads to other records by now': {
		answers: [more(LIMIT, 200), last(50, 200), last(LIMIT, 200, LIMIT + 40)],
		...{ limits: [LIMIT, LIMIT, LIMIT], came: LIMIT + 50, failure: short },
	},
	'fails with what the second look fails with, where that says nothing of the page': {
		answers: [last(30, 40), 500],
		...{ limits: [LIMIT, LIMIT], came: 0, failure: 'status' },
	},
	'is not compared with its total after a Start Cursor': {
		answers: [last(50, 200)],
		options: { startCursor: 'c', pageSize: LIMIT },
		...{ limits: [LIMIT], came: 50 },
	},
	'is believed where its total is no number': {
		answers: [last(LIMIT - 20, -1e300)],
		...{ limits: [LIMIT], came: LIMIT - 20 },
	},
};

it.each(Object.entries(ROWS))('a list %s', async (_title, row) => {
	const { answers, options = {}, ...expected } = row;
	const limits: number[] = [];
	const starts = new Map<string | undefined, number>([[options.startCursor, 0]]);
	// A larger first page would be a trial (limit.test.mts).
	const all = { mode: 'cursor', sort: 'created_at', maxPerPage: LIMIT, ...options } as const;
	const { failure, ids } = await readAll(all, async (request) => {
		const answer = answers[limits.push(request.limit) - 1];
		if (answer === undefined) throw new Error(`one request too many: ${limits.join()}`);
		if (typeof answer === 'number') throw new ServiceFailure('status', { statusCode: answer });
		const { records, total, hasCursor } = answer;
		const cursor = 'cursor' in request ? request.cursor : undefined;
		const from = answer.from ?? starts.get(cursor) ?? 0;
		const next_cursor = hasCursor ? `c${limits.length}` : undefined;
		starts.set(next_cursor, from + records);
		return envelope(from, from + records, { total, next_cursor });
	});
	const found = { limits, came: ids.length, failure: failure?.kind };
	expect(found).toEqual({ failure: undefined, ...expected });
	if (failure?.kind === short) expect(failure.facts).toMatchObject({ recordsRead: found.came });
});

it('where Limit ends on a page without a cursor, that is not asked again, and says how many records no cursor leads to', async () => {
	const answer = envelope(0, LIMIT, { total: LIMIT + 150 });
	const options = { mode: 'cursor', sort: 'created_at', limit: LIMIT } as const;
	const { pages, failure } = await readAnswers(options, [answer]);
	expect([failure, pages[0]]).toMatchObject([
		undefined,
		{ recordsLeftOut: 150, recordsRead: LIMIT },
	]);
	expect(pages[0].envelope.meta.pagination).toEqual({ total: LIMIT + 150, recordsLeftOut: 150 });
});
