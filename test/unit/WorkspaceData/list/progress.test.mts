import { describe, expect, it } from 'vitest';

import {
	exportSummary,
	logProgress,
	progressLine,
} from '../../../../nodes/WorkspaceData/list/progress.ts';

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
			'30,000 of 70,000 records read, 1,000 per second, about 40 s left',
			'60,000 of 70,000 records read, 1,000 per second, about 10 s left',
		]);
	});

	it.each([
		[{ recordsRead: 500, total: undefined }, 1_000, '500 records read, 500 per second'],
		[{ recordsRead: 500, total: 400 }, 1_000, '500 records read, 500 per second'],
		[{ recordsRead: 0, total: 400 }, 40_000, '0 records read, 0 per second'],
		[
			{ recordsRead: 1_000, total: 1_000_000 },
			10_000,
			'1,000 of 1,000,000 records read, 100 per second, about 167 min left',
		],
	])('says what is known: %j after %i ms', (progress, tookMs, line) => {
		expect(progressLine(progress, tookMs)).toBe(line);
	});
});

describe('what an export came to', () => {
	it.each([
		[20_000, 1, 42_400, '20,000 company records in 1 file, 42 s'],
		[1_000_000, 20, 1_200_000, '1,000,000 company records in 20 files, 20 min'],
		[0, 1, 5_000, '0 company records in 1 file, 5 s'],
		[20_000, 1, 4_999, undefined],
	])('%i records in %i files after %i ms', (records, files, tookMs, text) => {
		expect(exportSummary({ what: 'company', records, files }, tookMs)).toBe(text);
	});
});
