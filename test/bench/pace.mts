/**
 * How well the pace finds and keeps an unknown rate limit, in simulated time (`npm run bench:pace`). Prints every cell that
 * misses the target, and exits 1 where there is one.
 */
import { registerHooks } from 'node:module';
import { markdownTable } from 'markdown-table';
import * as cells from './pace-cells.mts';
import type { Cell, Verdict } from './pace-cells.mts';
import { median } from './statistics.mts';

// The package's own files name each other without an ending.
registerHooks({
	resolve: (name, context, next) =>
		next(/^\.{1,2}\/[^.]*$/.test(name) ? `${name}.ts` : name, context),
});

const { Pace } = await import('../../nodes/client/pace.ts');

const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;

function summaryOf(name: string, verdicts: readonly Verdict[]): string[] {
	const reached = verdicts.map((verdict) => verdict.reached);
	const refused = verdicts.map((verdict) => verdict.refused);
	return [
		name,
		`${verdicts.filter(({ passes }) => passes).length} of ${verdicts.length}`,
		percent(median(reached)),
		percent(Math.min(...reached)),
		percent(median(refused)),
		percent(Math.max(...refused)),
		String(verdicts.filter(({ succeeded }) => !succeeded).length),
	];
}

const judged = (ofKind: readonly Cell[]): Verdict[] =>
	ofKind.map((cell) => cells.judge(cell, (maxConcurrent) => new Pace(maxConcurrent)));

const [limited, unlimited, rising, announced, contradicting] = [
	judged(cells.limited),
	judged(cells.unlimited),
	judged(cells.rising),
	judged(cells.announced),
	judged(cells.contradicting),
];
const missed = [limited, unlimited, rising, announced, contradicting]
	.flat()
	.filter(({ passes }) => !passes);
for (const { cell, ...found } of missed) console.log(JSON.stringify({ ...cell, ...found }));
const { canReach, hasNoneLeft } = cells;
/** Cells of one kind that belong together, by name. */
const groups: Array<[string, Verdict[], (cell: Cell) => boolean]> = [
	['the limit can be reached', limited, canReach],
	['too few at once for the limit', limited, (cell) => !canReach(cell)],
	['no limit', unlimited, () => true],
	['the limit rises', rising, () => true],
	['announced, can be reached', announced, (cell) => canReach(cell) && !hasNoneLeft(cell)],
	['announced, too few at once', announced, (cell) => !canReach(cell)],
	['announced, with 0 left always', announced, (cell) => canReach(cell) && hasNoneLeft(cell)],
	['headers without a limit', contradicting, () => true],
];
console.log(
	markdownTable(
		[
			[
				'Cells',
				'Target met',
				'Reached, median',
				'worst',
				'Refused, median',
				'worst',
				'Cells with failed calls',
			],
			...groups.map(([name, verdicts, belongs]) =>
				summaryOf(
					name,
					verdicts.filter(({ cell }) => belongs(cell)),
				),
			),
		],
		{ align: ['left', ...Array.from({ length: 6 }, () => 'right' as const)] },
	),
);
process.exitCode = missed.length > 0 ? 1 : 0;
