import { describe, expect, it } from 'vitest';

import { logProgress, progressLine } from '../../../../nodes/WorkspaceData/list/progress.ts';

describe('the progress of a long list', () => {
	it('is told every 30 seconds, and never of a short list', () => {
		let nowMs = 5_000;
		const lines: string[] = [];
		const note = logProgress(
			() => nowMs,
			(line) => void lines.push(line),
		);
		for (let recordsRead = 1_000; recordsRead <= 70_000; recordsRead += 1_000) {
			nowMs += 1_000;
			note({ recordsRead, total: 70_000 });
		}
		expect(lines).toEqual([
			'30,000 of 70,000 records read, 1,000 per second, about 40 seconds left',
			'60,000 of 70,000 records read, 1,000 per second, about 10 seconds left',
		]);
	});

	it.each([
		[{ recordsRead: 500, total: undefined }, 1_000, '500 records read, 500 per second'],
		[{ recordsRead: 500, total: 400 }, 1_000, '500 records read, 500 per second'],
		[{ recordsRead: 0, total: 400 }, 40_000, '0 records read, 0 per second'],
		[
			{ recordsRead: 1_000, total: 1_000_000 },
			10_000,
			'1,000 of 1,000,000 records read, 100 per second, about 167 minutes left',
		],
	])('says what is known: %j after %i ms', (progress, tookMs, line) => {
		expect(progressLine(progress, tookMs)).toBe(line);
	});
});
