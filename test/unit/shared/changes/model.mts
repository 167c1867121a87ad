import { expect } from 'vitest';

import { foundHistories } from './regressions.mts';
import { play } from './history.mts';
import { testHistories } from './play-all.mts';
import { history } from './random-history.mts';

/**
 * Defines a test that plays random histories, after all histories that failed once.
 *
 * @param other number to add to the seed, so that each test plays different histories
 */
export function testTrigger(histories: number, other = 0): void {
	const name =
		'the trigger delivers every version once, however disturbed, from every state that it had';
	testHistories(name, histories, {
		...{ history, play, found: foundHistories, other },
		check: (totals, numRuns) => {
			// Histories in which nothing happens would prove nothing.
			expect(totals.delivered, 'versions given').toBeGreaterThan(numRuns * 10);
			expect(totals.afterCrash, 'versions given after a crash').toBeGreaterThan(0);
			expect(totals.duringStart, 'versions given while a start is under way').toBeGreaterThan(0);
			expect(totals.byDate, 'histories that begin at a date').toBeGreaterThan(0);
			expect(totals.again, 'versions that came again').toBeLessThan(totals.delivered / 100);
			// A search is endless only if a poll is shorter than the list and its cursors expire.
			expect(totals.endless, 'polls without an end').toBeLessThan(totals.polls / 100);
			expect(totals.largestState, 'characters of a state').toBeLessThan(64 * 1024);
		},
	});
}
