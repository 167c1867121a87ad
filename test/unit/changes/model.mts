import { expect } from 'vitest';

import { seed } from '../../seed.mts';
import { foundHistories } from './found.mts';
import { play } from './history.mts';
import { playAll, testHistories } from './play-all.mts';
import { history } from './random-history.mts';

/**
 * A test that plays random histories, and those that once showed a mistake.
 *
 * @param other tells these histories from those of other numbers
 */
export function testTrigger(histories: number, other = 0): void {
	const name = 'the trigger delivers every version once, however it is disturbed';
	testHistories(name, histories, async (numRuns) => {
		const settings = { seed: seed + other, numRuns, found: foundHistories };
		const totals = await playAll(history, play, settings);
		// Histories in which nothing happens would prove nothing.
		expect(totals.delivered).toBeGreaterThan(numRuns * 10);
		expect(totals.afterCrash).toBeGreaterThan(0);
		expect(totals.byDate).toBeGreaterThan(0);
		expect(totals.again).toBeLessThan(totals.delivered / 100);
		// Only where a poll is shorter than the list and its cursors die.
		expect(totals.endless).toBeLessThan(totals.polls / 100);
		expect(totals.largestState).toBeLessThan(64 * 1024);
	});
}
