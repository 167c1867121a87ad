import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { foundHistories } from './found.mts';
import { mayStartUnknown, play, type Change, type History, type Step } from './history.mts';
import type { ServiceTraits } from './service.mts';

/** HISTORIES plays more of them; see test/seed.mts for others. */
const HISTORIES = Number(process.env.HISTORIES ?? 3_000);

const place = fc.nat({ max: 500 });
const plainChange: fc.Arbitrary<Change> = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.record({
			do: fc.constant('create' as const),
			count: fc.integer({ min: 1, max: 12 }),
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			do: fc.constant('update' as const),
			place,
			count: fc.integer({ min: 1, max: 15 }),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			do: fc.constant('remove' as const),
			place,
			count: fc.integer({ min: 1, max: 6 }),
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			do: fc.constant('tick' as const),
			seconds: fc.constantFrom(0, 1, 3, 11, 40),
		}),
	},
);
const lateChange: fc.Arbitrary<Change> = fc.oneof(
	{ weight: 3, arbitrary: fc.record({ do: fc.constant('beginLate' as const), place }) },
	{ weight: 1, arbitrary: fc.constant({ do: 'commitLate' as const }) },
);

/**
 * Late commits are promised only where the window is not cut short: by its size, or by a poll too short to read it
 * again. So a history has either late commits (and changes that share the newest date) or those.
 */
const history: fc.Arbitrary<History> = fc.boolean().chain((hasLate) => {
	const change = hasLate
		? fc.oneof({ weight: 2, arbitrary: plainChange }, { weight: 1, arbitrary: lateChange })
		: plainChange;
	const pollStep = fc.record({
		do: fc.constant('poll' as const),
		pages: hasLate ? fc.constant(Infinity) : fc.constantFrom(1, 2, 3, 5, Infinity),
		faults: fc.oneof(
			{ weight: 3, arbitrary: fc.constant<boolean[]>([]) },
			{ weight: 1, arbitrary: fc.array(fc.boolean(), { maxLength: 5 }) },
		),
		meanwhile: fc.array(fc.array(change, { maxLength: 2 }), { maxLength: 3 }),
		crash: fc.integer({ min: 0, max: 7 }).map((number) => number === 0),
	});
	const step: fc.Arbitrary<Step> = fc.oneof(
		{ weight: 6, arbitrary: change },
		{ weight: 6, arbitrary: pollStep },
		{ weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
		{ weight: 1, arbitrary: fc.constant({ do: 'refuseCursors' as const }) },
	);
	const traits: fc.Arbitrary<ServiceTraits> = fc.record({
		ids: fc.constantFrom('text', 'text', 'big', 'none'),
		dateFormat: fc.constantFrom('iso', 'zoneless', 'seconds', 'milliseconds'),
		undated: fc.constantFrom('none', 'none', 'first', 'last'),
		numbersPages: fc.constantFrom('yes', 'yes', 'yes', 'refused', 'ignored', 'echoed'),
		mostOnPage: fc.constantFrom(Infinity, Infinity, Infinity, 2, 60),
		extraOnPage: fc.constantFrom(0, 0, 0, 1, 5),
		trailingCursor: fc.boolean(),
		pageSize: fc.constantFrom(1, 2, 3, 7, 20, 100, [1, 4], [2, 5, 9], [2, 7, 20, 50]),
		overlapMs: fc.constantFrom(0, 2_000, 10_000, 30_000),
	});
	const initial = fc.oneof(
		{ weight: 9, arbitrary: fc.array(plainChange, { maxLength: 8 }) },
		// More than the trigger asks for to learn which records are the newest.
		{
			weight: 1,
			arbitrary: fc
				.array(plainChange, { maxLength: 4 })
				.map((changes): Change[] => [
					{ do: 'create', count: 130 },
					{ do: 'tick', seconds: 1 },
					...changes,
					{ do: 'create', count: 3 },
					{ do: 'tick', seconds: 1 },
				]),
		},
	);
	return fc
		.record({
			traits,
			event: fc.constantFrom('recordCreated' as const, 'recordUpdated' as const),
			startFrom: fc.constantFrom('now' as const, 'beginning' as const),
			durable: fc.boolean(),
			maxRecordsPerPoll: fc.constantFrom(1, 2, 5, 13, 1_000),
			windowRecords: hasLate ? fc.constant(2_000) : fc.constantFrom(0, 1, 4, 20, 2_000),
			initial,
			steps: fc.array(step, { minLength: 4, maxLength: 40 }),
		})
		.map((made) => ({
			...made,
			// What only memory knows is lost with a crash: the start is known for sure only with numbered pages.
			// Without an id, a changed record cannot be told from a new one.
			event: made.traits.ids === 'none' ? ('recordUpdated' as const) : made.event,
			datesAdvance: !hasLate,
			durable: made.durable || mayStartUnknown(made),
		}));
});

/** A busy machine takes ten times as long as a quiet one. */
const timeout = Math.max(180_000, HISTORIES * 40);

describe('the trigger, in random histories', { timeout }, () => {
	it(`delivers every version once, however it is disturbed (${HISTORIES} histories)`, async () => {
		const totals = {
			polls: 0,
			delivered: 0,
			afterCrash: 0,
			undatedAgain: 0,
			needlesslyUnknown: 0,
			largestState: 0,
		};
		await fc.assert(
			fc.asyncProperty(history, async (one) => {
				const outcome = await play(one);
				totals.polls += outcome.polls;
				totals.delivered += outcome.delivered;
				totals.afterCrash += outcome.afterCrash;
				if (!mayStartUnknown(one)) totals.needlesslyUnknown += outcome.unknownStarts;
				totals.undatedAgain += outcome.undatedAgain;
				totals.largestState = Math.max(totals.largestState, outcome.largestState);
			}),
			{ numRuns: HISTORIES, examples: foundHistories.map((one) => [one]) },
		);
		// Histories in which nothing happens would prove nothing.
		expect(totals.delivered).toBeGreaterThan(HISTORIES * 10);
		expect(totals.afterCrash).toBeGreaterThan(0);
		// Only where all of the newest records share one date.
		expect(totals.needlesslyUnknown).toBeLessThan(HISTORIES / 50);
		expect(totals.undatedAgain).toBeLessThan(totals.delivered / 100);
		expect(totals.largestState).toBeLessThan(64 * 1024);
	});
});
