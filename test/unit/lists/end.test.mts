import { describe, expect, it } from 'vitest';

import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { envelope, readAll, type ReadOptions } from './read-pages.mts';

type CursorOptions = Partial<Extract<ReadOptions, { mode: 'cursor' }>>;

/** A page that begins where its cursor leads to, or with the record `from`. */
type Served = { records: number; hasCursor: boolean; total?: number; from?: number };
type Answer = Served | { statusCode: number };

/** A page with a cursor to the next one. */
const more = (records: number): Served => ({ records, hasCursor: true });
/** A page without one, as the last page of a list has none. */
const last = (records: number): Served => ({ records, hasCursor: false });
const refused = { statusCode: 403 };
const withTotal = (total: number, answers: Answer[]) =>
	answers.map((answer) => ({ ...answer, total }));

/** Reads a list from these answers. Its beginning may have other records each time. */
async function readList(answers: Answer[], options: CursorOptions = {}) {
	const limitsAsked: number[] = [];
	const starts = new Map<string | undefined, number>([[options.startCursor, 0]]);
	const all = { mode: 'cursor', sort: 'created_at', ...options } as const;
	const { failure, ids } = await readAll([], all, async (request) => {
		const answer = answers[limitsAsked.push(request.limit) - 1];
		if (answer === undefined) throw new Error(`one request too many: ${limitsAsked.join(', ')}`);
		if ('statusCode' in answer) {
			const { statusCode } = answer;
			throw new ServiceFailure('status', { statusCode, words: `not by ${request.limit}` });
		}
		const { records, total, hasCursor } = answer;
		const cursor = 'cursor' in request ? request.cursor : undefined;
		const from = answer.from ?? starts.get(cursor) ?? 0;
		const next_cursor = hasCursor ? `c${limitsAsked.length}` : undefined;
		starts.set(next_cursor, from + records);
		return envelope(from, from + records, { total, next_cursor });
	});
	return { limitsAsked, recordsRead: ids.length, failure };
}

interface Case {
	answers: Answer[];
	options?: CursorOptions;
	expected: { limitsAsked: number[]; recordsRead: number; failure?: ServiceFailure['kind'] };
}

/** One test for each title. The page size is chosen by the node where it is undefined. */
function itReads(pageSize: number | undefined, cases: Record<string, Case>): void {
	it.each(Object.entries(cases))('%s', async (_title, { answers, options, expected }) => {
		const { failure, ...read } = await readList(answers, { pageSize, ...options });
		expect({ ...read, failure: failure?.kind }).toEqual(expected);
	});
}

describe('a list that says its total, read by a Page Size', () => {
	itReads(100, {
		'is whole once so many records came': {
			answers: withTotal(150, [more(100), last(50)]),
			expected: { limitsAsked: [100, 100], recordsRead: 150 },
		},
		'is asked again where a record came between the count and the rows': {
			answers: withTotal(21, [more(20), last(0), last(1)]),
			options: { pageSize: 20 },
			expected: { limitsAsked: [20, 20, 20], recordsRead: 21 },
		},
		'is asked again where a record went between the count and the rows': {
			answers: [
				{ ...more(100), total: 141 },
				{ ...last(41), total: 142 },
				{ ...last(40), total: 140 },
			],
			expected: { limitsAsked: [100, 100, 100], recordsRead: 140 },
		},
		'goes on by a smaller limit that brings more': {
			answers: withTotal(200, [last(80), last(80), more(50), more(50), more(50), last(50)]),
			expected: { limitsAsked: [100, 100, 50, 50, 50, 50], recordsRead: 200 },
		},
		'is incomplete where no limit brings more': {
			answers: withTotal(200, [last(80), last(80), last(50), last(20)]),
			expected: { limitsAsked: [100, 100, 50, 20], recordsRead: 80, failure: 'incompleteList' },
		},
		'is incomplete where every other request for its last page is refused': {
			answers: withTotal(200, [last(80), refused, refused, refused]),
			expected: { limitsAsked: [100, 100, 50, 20], recordsRead: 80, failure: 'incompleteList' },
		},
		'is not asked again where no more records are wanted': {
			answers: withTotal(200, [last(100)]),
			options: { maximum: 100 },
			expected: { limitsAsked: [100], recordsRead: 100 },
		},
		'ends as one without a total where more records came than that': {
			answers: withTotal(50, [more(100), last(50)]),
			expected: { limitsAsked: [100, 100], recordsRead: 150 },
		},
	});
});

