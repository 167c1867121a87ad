/**
 * How well the rate limiter finds and keeps an unknown rate limit, in simulated time (`npm run bench:pace`). Prints every cell that
 * misses the target, and exits 1 where more of them do than is promised.
 */
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { markdownTable } from 'markdown-table';
import type { Cell } from './rate-limiter-cells.mts';
import { median } from './statistics.mts';

const workflow = pathToFileURL(createRequire(import.meta.url).resolve('n8n-workflow')).href;
// The package's own files name each other without an ending, and so does what n8n-workflow has for imports.
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

/** Cells that belong together. */
interface Group {
	name: string;
	cells: Cell[];
	/** So many verdicts must meet the target. */
	least: number;
}

const groups: Group[] = [
	{ name: 'the limit can be reached', cells: limited.filter(canReach), least: 255 },
	{
		name: 'too few at once for the limit',
		cells: limited.filter((cell) => !canReach(cell)),
		least: 84,
	},
	{ name: 'no limit', cells: cells.unlimited, least: cells.unlimited.length },
	{ name: 'the limit rises', cells: cells.rising, least: cells.rising.length },
	{ name: 'refused for a while, never again', cells: cells.outages, least: 144 },
	{ name: 'used up before the run begins', cells: cells.usedUp.filter(canReach), least: 64 },
	{ name: 'bucket without burst, uneven answers', cells: cells.uneven.filter(canReach), least: 82 },
	...[
		{ chance: 0.02, least: 6 },
		{ chance: 0.05, least: 6 },
		{ chance: 0.1, least: 6 },
		{ chance: 0.2, least: 0 },
	].map(({ chance, least }) => ({
		name: `${100 * chance} % refused at random`,
		cells: cells.byChance.filter((cell) => cell.chance === chance),
		least,
	})),
	{ name: 'one call always refused', cells: cells.oneRefused, least: 5 },
	{ name: 'throttled quicker than the work', cells: cells.slowWork, least: 2 },
	{ name: 'a penalty after a throttled request', cells: cells.penalties, least: 4 },
	{ name: 'two programs that share a limit', cells: cells.shared, least: 12 },
];

/** Judges the cells of a group and prints those that miss the target. Exits 1 where too few meet it. */
async function judge({ name, cells: ofGroup, least }: Group): Promise<string[]> {
	const verdicts = [];
	for (const cell of ofGroup) verdicts.push(await cells.judge(cell));
	const missed = verdicts.filter(({ passes }) => !passes);
	for (const { cell, ...found } of missed) console.log(JSON.stringify({ ...cell, ...found }));
	const met = verdicts.length - missed.length;
	if (met < least) process.exitCode = 1;
	const reached = verdicts.map((verdict) => verdict.reached);
	const refused = verdicts.map((verdict) => verdict.refused);
	return [
		name,
		`${met} of ${verdicts.length}`,
		percent(median(reached)),
		percent(Math.min(...reached)),
		percent(median(refused)),
		percent(Math.max(...refused)),
		String(verdicts.filter(({ succeeded }) => !succeeded).length),
	];
}

const columns = ['Cells', 'Target met', 'Reached, median', 'worst', 'Refused, median', 'worst'];
const rows = [];
const [only = ''] = process.argv.slice(2);
for (const group of groups.filter(({ name }) => name.includes(only))) rows.push(await judge(group));
console.log(
	markdownTable([[...columns, 'Cells with failed calls'], ...rows], {
		align: ['left', ...Array<'right'>(6).fill('right')],
	}),
);
