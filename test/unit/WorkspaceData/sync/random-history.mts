import fc from 'fast-check';

import type { Change } from '../../changes/change.mts';
import { initial, lateChange, plainChange, traits } from '../../changes/arbitraries.mts';
import type { History, RunStep, Step } from './steps.mts';

/** Late commits go with changes that share the newest date, as in the trigger's histories. */
export const history: fc.Arbitrary<History> = fc
	.record({ hasLate: fc.boolean(), traits })
	.chain(({ hasLate, traits: made }) => {
		const change = hasLate
			? fc.oneof({ weight: 2, arbitrary: plainChange }, { weight: 1, arbitrary: lateChange })
			: plainChange;
		// Records that move while a list is read by positions shift others past the place (docs/assumptions.md, A4).
		const areKeys = made.cursors !== 'position' && made.cursors !== 'pages';
		const runStep: fc.Arbitrary<RunStep> = fc.record({
			do: fc.constant('run' as const),
			faults: fc.oneof(
				{ weight: 3, arbitrary: fc.constant<boolean[]>([]) },
				{ weight: 1, arbitrary: fc.array(fc.boolean(), { maxLength: 6 }) },
			),
			meanwhile: areKeys
				? fc.array(fc.array(change, { maxLength: 2 }), { maxLength: 3 })
				: fc.constant<Change[][]>([]),
			end: fc.constantFrom('arrives', 'arrives', 'arrives', 'fails', 'dies', 'stays'),
		});
		const step: fc.Arbitrary<Step> = fc.oneof(
			{ weight: 6, arbitrary: change },
			{ weight: 6, arbitrary: runStep },
			{ weight: 1, arbitrary: fc.record({ do: fc.constant('finish' as const), which: fc.nat(9) }) },
			{
				weight: 1,
				arbitrary: fc.constantFrom({ do: 'refuseCursors' as const }, { do: 'changeKey' as const }),
			},
		);
		return fc
			.record({
				traits: fc.constant(made),
				event: fc.constantFrom('recordCreated' as const, 'recordUpdated' as const),
				startFrom: fc.constantFrom('now' as const, 'beginning' as const, 'date' as const),
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
					// Without an id, a changed record cannot be told from a new one.
					event: made.ids === 'none' ? 'recordUpdated' : one.event,
					outputAs: one.progress === 'given' && one.outputAs === 'items' ? 'batch' : one.outputAs,
					datesAdvance: !hasLate,
				}),
			);
	});
