import fc from 'fast-check';

import { followed, happenings, initial, placeStep, startFrom } from '../../changes/arbitraries.mts';
import type { History, RunStep, Step } from './steps.mts';

/** Late commits go with changes that share the newest date, as in the trigger's histories. */
export const history: fc.Arbitrary<History> = followed.chain((one) => {
	const { hasLate, traits: made, event } = one;
	const { change, cursors, faults, meanwhile } = happenings(one);
	const runStep: fc.Arbitrary<RunStep> = fc.record({
		do: fc.constant('run' as const),
		faults,
		meanwhile,
		end: fc.constantFrom('arrives', 'arrives', 'arrives', 'fails', 'dies', 'stays'),
	});
	const isFrozen = made.cursors === 'frozen';
	const place = placeStep.filter((one) => !hasLate || /otherKey|moveAddress/.test(one.do));
	const step: fc.Arbitrary<Step> = fc.oneof(
		{ weight: 6, arbitrary: change },
		{
			weight: isFrozen ? 0 : 1,
			arbitrary: fc.constantFrom<Step>({ do: 'writeBack' }, { do: 'leave' }),
		},
		{ weight: 1, arbitrary: place },
		{ weight: 6, arbitrary: runStep },
		{ weight: 1, arbitrary: fc.record({ do: fc.constant('finish' as const), which: fc.nat(9) }) },
		{ weight: 1, arbitrary: cursors },
	);
	return fc
		.record({
			traits: fc.constant(made),
			event: fc.constant(event),
			startFrom: startFrom(made),
			progress: fc.constantFrom('confirmed', 'confirmed', 'given'),
			outputAs: fc.constantFrom('items', 'batch', 'ndjson'),
			maxRecords: fc.constantFrom(undefined, 1, 2, 5, 13),
			recordsPerFile: fc.constantFrom(1, 3, 10, 50_000),
			initial,
			steps: fc.array(step, { minLength: 10, maxLength: 40 }),
		})
		.map(
			(one): History => ({
				...one,
				outputAs: one.progress === 'given' && one.outputAs === 'items' ? 'batch' : one.outputAs,
				datesAdvance: !hasLate,
			}),
		);
});

/** Of a list that is frozen, one run may give a part and the next one the rest. */
export const oneRun = history.filter(({ traits }) => traits.cursors !== 'frozen');
