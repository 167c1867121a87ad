/**
 * How well the pace finds and keeps an unknown rate limit, in simulated time (`npm run bench:pace`).
 *
 *   npm run bench:pace -- [--pace FILE]
 *
 *   --pace FILE  judge the class Pace of this file (nodes/client/pace.ts)
 *
 * Writes every cell into pace.csv beside this file. Exits 1 when a cell misses the target.
 */
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { markdownTable } from 'markdown-table';
import {
	announced,
	canReach,
	contradicting,
	hasNoneLeft,
	judge,
	limited,
	rising,
	unlimited,
	type Cell,
	type Verdict,
} from './pace-cells.mts';
import type { JudgedPace } from './pace-simulation.mts';
import { median } from './statistics.mts';

// The package's own files name each other without an ending.
registerHooks({
	resolve: (name, context, next) =>
		next(/^\.{1,2}\/[^.]*$/.test(name) ? `${name}.ts` : name, context),
});

const { values } = parseArgs({
	options: {
		pace: { type: 'string', default: 'nodes/client/pace.ts' },
	},
});

const { Pace } = (await import(pathToFileURL(resolve(values.pace)).href)) as {
	Pace: new (maxConcurrent: number) => JudgedPace;
};

const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;

function rowOf({ cell, reached, refused, succeeded, longestMs, passes }: Verdict): string[] {
	const {
		algorithm = 'none',
		limit,
		rises,
		retryAfter,
		announces,
		says,
		latencyMs,
		maxConcurrent,
	} = cell;
	const per = limit?.windowMs === 1_000 ? 'per s' : 'per min';
	return [
		algorithm,
		limit === undefined ? '–' : `${limit.requests} ${per}${rises ? `, then × ${rises}` : ''}`,
		limit === undefined ? '–' : retryAfter ? 'yes' : 'no',
		announces ?? says ?? '–',
		`${latencyMs} ms`,
		String(maxConcurrent),
		percent(reached),
		percent(refused),
		succeeded ? 'all' : 'not all',
		`${(longestMs / 1_000).toFixed(1)} s`,
		passes ? 'yes' : 'no',
	];
}

const header = [
	'Limiter',
	'Allowed',
	'Retry-After',
	'Announced',
	'Latency',
	'At once',
	'Reached',
	'Refused',
	'Succeeded',
	'Longest call',
	'Target met',
];

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

const judged = (cells: typeof limited): Verdict[] =>
	cells.map((cell) => judge(cell, (maxConcurrent) => new Pace(maxConcurrent)));

const parts = {
	limited: judged(limited),
	unlimited: judged(unlimited),
	rising: judged(rising),
	announced: judged(announced),
	contradicting: judged(contradicting),
};
const all = Object.values(parts).flat();
const rows = all.map(rowOf);
const csv = [header, ...rows].map((row) => row.map((value) => value.replace(',', ';')).join(','));
writeFileSync(new URL('pace.csv', import.meta.url), `${csv.join('\n')}\n`);
/** Cells of one kind that belong together, by name. */
const groups: Array<[string, Verdict[], (cell: Cell) => boolean]> = [
	['the limit can be reached', parts.limited, canReach],
	['too few at once for the limit', parts.limited, (cell) => !canReach(cell)],
	['no limit', parts.unlimited, () => true],
	['the limit rises', parts.rising, () => true],
	['announced, can be reached', parts.announced, (cell) => canReach(cell) && !hasNoneLeft(cell)],
	['announced, too few at once', parts.announced, (cell) => !canReach(cell)],
	['announced, with 0 left always', parts.announced, (cell) => canReach(cell) && hasNoneLeft(cell)],
	['headers without a limit', parts.contradicting, () => true],
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
process.exitCode = all.every(({ passes }) => passes) ? 0 : 1;
