import { describe, expect, it } from 'vitest';

import type { DateRange } from '../../../../nodes/shared/lists/dates.ts';
import { readAll, type ReadOptions } from './read-pages.mts';

const day = (number: number): string => `2026-11-${String(number).padStart(2, '0')}T00:00:00Z`;
const ms = (number: number): number => Date.parse(day(number));

/**
 * Reads pages whose records have these days of November 2026 as their dates. Null stands for a record without a date.
 */
async function readDays(
	range: DateRange,
	pages: Array<Array<number | null>>,
	more: Partial<Extract<ReadOptions, { mode: 'cursor' }>> = {},
) {
	let requests = 0;
	const options = { mode: 'cursor', sort: 'updated_at', pageSize: 9, range, ...more } as const;
	const { ids, ...read } = await readAll(options, async () => {
		const index = requests++;
		const items = pages[index].map((number, row) => ({
			id: `${index}-${row}`,
			updated_at: number === null ? null : day(number),
		}));
		const next_cursor = index + 1 < pages.length ? `c${index + 1}` : undefined;
		return { data: { items }, meta: { pagination: { next_cursor } } };
	});
	return { ...read, ids, requests };
}

describe('a date range', () => {
	it('returns records later than the start of a date range, and records without a date', async () => {
		const { ids, pages } = await readDays({ after: ms(10) }, [
			[8, 10, null, 11],
			[11, 12],
		]);
		expect(ids).toEqual(['0-2', '0-3', '1-0', '1-1']);
		expect(pages.map(({ indexes }) => indexes)).toEqual([
			[2, 3],
			[0, 1],
		]);
	});

	it('stops at the end of a date range, and returns neither records without a date nor a next cursor', async () => {
		const days = [[8, 10, null], [11, 12, 13], [14]];
		const { ids, pages, requests } = await readDays({ before: ms(12) }, days);
		expect([ids, requests]).toEqual([['0-0', '0-1', '1-0', '1-1'], 2]);
		expect(pages.map(({ nextCursor }) => nextCursor)).toEqual(['c1', undefined]);
		expect(pages[1].envelope.meta.pagination).not.toHaveProperty('next_cursor');
		expect(pages[1]).toMatchObject({ isLast: true, recordsLeftOut: 0 });
	});

	it('counts only records in the date range towards Limit, and stops at Limit', async () => {
		const { ids, pages, requests } = await readDays(
			{ after: ms(10) },
			[[1, 11], [12, 13, 14], [15]],
			{ limit: 3 },
		);
		expect([ids, requests]).toEqual([['0-1', '1-0', '1-1'], 2]);
		expect(pages.at(-1)).toMatchObject({ nextCursor: undefined, recordsLeftOut: 1 });
	});

	const one = { limit: 1 };
	it.each([
		['notAscending', 'dates descend within a page', [[11, 12, 9]], {}, 1],
		['notAscending', 'dates descend around a record without a date', [[12, null, 11]], {}, 1],
		['notAscending', 'dates descend from one page to the next', [[11, 12], [9]], {}, 2],
		['notAscending', 'dates descend across an empty page', [[12], [], [11]], {}, 3],
		['undatedList', 'no record has a date', [[null], [null, null]], {}, 2],
		['undatedList', 'Limit is reached before the first date', [[null, null], [11]], one, 1],
		['none', 'Limit is reached after a date', [[null, 11], [12]], { limit: 2 }, 1],
		['none', 'no date follows a start cursor', [[null], [null]], { startCursor: 'c' }, 2],
		['none', 'the list is empty', [[]], {}, 1],
	])('ends a date range with the failure "%s" if %s', async (kind, _name, days, more, asked) => {
		const { pages, failure, requests } = await readDays({ after: ms(1) }, days, more);
		expect([failure?.kind ?? 'none', requests]).toEqual([kind, asked]);
		if (more === one) expect([pages.length, failure?.facts.nextCursor]).toEqual([1, undefined]);
	});
});
