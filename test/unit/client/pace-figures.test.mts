import { expect, test } from 'vitest';
import { Pace } from '../../../nodes/client/pace.ts';
import { announced, contradicting, judge, limited, rising } from '../../bench/pace-cells.mts';

/** Of every so many cells one: how much of the rate it reached, how much was refused, and the longest wait in ms. */
const figures = [
	[rising, 6, `0.6160 0.0023 2272`],
	[
		contradicting,
		6,
		`0.8474 0.0000 521 | 0.9799 0.0000 112 | 0.3303 0.0000 60298 | 0.9799 0.0000 112 | 0.9799 0.0000 112`,
	],
	[
		limited,
		37,
		`0.8725 0.0180 4361 | 0.9289 0.0054 1942 | 0.9049 0.0025 2156 | 0.9193 0.0291 3624 | 0.9980 0.0000 551
		0.9900 0.0000 552 | 1.1456 0.0812 61908 | 0.9054 0.0033 1223 | 0.9304 0.0023 3162 | 0.9800 0.0566 78194`,
	],
	[
		announced,
		83,
		`0.9448 0.0083 3167 | 1.0000 0.0000 112 | 0.9726 0.0000 5152 | 1.1907 0.0000 60312 | 0.9719 0.0000 42
		0.9726 0.0000 59 | 1.0835 0.0000 181841`,
	],
] as const;

test.each(
	figures.flatMap(([cells, nth, found]) =>
		found.split(/ \| |\n\s*/).map((figure, place) => [cells[5 + place * nth], figure] as const),
	),
)(
	'the pace is that of the figures in docs/maintainers/pace.md: a new run of them, or the old pace (%#)',
	(cell, figure) => {
		const { reached, refused, longestMs } = judge(cell, (most) => new Pace(most));
		expect(`${reached.toFixed(4)} ${refused.toFixed(4)} ${Math.round(longestMs)}`).toBe(figure);
	},
);
