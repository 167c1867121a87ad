import fc from 'fast-check';

import { followed, happenings, initial, placeStep, startFrom } from './arbitraries.mts';
import type { History, Step } from './steps.mts';

/**
 * Late commits are promised only where what is read again is not cut short: by the bound of what is remembered, or by a
 * poll too short to read it again. So a history has either late commits (and changes that share the newest date) or those.
 */
export const history: fc.Arbitrary<History> = followed.chain((one) => {
	const { hasLate, traits: made, event } = one;
	const { change, cursors, faults, meanwhile } = happenings(one);
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
		{ weight: 1, arbitrary: placeStep },
	);
	/** What the workflow does to the records that it gets. */
	const then: Step[][] = [[], [], [{ do: 'writeBack' }], [{ do: 'leave' }]].slice(
		0,
		made.cursors === 'frozen' ? 2 : 4,
	) as Step[][];
	const steps = fc.tuple(fc.array(step, { minLength: 4, maxLength: 30 }), fc.constantFrom(...then));
	return fc.record({
		traits: fc.constant(made),
		event: fc.constant(event),
		startFrom: startFrom(made),
		// What only memory knows is lost with a crash, and with it the start where the list had to be read.
		durable: fc.constant(true),
		maxRecordsPerPoll: fc.constantFrom(1, 2, 5, 13, 1_000),
		mostRemembered: hasLate ? fc.constant(2_000) : fc.constantFrom(4, 20, 2_000),
		datesAdvance: fc.constant(!hasLate),
		initial,
		steps: steps.map(([some, after]) =>
			some.flatMap((one) => (one.do === 'poll' ? [one, ...after] : one)),
		),
	});
});

/** Those in which all versions of a date are remembered, so that none has to come again. */
export const wholeHistory = history.map((made) => ({ ...made, mostRemembered: 2_000 }));
