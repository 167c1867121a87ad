import { expect } from 'vitest';

import { testHistories } from '../../shared/changes/play-all.mts';
import { foundHistories } from './found.mts';
import { play } from './history.mts';
import { history } from './random-history.mts';

/** Defines a test that plays random histories of Sync. */
export function testSync(histories: number): void {
	const name =
		'in Sync every version arrives, and none comes again after any checkpoint that has it';
	testHistories(name, histories, {
		...{ history, play, found: foundHistories },
		check: (totals, numRuns) => {
			// Histories in which nothing happens would prove nothing.
			expect(totals.arrived, 'versions that arrived').toBeGreaterThan(numRuns * 10);
			expect(totals.again, 'versions that came again').toBeGreaterThan(numRuns / 10);
			expect(totals.notConfirmed, 'runs that another was before').toBeGreaterThan(0);
			expect(totals.unstored, 'runs of which a file was not stored').toBeGreaterThan(0);
			expect(totals.largestCheckpoint, 'characters of a checkpoint').toBeLessThan(64 * 1_024);
		},
	});
}
