import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { play } from './history.mts';
import { history } from './random-history.mts';

/** HISTORIES plays more of them; see test/seed.mts for others. */
const HISTORIES = Number(process.env.HISTORIES ?? 3_000);

describe('Sync, in random histories', () => {
	it(`every version arrives, and none that was confirmed comes again (${HISTORIES} histories)`, async () => {
		const totals = { arrived: 0, again: 0, overtaken: 0, largestCheckpoint: 0 };
		await fc.assert(
			fc.asyncProperty(history, async (one) => {
				const outcome = await play(one);
				totals.arrived += outcome.arrived;
				totals.again += outcome.again;
				totals.overtaken += outcome.overtaken;
				totals.largestCheckpoint = Math.max(totals.largestCheckpoint, outcome.largestCheckpoint);
			}),
			{ numRuns: HISTORIES },
		);
		// Histories in which nothing happens would prove nothing.
		expect(totals.arrived).toBeGreaterThan(HISTORIES * 10);
		expect(totals.again).toBeGreaterThan(HISTORIES / 10);
		expect(totals.overtaken).toBeGreaterThan(0);
		expect(totals.largestCheckpoint).toBeLessThan(64 * 1_024);
	});
});
