import fc from 'fast-check';

import { initial, lateChange, plainChange, traits } from './arbitraries.mts';
import { mayStartUnknown } from './history.mts';
import type { History, Step } from './steps.mts';

/**
 * Late commits are promised only where the window is not cut short: by its size, or by a poll too short to read it
 * again. So a history has either late commits (and changes that share the newest date) or those.
 */
export const history: fc.Arbitrary<History> = fc.boolean().chain((hasLate) => {
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
