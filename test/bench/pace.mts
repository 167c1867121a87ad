/**
 * Checks in simulated time how well the node's rate limiter finds and keeps an unknown rate limit (`npm run
 * bench:pace`). Prints every case that misses its target. Exits with 1 if too few cases of a group meet their target,
 * or if a group misses one of its own limits.
 */
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { markdownTable } from 'markdown-table';
import type { Cell } from './rate-limiter-cells.mts';
import { median } from './statistics.mts';

const workflow = pathToFileURL(createRequire(import.meta.url).resolve('n8n-workflow')).href;
// Resolve imports without a file extension, which Node.js rejects. Imports between files of this package get the
// extension `.ts`. The ES module build of n8n-workflow has such imports too, so load its CommonJS build.
registerHooks({
	resolve(name, context, next) {
		if (name === 'n8n-workflow') return next(workflow, context);
		const isOwn =
			/^\.{1,2}\/.*(?<!\.\w+)$/.test(name) && !context.parentURL?.includes('/node_modules/');
		return next(isOwn ? `${name}.ts` : name, context);
	},
});

const cells = await import('./rate-limiter-cells.mts');
const { judge } = await import('./rate-limiter-judge.mts');

const { canReach, limited } = cells;
const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;

/** Group of similar benchmark cases with common limits. */
interface Group {
	name: string;
	cells: Cell[];
	/** Minimum number of cases in the group that must meet their target. */
	minimum: number;
	/** Maximum share of throttled requests in the median case of the group. */
	maxMedianThrottled?: number;
	/** Minimum share of the possible rate that every case of the group must reach. */
	minReached?: number;
}

const groups: Group[] = [
	{
		name: 'the limit can be reached',
		cells: limited.filter(canReach),
		minimum: 255,
		maxMedianThrottled: 0.05,
		minReached: 0.6,
	},
	{
		name: 'too few at once for the limit',
		cells: limited.filter((cell) => !canReach(cell)),
		minimum: 84,
	},
	{ name: 'no limit', cells: cells.unlimited, minimum: cells.unlimited.length },
	{ name: 'the limit rises', cells: cells.rising, minimum: cells.rising.length },
	{ name: 'throttled for a while, never again', cells: cells.outages, minimum: 144 },
	{ name: 'used up before the run begins', cells: cells.usedUp.filter(canReach), minimum: 64 },
	{
		name: 'bucket without burst, uneven answers',
		cells: cells.uneven.filter(canReach),
		minimum: 82,
	},
	...[
		{ chance: 0.02, minimum: 6 },
		{ chance: 0.05, minimum: 6 },
		{ chance: 0.1, minimum: 6 },
		{ chance: 0.2, minimum: 0 },
	].map(({ chance, minimum }) => ({
		name: `${100 * chance} % throttled at random`,
		cells: cells.byChance.filter((cell) => cell.chance === chance),
		minimum,
	})),
	{ name: 'one call always throttled', cells: cells.oneThrottled, minimum: 5 },
	{ name: 'throttled quicker than the work', cells: cells.slowWork, minimum: 2 },
	{ name: 'a penalty after a throttled request', cells: cells.penalties, minimum: 4 },
	{ name: 'two programs that share a limit', cells: cells.shared, minimum: 12 },
];

/**
 * Simulates the cases of a group and prints the cases that miss their target. Sets exit code 1 if the group misses one
 * of its limits. Returns the cells of the group's row in the result table.
 */
async function judgeGroup(group: Group): Promise<string[]> {
	const { name, minimum, maxMedianThrottled = 1, minReached = 0 } = group;
	const verdicts = [];
	for (const cell of group.cells) verdicts.push(await judge(cell));
	const missed = verdicts.filter(({ passes }) => !passes);
	for (const { cell, ...found } of missed) console.log(JSON.stringify({ ...cell, ...found }));
	const met = verdicts.length - missed.length;
	const reached = verdicts.map((verdict) => verdict.reached);
	const throttled = verdicts.map((verdict) => verdict.throttled);
	const isWithinBounds =
		met >= minimum && median(throttled) <= maxMedianThrottled && Math.min(...reached) >= minReached;
	if (!isWithinBounds) process.exitCode = 1;
	return [
		name,
		`${met} of ${verdicts.length}`,
		percent(median(reached)),
		percent(Math.min(...reached)),
		percent(median(throttled)),
		percent(Math.max(...throttled)),
		String(verdicts.filter(({ succeeded }) => !succeeded).length),
	];
}

const columns = ['Cells', 'Target met', 'Reached, median', 'worst', 'Throttled, median', 'worst'];
const rows = [];
const [only = ''] = process.argv.slice(2);
for (const group of groups.filter(({ name }) => name.includes(only)))
	rows.push(await judgeGroup(group));
console.log(
	markdownTable([[...columns, 'Cells with failed calls'], ...rows], {
		align: ['left', ...Array<'right'>(6).fill('right')],
	}),
);