describe('a list without a total, read by a Page Size', () => {
	itReads(100, {
		'is whole where a page with as many records as its last one had a cursor': {
			answers: [more(100), last(50)],
			expected: { limitsAsked: [100, 100], recordsRead: 150 },
		},
		'is whole where the Start Cursor came with the same limit': {
			answers: [last(50)],
			options: { startCursor: 'c' },
			expected: { limitsAsked: [100], recordsRead: 50 },
		},
		'is whole where a page with a cursor had as many records, and more than its limit': {
			answers: [more(150), last(150)],
			expected: { limitsAsked: [100, 100], recordsRead: 300 },
		},
		'is asked again where its last page has more records than any page with a cursor': {
			answers: [more(50), last(120), last(100)],
			expected: { limitsAsked: [100, 100, 100], recordsRead: 170 },
		},
		'is not at its end where a limit up to the records of its last page brings none': {
			answers: [last(101), last(0), more(52), last(49)],
			options: { pageSize: 99 },
			expected: { limitsAsked: [99, 100, 50, 50], recordsRead: 101 },
		},
		'has no proven end where a smaller page begins with another record': {
			answers: [more(40), last(90), { ...last(50), from: 50 }],
			options: { pageSize: 60 },
			expected: { limitsAsked: [60, 60, 50], recordsRead: 130, failure: 'unprovenEnd' },
		},
		'has no proven end where a smaller limit brings records after empty pages': {
			answers: [more(0), last(0), last(5)],
			options: { pageSize: 1_000 },
			expected: { limitsAsked: [1_000, 1_000, 20], recordsRead: 0, failure: 'unprovenEnd' },
		},
	});
});

describe('a list without a total, read by limits that the node chooses', () => {
	itReads(undefined, {
		'is whole where it has no more records than the smallest limit': {
			answers: [last(20)],
			expected: { limitsAsked: [100], recordsRead: 20 },
		},
		'is whole where a smaller page has no cursor either': {
			answers: [last(80), last(50)],
			expected: { limitsAsked: [100, 50], recordsRead: 80 },
		},
		'goes on from a smaller page that has a cursor': {
			answers: [last(22), more(20), last(2)],
			expected: { limitsAsked: [100, 20, 20], recordsRead: 22 },
		},
		'goes on by the next smaller limit where one is refused': {
			answers: [last(80), refused, more(20), more(20), more(20), last(20)],
			expected: { limitsAsked: [100, 50, 20, 20, 20, 20], recordsRead: 80 },
		},
		'has no proven end where all smaller limits are refused': {
			answers: [last(80), refused, refused],
			expected: { limitsAsked: [100, 50, 20], recordsRead: 80, failure: 'unprovenEnd' },
		},
		'has no proven end where smaller limits bring more records than they should': {
			answers: [last(80), last(80), last(80)],
			expected: { limitsAsked: [100, 50, 20], recordsRead: 80, failure: 'unprovenEnd' },
		},
		'is not empty where the smallest limit brings records': {
			answers: [last(0), last(5)],
			expected: { limitsAsked: [100, 20], recordsRead: 5 },
		},
		'is empty where the smallest limit brings none either': {
			answers: [last(0), last(0)],
			expected: { limitsAsked: [100, 20], recordsRead: 0 },
		},
		'is proven whole in the same way where its total is ignored': {
			answers: withTotal(200, [last(80), last(50)]),
			options: { ignoreTotal: true },
			expected: { limitsAsked: [100, 50], recordsRead: 80 },
		},
	});
});

it('a list fails with what its proof fails with, where that says nothing of the limit', async () => {
	const read = await readList([last(30), { statusCode: 500 }]);
	expect(read).toMatchObject({ recordsRead: 0, failure: { facts: { statusCode: 500 } } });
});

it('a list fails with the first refusal where every limit is refused', async () => {
	const { failure } = await readList(Array(3).fill({ statusCode: 400 }));
	expect(failure?.facts.words).toBe('not by 100');
});
