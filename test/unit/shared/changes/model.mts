import { expect } from 'vitest';

import { foundHistories } from './regressions.mts';
import { play } from './history.mts';
import { testHistories } from './play-all.mts';
import { history } from './random-history.mts';

/**
 * Defines a test of the trigger, which plays histories (lists of steps): first all histories that revealed errors, then
 * random histories.
 *
 * @param other number to add to the seed, so that each test plays different histories
 */
export function testTrigger(histories: number, other = 0): void {
	const name =
		'returns every record version once from every checkpoint, despite faults, crashes and changes';
	testHistories(name, histories, {
		...{ history, play, found: foundHistories, other },
		check: (totals, numRuns) => {
			// Require enough events, because histories in which nothing happens would always pass.
			expect(totals.delivered, 'versions given').toBeGreaterThan(numRuns * 10);
			expect(totals.afterCrash, 'versions given after a crash').toBeGreaterThan(0);
			expect(totals.duringStart, 'versions given while a start is under way').toBeGreaterThan(0);
			expect(totals.byDate, 'histories that begin at a date').toBeGreaterThan(0);
			expect(totals.again, 'versions that came again').toBeLessThan(totals.delivered / 100);
			// The error `endlessSearch` is rare, because it occurs only if polls are too short to read the list and
			// cursors expire between polls.
			expect(totals.endless, 'polls without an end').toBeLessThan(totals.polls / 100);
			expect(totals.largestState, 'characters of a state').toBeLessThan(64 * 1024);
		},
	});
}
