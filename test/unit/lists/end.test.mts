import { expect, it } from 'vitest';

import { ServiceFailure } from '../../../nodes/client/failures.ts';
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
			answers: [last(80)],
			...{ limits: [100], came: 80 },
		},
	'is asked for its last page once more where a record came between the count and the rows': {
		answers: [more(20, 21), last(0, 21), last(1, 21)],
		options: { pageSize: 20 },
		...{ limits: [20, 20, 20], came: 21 },
	},
	'is asked once more where a record went between the count and the rows': {
		answers: [more(100, 141), last(41, 142), last(40, 140)],
		...{ limits: [100, 100, 100], came: 140 },
	},
	'is asked once more, and goes on where that says so': {
		answers: [last(80, 150), more(80, 150), last(70, 150)],
		...{ limits: [100, 100, 100], came: 150 },
	},
	'is an error where it ends early twice, and is asked by no smaller limit': {
		answers: [last(80, 200), last(80, 200)],
		...{ limits: [100, 100], came: 80, failure: short },
	},
	'is the same error where the cursor of its last page is good for one use': {
		answers: [more(100, 200), last(50, 200), 410],
		...{ limits: [100, 100, 100], came: 150, failure: short },
	},
	'keeps its last page where its cursor leads to other records by now': {
		answers: [more(100, 200), last(50, 200), last(100, 200, 140)],
		...{ limits: [100, 100, 100], came: 150, failure: short },
	},
	'fails with what the second look fails with, where that says nothing of the page': {
		answers: [last(30, 40), 500],
		...{ limits: [100, 100], came: 0, failure: 'status' },
	},
	'is not compared with its total after a Start Cursor': {
		answers: [last(50, 200)],
		options: { startCursor: 'c', pageSize: 100 },
		...{ limits: [100], came: 50 },
	},
	'is believed where its total is no number': {
		answers: [last(80, -1e300)],
		...{ limits: [100], came: 80 },
	},
};

it.each(Object.entries(ROWS))('a list %s', async (_title, row) => {
	const { answers, options = {}, ...expected } = row;
	const limits: number[] = [];
	const starts = new Map<string | undefined, number>([[options.startCursor, 0]]);
	// Above 100 the first page would be a trial (limit.test.mts).
	const all = { mode: 'cursor', sort: 'created_at', maxPerPage: 100, ...options } as const;
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
	const answer = envelope(0, 100, { total: 250 });
	const options = { mode: 'cursor', sort: 'created_at', maximum: 100 } as const;
	const { pages, failure } = await readAnswers(options, [answer]);
	expect([failure, pages[0]]).toMatchObject([undefined, { recordsLeftOut: 150, recordsRead: 100 }]);
	expect(pages[0].envelope.meta.pagination).toEqual({ total: 250, recordsLeftOut: 150 });
});
