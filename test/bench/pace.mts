/**
 * Checks in simulated time how well the pace finds and keeps an unknown rate limit (`npm run bench:pace`). Prints every
 * benchmark case that misses the target. Exits with 1 if too few benchmark cases of a group meet the target, or if the
 * group misses one of its own bounds.
 */
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { markdownTable } from 'markdown-table';
import type { Cell } from './rate-limiter-cells.mts';
import { median } from './statistics.mts';

const workflow = pathToFileURL(createRequire(import.meta.url).resolve('n8n-workflow')).href;
// The package's own files import each other without file extensions. The ESM build of n8n-workflow does so too, so its
// CommonJS build is loaded.
registerHooks({
	resolve(name, context, next) {
		if (name === 'n8n-workflow') return next(workflow, context);
		const isOwn =
			/^\.{1,2}\/.*(?<!\.\w+)$/.test(name) && !context.parentURL?.includes('/node_modules/');
		return next(isOwn ? `${name}.ts` : name, context);
	},
});

const cells = await import('./rate-limiter-cells.mts');

const { canReach, limited } = cells;
const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;

/** Group of benchmark cases that are judged together. */
interface Group {
	name: string;
	cells: Cell[];
	/** Minimum number of benchmark cases that must meet the target. */
	minimum: number;
	/** Maximum median share of throttled requests. */
	maxMedianThrottled?: number;
	/** Minimum share of the possible rate that every benchmark case must reach. */
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
 * Judges the benchmark cases of a group and prints the cases that miss the target. Sets exit code 1 if the group misses
 * a bound.
 */
async function judge(group: Group): Promise<string[]> {
	const { name, minimum, maxMedianThrottled = 1, minReached = 0 } = group;
	const verdicts = [];
	for (const cell of group.cells) verdicts.push(await cells.judge(cell));
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
for (const group of groups.filter(({ name }) => name.includes(only))) rows.push(await judge(group));
console.log(
	markdownTable([[...columns, 'Cells with failed calls'], ...rows], {
		align: ['left', ...Array<'right'>(6).fill('right')],
	}),
);
