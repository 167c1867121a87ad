import fc from 'fast-check';
import { expect } from 'vitest';

import { seed } from '../../seed.mts';
import { foundHistories } from './found.mts';
import { play } from './history.mts';
import { history } from './random-history.mts';

/**
 * Plays so many random histories, and those that once showed a mistake. Throws with what is wrong in one, and its seed.
 *
 * @param other tells these histories from those of other numbers
 */
export async function playHistories(histories: number, other = 0): Promise<void> {
	const totals = {
		polls: 0,
		delivered: 0,
		afterCrash: 0,
		again: 0,
		endless: 0,
		largestState: 0,
	};
	await fc.assert(
		fc.asyncProperty(history, async (one) => {
			const outcome = await play(one);
			totals.polls += outcome.polls;
			totals.delivered += outcome.delivered;
			totals.afterCrash += outcome.afterCrash;
			totals.again += outcome.again;
			totals.endless += outcome.endless;
			totals.largestState = Math.max(totals.largestState, outcome.largestState);
		}),
		{ seed: seed + other, numRuns: histories, examples: foundHistories.map((one) => [one]) },
	);
	// Histories in which nothing happens would prove nothing.
	expect(totals.delivered).toBeGreaterThan(histories * 10);
	expect(totals.afterCrash).toBeGreaterThan(0);
	expect(totals.again).toBeLessThan(totals.delivered / 100);
	// Only where a poll is shorter than the list and its cursors die.
	expect(totals.endless).toBeLessThan(totals.polls / 100);
	expect(totals.largestState).toBeLessThan(64 * 1024);
}
