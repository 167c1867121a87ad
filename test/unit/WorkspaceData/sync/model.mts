import fc from 'fast-check';
import { expect } from 'vitest';

import { play } from './history.mts';
import { history } from './random-history.mts';

/** Plays so many random histories. Throws with what is wrong in one. */
export async function playHistories(histories: number): Promise<void> {
	const totals = { arrived: 0, again: 0, overtaken: 0, largestCheckpoint: 0 };
	await fc.assert(
		fc.asyncProperty(history, async (one) => {
			const outcome = await play(one);
			totals.arrived += outcome.arrived;
			totals.again += outcome.again;
			totals.overtaken += outcome.overtaken;
			totals.largestCheckpoint = Math.max(totals.largestCheckpoint, outcome.largestCheckpoint);
		}),
		{ numRuns: histories },
	);
	// Histories in which nothing happens would prove nothing.
	expect(totals.arrived).toBeGreaterThan(histories * 10);
	expect(totals.again).toBeGreaterThan(histories / 10);
	expect(totals.overtaken).toBeGreaterThan(0);
	expect(totals.largestCheckpoint).toBeLessThan(64 * 1_024);
}
