/**
 * How well the pace finds and keeps an unknown rate limit, in simulated time (`npm run bench:pace`). Prints every cell that
 * misses the target, and exits 1 where there is one.
 */
import { registerHooks } from 'node:module';
import { markdownTable } from 'markdown-table';
import * as cells from './pace-cells.mts';
import type { Cell } from './pace-cells.mts';
import { median } from './statistics.mts';

// The package's own files name each other without an ending.
registerHooks({
	resolve: (name, context, next) =>
		next(/^\.{1,2}\/[^.]*$/.test(name) ? `${name}.ts` : name, context),
});

const { Pace } = await import('../../nodes/client/pace.ts');

const { canReach, hasNoneLeft } = cells;
const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;

/** Cells of one kind that belong together, by name. */
const groups: Array<[string, Cell[]]> = [
	['the limit can be reached', cells.limited.filter(canReach)],
	['too few at once for the limit', cells.limited.filter((cell) => !canReach(cell))],
	['no limit', cells.unlimited],
	['the limit rises', cells.rising],
	[
		'announced, can be reached',
		cells.announced.filter((cell) => canReach(cell) && !hasNoneLeft(cell)),
	],
	['announced, too few at once', cells.announced.filter((cell) => !canReach(cell))],
	[
		'announced, with 0 left always',
		cells.announced.filter((cell) => canReach(cell) && hasNoneLeft(cell)),
	],
	['headers without a limit', cells.contradicting],
];

/** Judges the cells of a group, prints those that miss the target, and gives a row of the table. */
function rowOf([name, ofGroup]: [string, Cell[]]): string[] {
	const verdicts = ofGroup.map((cell) => cells.judge(cell, (atOnce) => new Pace(atOnce)));
	const missed = verdicts.filter(({ passes }) => !passes);
	for (const { cell, ...found } of missed) console.log(JSON.stringify({ ...cell, ...found }));
	if (missed.length > 0) process.exitCode = 1;
	const reached = verdicts.map((verdict) => verdict.reached);
	const refused = verdicts.map((verdict) => verdict.refused);
	return [
		name,
		`${verdicts.length - missed.length} of ${verdicts.length}`,
		percent(median(reached)),
		percent(Math.min(...reached)),
		percent(median(refused)),
		percent(Math.max(...refused)),
		String(verdicts.filter(({ succeeded }) => !succeeded).length),
	];
}

const columns = ['Cells', 'Target met', 'Reached, median', 'worst', 'Refused, median', 'worst'];
console.log(
	markdownTable([[...columns, 'Cells with failed calls'], ...groups.map(rowOf)], {
		align: ['left', ...Array<'right'>(6).fill('right')],
	}),
);
