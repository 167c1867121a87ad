import fc from 'fast-check';

import { begun, happenings, placeStep } from './arbitraries.mts';
import type { History, Step } from './steps.mts';

/**
 * Generates random histories (lists of steps) of the trigger. The trigger returns a late change only if it can read the
 * lookback window again. Short polls and few remembered versions prevent this second reading, so no history combines
 * them with late changes.
 */
export const history: fc.Arbitrary<History> = begun.chain((one) => {
	const { datesAdvance, traits } = one;
	const { change, service, faults, meanwhile } = happenings(one);
	const pollStep = fc.record({
		do: fc.constant('poll' as const),
		pages: datesAdvance ? fc.constantFrom(1, 2, 3, 5, Infinity) : fc.constant(Infinity),
		faults,
		meanwhile,
		crash: fc.nat({ max: 6 }).map((place) => place === 6),
	});
	const step: fc.Arbitrary<Step> = fc.oneof(
		{ weight: 6, arbitrary: change },
		{ weight: 6, arbitrary: pollStep },
		{ weight: 1, arbitrary: service },
		{ weight: 1, arbitrary: placeStep },
	);
	/** Changes that the workflow makes to the returned records after each poll. */
	const then: Step[][] = [[], [], [{ do: 'writeBack' }], [{ do: 'leave' }]];
	const steps = fc.tuple(
		fc.array(step, { minLength: 4, maxLength: 30 }),
		fc.constantFrom(...then.slice(0, traits.cursors === 'frozen' ? 2 : 4)),
	);
	const more = fc.record({
		maxRecordsPerPoll: fc.constantFrom(1, 2, 5, 13, 1_000),
		maxRemembered: datesAdvance ? fc.constantFrom(4, 20, 2_000) : fc.constant(2_000),
		steps: steps.map(([some, after]) =>
			some.flatMap((one) => (one.do === 'poll' ? [one, ...after] : one)),
		),
	});
	return more.map((its) => ({ ...one, ...its }));
});
