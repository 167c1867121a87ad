/**
 * How well the pace finds and keeps an unknown rate limit, in simulated time (`npm run bench:pace`).
 *
 *   npm run bench:pace -- [--pace FILE] [--failing]
 *
 *   --pace FILE  judge the class Pace of this file (nodes/client/pace.ts)
 *   --failing    print only the cells that miss the target
 *
 * Exits 1 when a cell misses the target.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { markdownTable } from 'markdown-table';
import { canReach, judge, limited, rising, unlimited, type Verdict } from './pace-cells.mts';
import type { JudgedPace } from './pace-simulation.mts';
import { median } from './statistics.mts';

const { values } = parseArgs({
	options: {
		pace: { type: 'string', default: 'nodes/client/pace.ts' },
		failing: { type: 'boolean', default: false },
	},
});

const { Pace } = (await import(pathToFileURL(resolve(values.pace)).href)) as {
	Pace: new (maxConcurrent: number) => JudgedPace;
};

const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;

function rowOf({ cell, reached, refused, succeeded, longestMs, passes }: Verdict): string[] {
	const { algorithm = 'none', limit, rises, retryAfter, latencyMs, maxConcurrent } = cell;
	const per = limit?.windowMs === 1_000 ? 'per s' : 'per min';
	return [
		algorithm,
		limit === undefined ? '–' : `${limit.requests} ${per}${rises ? `, then × ${rises}` : ''}`,
		limit === undefined ? '–' : retryAfter ? 'yes' : 'no',
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

const parts = { limited: judged(limited), unlimited: judged(unlimited), rising: judged(rising) };
const all = [...parts.limited, ...parts.unlimited, ...parts.rising];
const shown = values.failing ? all.filter(({ passes }) => !passes) : all;
const align = header.map((_, column) => (column < 3 ? 'left' : 'right'));
console.log(markdownTable([header, ...shown.map(rowOf)], { align }));
console.log();
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
			summaryOf(
				'the limit can be reached',
				parts.limited.filter(({ cell }) => canReach(cell)),
			),
			summaryOf(
				'too few at once for the limit',
				parts.limited.filter(({ cell }) => !canReach(cell)),
			),
			summaryOf('no limit', parts.unlimited),
			summaryOf('the limit rises', parts.rising),
		],
		{ align: ['left', ...Array.from({ length: 6 }, () => 'right' as const)] },
	),
);
process.exitCode = all.every(({ passes }) => passes) ? 0 : 1;
