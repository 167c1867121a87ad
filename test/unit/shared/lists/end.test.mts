import { expect, it } from 'vitest';

import { ServiceFailure } from '../../../../nodes/shared/client/failures.ts';
import { USUAL_PAGE_SIZE as LIMIT } from '../../../../nodes/shared/lists/page-size.ts';
import { envelope, readAll, readAnswers, type ReadOptions } from './read-pages.mts';

/**
 * Response to a request: a page, or an HTTP status. The page begins at the requested cursor, or with record number
 * `from`.
 */
type Answer = { records: number; hasCursor: boolean; total?: number; from?: number } | number;

/** Creates a page with a next cursor. */
const more = (records: number, total?: number): Answer => ({ records, hasCursor: true, total });
/** Creates a page without a next cursor. */
const last = (records: number, total?: number, from?: number): Answer => ({
	...{ records, hasCursor: false, total, from },
});

interface Row {
	answers: Answer[];
	options?: Partial<Extract<ReadOptions, { mode: 'cursor' }>>;
	/** Page sizes of the requests. */
	limits: number[];
	came: number;
	failure?: ServiceFailure['kind'];
}

const short = 'incompleteList';

const ROWS: Record<string, Row> = {
	'ends at a page without a next cursor if there is no total': {
		answers: [last(LIMIT - 20)],
		...{ limits: [LIMIT], came: LIMIT - 20 },
	},
	'requests an empty last page again if the total counts a record that is not returned yet': {
		answers: [more(20, 21), last(0, 21), last(1, 21)],
		options: { pageSize: 20 },
		...{ limits: [20, 20, 20], came: 21 },
	},
	'requests the last page again if the total still counts a record that was just deleted': {
		answers: [more(LIMIT, LIMIT + 41), last(41, LIMIT + 42), last(40, LIMIT + 40)],
		...{ limits: [LIMIT, LIMIT, LIMIT], came: LIMIT + 40 },
	},
	'continues if a short last page has a next cursor when it is requested again': {
		answers: [last(LIMIT - 20, 150), more(LIMIT - 20, 150), last(170 - LIMIT, 150)],
		...{ limits: [LIMIT, LIMIT, LIMIT], came: 150 },
	},
	'fails without trying a smaller page size if the list ends early twice': {
		answers: [last(LIMIT - 20, 200), last(LIMIT - 20, 200)],
		...{ limits: [LIMIT, LIMIT], came: LIMIT - 20, failure: short },
	},
	'fails if records are missing and the cursor of the last page is valid for one use only': {
		answers: [more(LIMIT, 200), last(50, 200), 410],
		...{ limits: [LIMIT, LIMIT, LIMIT], came: LIMIT + 50, failure: short },
	},
	'keeps the first response to a cursor if the same cursor leads to different records the second time':
		{
			answers: [more(LIMIT, 200), last(50, 200), last(LIMIT, 200, LIMIT + 40)],
			...{ limits: [LIMIT, LIMIT, LIMIT], came: LIMIT + 50, failure: short },
		},
	'fails if a short last page has a total only in the first response': {
		answers: [last(LIMIT - 20, 200), last(LIMIT - 20)],
		...{ limits: [LIMIT, LIMIT], came: LIMIT - 20, failure: short },
	},
	'keeps the first response for a short page if the second response has fewer records and no total':
		{
			answers: [last(LIMIT - 20, 200), last(0)],
			...{ limits: [LIMIT, LIMIT], came: LIMIT - 20, failure: short },
		},
	'fails if the last page lacks records of its total, and has no total when it is requested again':
		{
			answers: [more(LIMIT, 150), last(50, 160), last(50)],
			...{ limits: [LIMIT, LIMIT, LIMIT], came: LIMIT + 50, failure: short },
		},
	'ends after 100 empty pages with new cursors if a record was deleted in the meantime': {
		answers: [more(LIMIT, 150), more(49, 149), ...Array<Answer>(100).fill(more(0, 149))],
		...{ limits: Array<number>(102).fill(LIMIT), came: LIMIT + 49 },
	},
	'fails if the second request for a short last page gets HTTP 500': {
		answers: [last(30, 40), 500],
		...{ limits: [LIMIT, LIMIT], came: 0, failure: 'status' },
	},
	'ignores the total after a start cursor': {
		answers: [last(50, 200)],
		options: { startCursor: 'c', pageSize: LIMIT },
		...{ limits: [LIMIT], came: 50 },
	},
	'ignores a negative total': {
		answers: [last(LIMIT - 20, -1e300)],
		...{ limits: [LIMIT], came: LIMIT - 20 },
	},
};

it.each(Object.entries(ROWS))('%s', async (_title, row) => {
	const { answers, options = {}, ...expected } = row;
	const limits: number[] = [];
	const starts = new Map<string | undefined, number>([[options.startCursor, 0]]);
	// Limit the page size to 100. Otherwise, the node would try larger page sizes first (page-size.test.mts).
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

it('counts the records beyond Limit as left out if no cursor leads to them, and sends no further request', async () => {
	const answer = envelope(0, LIMIT, { total: LIMIT + 150 });
	const options = { mode: 'cursor', sort: 'created_at', limit: LIMIT } as const;
	const { pages, failure } = await readAnswers(options, [answer]);
	expect([failure, pages[0]]).toMatchObject([
		undefined,
		{ recordsLeftOut: 150, recordsRead: LIMIT },
	]);
	expect(pages[0].envelope.meta.pagination).toEqual({ total: LIMIT + 150, recordsLeftOut: 150 });
});
