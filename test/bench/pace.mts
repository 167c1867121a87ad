/**
 * How well the rate limiter finds and keeps an unknown rate limit, in simulated time (`npm run bench:pace`). Prints every cell that
 * misses the target, and exits 1 where more of them do than is promised.
 */
import { registerHooks } from 'node:module';
import { markdownTable } from 'markdown-table';
import type { Cell } from './rate-limiter-cells.mts';
import { median } from './statistics.mts';

// The package's own files name each other without an ending.
registerHooks({
	resolve: (name, context, next) =>
		next(/^\.{1,2}\/[^.]*$/.test(name) ? `${name}.ts` : name, context),
});

const { RateLimiter } = await import('../../nodes/client/rate-limiter.ts');
const cells = await import('./rate-limiter-cells.mts');

const { canReach, limited, resetting } = cells;
const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;

const told = [...limited, ...resetting].filter((cell) => cell.tells && canReach(cell));

/** Cells of one kind that belong together, by name, and how many of them must meet the target. */
const groups: Array<[string, Cell[], number]> = [
	['the limit can be reached', limited.filter(canReach), 252],
	['too few at once for the limit', limited.filter((cell) => !canReach(cell)), 84],
	['no limit', cells.unlimited, cells.unlimited.length],
	['the limit rises', cells.rising, cells.rising.length],
	['refused for a while, never again', cells.outages, 143],
	['used up before the run begins', cells.usedUp.filter(canReach), 62],
	['bucket without burst, uneven answers', cells.uneven.filter(canReach), 92],
	// A time of day is one of whole seconds: each refusal waits for another part of one.
	...[...new Set(told.map(({ tells = '' }) => tells))].map((tells): (typeof groups)[0] => {
		return [
			`refused with ${tells}`,
			told.filter((cell) => cell.tells === tells),
			tells.endsWith('time') ? 126 : 127,
		];
	}),
];

/** Judges the cells of a group, prints those that miss the target, and gives a row of the table. */
function rowOf([name, ofGroup, least]: (typeof groups)[0]): string[] {
	const verdicts = ofGroup.map((cell) => cells.judge(cell, (atOnce) => new RateLimiter(atOnce)));
	const missed = verdicts.filter(({ passes }) => !passes);
	for (const { cell, ...found } of missed) console.log(JSON.stringify({ ...cell, ...found }));
	if (verdicts.length - missed.length < least) process.exitCode = 1;
	const reached = verdicts.map((verdict) => verdict.reached);
	const refused = verdicts.map((verdict) => verdict.refused);
	return [
		name,
		`${verdicts.length - missed.length} of ${verdicts.length}`,
		String(verdicts.filter(({ passesStrictly }) => passesStrictly).length),
		percent(median(reached)),
		percent(Math.min(...reached)),
		percent(median(refused)),
		percent(Math.max(...refused)),
		String(verdicts.filter(({ succeeded }) => !succeeded).length),
	];
}

const columns = [
	'Cells',
	'Target met',
	'at 5 % refused',
	'Reached, median',
	'worst',
	'Refused, median',
	'worst',
];
console.log(
	markdownTable([[...columns, 'Cells with failed calls'], ...groups.map(rowOf)], {
		align: ['left', ...Array<'right'>(7).fill('right')],
	}),
);
