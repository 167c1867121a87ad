import { serialize } from 'node:v8';
import { describe, expect, it } from 'vitest';

import { pageOf } from '../../../../nodes/shared/lists/page.ts';
import { Repetition } from '../../../../nodes/shared/lists/repetition.ts';
import { readList, upTo, type CursorOptions } from './any-service.mts';
import type { ListModel } from './list-model.mts';

const RECORDS = 200;
const PAGES = { pageSize: 40 } as const;

/**
 * Four cases of a list with or without a total number of records. After a start cursor, the node always ignores the
 * total.
 */
const TOTALS: Record<string, { model?: Partial<ListModel>; options?: CursorOptions }> = {
	'every page has the total': {},
	'only the first page has the total': { model: { total: 'onFirstPage' } },
	'no page has a total': { model: { total: 'absent' } },
	'the total is ignored': { options: { ignoreTotal: true } },
};

const LIMITS = [undefined, RECORDS, RECORDS - 20];

describe.each(Object.entries(TOTALS))('a list of 200 records if %s', (_which, row) => {
	const read = async (model: Partial<ListModel>, options: CursorOptions = {}) =>
		await readList(
			{ records: RECORDS, ...row.model, ...model },
			{ ...PAGES, ...row.options, ...options },
		);

	it.each([true, 'toEmpty', 'toItself'] as const)(
		'ends at a last page that has a next cursor, even after a start cursor (quirk trailingCursor: %s)',
		async (trailingCursor) => {
			for (const maximum of LIMITS) {
				const whole = await read({ trailingCursor }, { limit: maximum });
				expect(whole).toMatchObject({ places: upTo(maximum ?? RECORDS), failure: undefined });
				expect(whole.pages.at(-1)?.isLast).toBe(true);
			}
			const [first] = (await read({ trailingCursor })).pages;
			const startCursor = first.nextCursor;
			for (const maximum of [undefined, 160]) {
				const rest = await read({ trailingCursor }, { startCursor, limit: maximum });
				expect(rest).toMatchObject({ places: upTo(RECORDS).slice(40), failure: undefined });
			}
		},
	);

	it.each(['toBeginning', 'toNewRound'] as const)(
		'ends if the last cursor leads back to the beginning of the list (quirk trailingCursor: %s)',
		async (trailingCursor) => {
			for (const range of [undefined, { after: 0 }]) {
				const { places, failure, pages } = await read({ trailingCursor }, { range });
				expect({ places, failure }).toEqual({ places: upTo(RECORDS), failure: undefined });
				expect(pages.at(-1)).toMatchObject({ isLast: true, recordsMissing: 0 });
			}
		},
	);

	it('returns no record twice if the last cursor leads back to the middle of the list', async () => {
		const { places, failure } = await read({ trailingCursor: 'toMiddle' });
		const isKnown = row.options === undefined && row.model?.total !== 'absent';
		expect(places).toEqual(upTo(RECORDS));
		expect(failure?.kind).toBe(isKnown ? undefined : 'repeatedPage');
	});

	it.each([
		{ cursorsInclusive: true, isOneDate: false },
		{ cursorsInclusive: true, isOneDate: true },
		{ cursorsInclusive: 'date', isOneDate: false },
	] as const)('returns each record once if pages overlap: %j', async (model) => {
		const noTotal = row.options !== undefined || row.model?.total === 'absent';
		for (const trailingCursor of [false, 'toItself', 'toEmpty'] as const) {
			const { places, failure } = await read({ ...model, trailingCursor });
			expect(places).toEqual(upTo(RECORDS));
			// If all records have the same date and no total is known, the node fails at a page that points back to
			// itself, because more records may follow.
			const isUncertain = noTotal && model.isOneDate && trailingCursor === 'toItself';
			expect(failure?.kind).toBe(isUncertain ? 'repeatedPage' : undefined);
		}
	});

	it('fails if cursors are dates, and more records have the same date than fit on a page', async () => {
		const { failure, places } = await read({ cursorsInclusive: 'date' }, { pageSize: 5 });
		expect(new Set(places).size).toBe(places.length);
		expect(failure?.kind).toBe('repeatedPage');
	});
});

it.each([
	['50 records too high', 50, 'repeatedPage'],
	['correct', 0, undefined],
])(
	'ends a list at a page that points back to itself only if the total is correct (first total: %s)',
	async (_verb, more, kind) => {
		const model: ListModel = { records: RECORDS, total: 'onFirstPage', trailingCursor: 'toItself' };
		const wrongOnce = { at: 0, factor: (RECORDS + more) / RECORDS };
		const { failure, places } = await readList({ ...model, wrongOnce }, PAGES);
		expect(places).toEqual(upTo(RECORDS));
		expect(failure?.kind).toBe(kind);
	},
);

it.each(['toBeginning', 'toNewRound'] as const)(
	'fails if the last cursor starts the list over (quirk trailingCursor: %s) and the total is too high',
	async (trailingCursor) => {
		const model: ListModel = { records: RECORDS, total: { factor: 1.2 }, trailingCursor };
		const { failure, places } = await readList(model, PAGES);
		expect([places, failure?.kind]).toEqual([upTo(RECORDS), 'repeatedPage']);
	},
);

it('returns the new records of a page although its next cursor was already used and the total is too low', async () => {
	const model: ListModel = {
		records: RECORDS,
		total: { factor: 0.97 },
		trailingCursor: 'toMiddle',
	};
	const { failure, places } = await readList(model, { pageSize: 5 });
	expect([places, failure?.kind]).toEqual([upTo(RECORDS), undefined]);
});

it('requests the last page again and counts the missing records if only an earlier page has a total', async () => {
	const model: ListModel = { records: RECORDS, total: 'onFirstPage' };
	const wrongOnce = { at: 0, factor: 1.1 };
	const { failure, pages, asked } = await readList({ ...model, wrongOnce }, PAGES);
	expect([failure, asked.length]).toEqual([undefined, 6]);
	expect(pages.at(-1)).toMatchObject({ isLast: true, recordsMissing: 20 });
	const limited = await readList({ ...model, wrongOnce }, { ...PAGES, limit: RECORDS });
	expect(limited.pages.at(-1)).toMatchObject({ recordsMissing: 0 });
});

it('stores only a digest of each page, and not its records', () => {
	const repetition = new Repetition('updated_at');
	const text = 'x'.repeat(5_000);
	for (let page = 0; page < 100; page++) {
		const items = [{ id: `id-${page}`, text }];
		const body = { data: { items }, meta: { pagination: {} } };
		repetition.add(pageOf({ body, text: JSON.stringify(body) }, 1));
	}
	expect(serialize(repetition).length).toBeLessThan(5_000);
});
