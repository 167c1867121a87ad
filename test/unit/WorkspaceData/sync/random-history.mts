import fc from 'fast-check';

import { begun, happenings, placeStep } from '../../shared/changes/arbitraries.mts';
import type { History, RunStep, Step } from './steps.mts';

/**
 * Generates random histories of Sync. Late changes occur only in histories in which several changes can share the
 * newest date, as in the histories of the trigger.
 */
export const history: fc.Arbitrary<History> = begun.chain((one) => {
	const { datesAdvance, traits } = one;
	const { change, service, faults, meanwhile } = happenings(one);
	const runStep: fc.Arbitrary<RunStep> = fc.record({
		do: fc.constant('run' as const),
		faults,
		meanwhile,
		end: fc.constantFrom('arrives', 'arrives', 'arrives', 'fails', 'dies', 'stays'),
		unstored: fc.constantFrom(undefined, undefined, 0, 1, 2),
	});
	const place = placeStep.filter((one) => datesAdvance || /otherKey|moveAddress/.test(one.do));
	const step: fc.Arbitrary<Step> = fc.oneof(
		{ weight: 6, arbitrary: change },
		{
			weight: traits.cursors === 'frozen' ? 0 : 1,
			arbitrary: fc.constantFrom<Step>({ do: 'writeBack' }, { do: 'leave' }),
		},
		{ weight: 1, arbitrary: place },
		{ weight: 6, arbitrary: runStep },
		{ weight: 1, arbitrary: fc.record({ do: fc.constant('finish' as const), which: fc.nat(9) }) },
		{ weight: 1, arbitrary: service },
	);
	const more = fc.record({
		output: fc.constantFrom<Pick<History, 'progress' | 'outputAs'>>(
			{ progress: 'confirmed', outputAs: 'items' },
			{ progress: 'confirmed', outputAs: 'batch' },
			{ progress: 'confirmed', outputAs: 'ndjson' },
			{ progress: 'given', outputAs: 'batch' },
			{ progress: 'given', outputAs: 'ndjson' },
		),
		maxRecords: fc.constantFrom(undefined, 1, 2, 5, 13),
		recordsPerFile: fc.constantFrom(1, 3, 10, 50_000),
		steps: fc.array(step, { minLength: 10, maxLength: 40 }),
	});
	return more.map(({ output, ...its }) => ({ ...one, ...output, ...its }));
});
