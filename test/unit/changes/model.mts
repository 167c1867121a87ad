import { expect } from 'vitest';

import { foundHistories } from './found.mts';
import { play } from './history.mts';
import { testHistories } from './play-all.mts';
import { history } from './random-history.mts';

/**
 * A test that plays random histories, and those that once showed a mistake.
 *
 * @param other tells these histories from those of other numbers
 */
export function testTrigger(histories: number, other = 0): void {
	const name =
		'the trigger delivers every version once, however disturbed, from every state that it had';
	testHistories(name, histories, {
		...{ history, play, found: foundHistories, other },
		check: (totals, numRuns) => {
			// Histories in which nothing happens would prove nothing.
			expect(totals.delivered).toBeGreaterThan(numRuns * 10);
			expect(totals.afterCrash).toBeGreaterThan(0);
			expect(totals.byDate).toBeGreaterThan(0);
			expect(totals.again).toBeLessThan(totals.delivered / 100);
			// Only where a poll is shorter than the list and its cursors die.
			expect(totals.endless).toBeLessThan(totals.polls / 100);
			expect(totals.largestState).toBeLessThan(64 * 1024);
		},
	});
}
