import fc from 'fast-check';

import { happenings, initial, traits } from './arbitraries.mts';
import type { History, Step } from './steps.mts';

/**
 * Late commits are promised only where what is read again is not cut short: by the bound of what is remembered, or by a
 * poll too short to read it again. So a history has either late commits (and changes that share the newest date) or those.
 */
export const history: fc.Arbitrary<History> = fc
	.record({ hasLate: fc.boolean(), traits })
	.chain(({ hasLate, traits: made }) => {
		const { change, cursors, faults, meanwhile } = happenings(hasLate, made);
		const pollStep = fc.record({
			do: fc.constant('poll' as const),
			pages: hasLate ? fc.constant(Infinity) : fc.constantFrom(1, 2, 3, 5, Infinity),
			faults,
			meanwhile,
			crash: fc.oneof(
				{ weight: 6, arbitrary: fc.constant(false as const) },
				{ weight: 1, arbitrary: fc.constantFrom(true as const, 'again' as const) },
			),
		});
		const step: fc.Arbitrary<Step> = fc.oneof(
			{ weight: 6, arbitrary: change },
			{ weight: 6, arbitrary: pollStep },
			{ weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
			{ weight: 1, arbitrary: cursors },
		);
		return fc.record({
			traits: fc.constant(made),
			// Without an id, a changed record cannot be told from a new one.
			event:
				made.ids === 'none'
					? fc.constant('recordUpdated' as const)
					: fc.constantFrom('recordCreated' as const, 'recordUpdated' as const),
			startFrom: fc.constantFrom('now' as const, 'beginning' as const, 'date' as const),
			// What only memory knows is lost with a crash, and with it the start where the list had to be read.
			durable: fc.constant(true),
			maxRecordsPerPoll: fc.constantFrom(1, 2, 5, 13, 1_000),
			mostRemembered: hasLate ? fc.constant(2_000) : fc.constantFrom(4, 20, 2_000),
			datesAdvance: fc.constant(!hasLate),
			initial,
			steps: fc.array(step, { minLength: 4, maxLength: 30 }),
		});
	});

/** Those in which all versions of a date are remembered, so that none has to come again. */
export const wholeHistory = history.map((made) => ({ ...made, mostRemembered: 2_000 }));
