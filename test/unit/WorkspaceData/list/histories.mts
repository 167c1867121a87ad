import fc from 'fast-check';

import { cursorAt, type Trouble, type UnkindService } from './service.mts';

/** What a user chose in the node. */
export interface Choice {
	outputAs: 'items' | 'pages' | 'ndjson';
	/** Undefined is Return All. */
	limit?: number;
	options: Record<string, unknown>;
	/** How many records are before the start cursor. */
	start: number;
}

/** Services that give a list by cursor or by number. */
export const services = (mode: 'cursor' | 'page'): fc.Arbitrary<UnkindService> =>
	fc
		.record({
			records: fc.nat(40),
			hasNumericIds: fc.boolean(),
			cap: rarely(fc.record({ size: fc.integer({ min: 1, max: 9 }), isHonest: fc.boolean() })),
			refusesAbove: rarely(fc.integer({ min: 1, max: 20 })),
			extraRecords: fc.constantFrom(0, 0, 1, 5),
			emptyPageEvery: fc.constantFrom(0, 0, 1, 7),
			hasTrailingCursor: fc.boolean(),
			pageIgnored: rarely(fc.constantFrom('admitted' as const, 'denied' as const)),
			change: rarely(
				fc.record({
					at: fc.integer({ min: 1, max: 4 }),
					by: fc.constantFrom(...(mode === 'page' ? [-2, -1, 1, 3] : [1, 3])),
				}),
			),
			troubles: rarely(
				fc.tuple(
					fc.nat(6),
					fc.constantFrom<Trouble>(
						'timeout',
						'status',
						'notJson',
						'noItems',
						'noPagination',
						'oddCursor',
						'repeatCursor',
					),
				),
			),
		})
		.map(({ records, hasNumericIds, troubles, ...unkind }) => ({
			...unkind,
			troubles: new Map(troubles === undefined ? [] : [troubles]),
			records: Array.from({ length: records }, (_, n) => {
				const id = hasNumericIds ? `${9_007_199_254_740_993n + BigInt(n)}` : `"id-${n}"`;
				// By its date, a page shows whether it follows the one before; the ids lose their last digits.
				const date = new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString();
				return `{"id":${id},"updated_at":"${date}","n":${n}}`;
			}),
		}));

function rarely<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
	return fc.option(arbitrary, { nil: undefined, freq: 2 });
}

/** What users can choose for a list in that mode. */
export const choices = (mode: 'cursor' | 'page'): fc.Arbitrary<Choice> =>
	fc
		.record({
			outputAs: fc.constantFrom('items', 'pages', 'ndjson'),
			limit: fc.option(fc.integer({ min: 1, max: 45 }), { nil: undefined }),
			pageSize: fc.integer({ min: 1, max: 20 }),
			start: mode === 'cursor' ? fc.constantFrom(0, 0, 3) : fc.constant(0),
			recordsPerFile: fc.integer({ min: 1, max: 30 }),
		})
		// A Start Cursor's Page Size has to fit into a file.
		.map(({ recordsPerFile, ...choice }) => ({
			...choice,
			recordsPerFile: choice.start > 0 ? Math.max(recordsPerFile, choice.pageSize) : recordsPerFile,
		}))
		.map(({ outputAs, limit, start, ...options }) => ({
			outputAs,
			limit,
			start,
			options: {
				...options,
				pagination: mode,
				startCursor: start > 0 ? cursorAt(start) : undefined,
			} as Record<string, unknown>,
		}));
