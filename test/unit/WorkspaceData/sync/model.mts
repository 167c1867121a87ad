import { expect } from 'vitest';

import { testHistories } from '../../shared/changes/play-all.mts';
import { foundHistories } from './found.mts';
import { play } from './history.mts';
import { history } from './random-history.mts';

/** Defines a test that plays this number of random histories (sequences of changes and runs) of Sync. */
export function testSync(histories: number): void {
	const name =
		'returns every version of a record from Sync, but no version that the checkpoint already includes';
	testHistories(name, histories, {
		...{ history, play, found: foundHistories },
		check: (totals, numRuns) => {
			// Check that enough happened, because histories without changes and failures prove nothing.
			expect(totals.arrived, 'versions that arrived').toBeGreaterThan(numRuns * 10);
			expect(totals.again, 'versions that came again').toBeGreaterThan(numRuns / 10);
			expect(totals.notConfirmed, 'runs that another was before').toBeGreaterThan(0);
			expect(totals.unstored, 'runs of which a file was not stored').toBeGreaterThan(0);
			expect(totals.largestCheckpoint, 'characters of a checkpoint').toBeLessThan(64 * 1_024);
		},
	});
}
