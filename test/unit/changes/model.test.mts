import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { foundHistories } from './found.mts';
import { mayStartUnknown, play } from './history.mts';
import { history } from './random-history.mts';

/** HISTORIES plays more of them; see test/seed.mts for others. */
const HISTORIES = Number(process.env.HISTORIES ?? 3_000);

/** Ten times as long as on a quiet machine. */
const timeout = Math.max(180_000, HISTORIES * 40);

describe('the trigger, in random histories', { timeout }, () => {
	it(`delivers every version once, however it is disturbed (${HISTORIES} histories)`, async () => {
		const totals = {
			polls: 0,
			delivered: 0,
			afterCrash: 0,
			undatedAgain: 0,
			needlesslyUnknown: 0,
			largestState: 0,
		};
		await fc.assert(
			fc.asyncProperty(history, async (one) => {
				const outcome = await play(one);
				totals.polls += outcome.polls;
				totals.delivered += outcome.delivered;
				totals.afterCrash += outcome.afterCrash;
				if (!mayStartUnknown(one)) totals.needlesslyUnknown += outcome.unknownStarts;
				totals.undatedAgain += outcome.undatedAgain;
				totals.largestState = Math.max(totals.largestState, outcome.largestState);
			}),
			{ numRuns: HISTORIES, examples: foundHistories.map((one) => [one]) },
		);
		// Histories in which nothing happens would prove nothing.
		expect(totals.delivered).toBeGreaterThan(HISTORIES * 10);
		expect(totals.afterCrash).toBeGreaterThan(0);
		// Only where all of the newest records share one date.
		expect(totals.needlesslyUnknown).toBeLessThan(HISTORIES / 50);
		expect(totals.undatedAgain).toBeLessThan(totals.delivered / 100);
		expect(totals.largestState).toBeLessThan(64 * 1024);
	});
});
