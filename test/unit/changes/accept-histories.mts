import fc from 'fast-check';
import { expect } from 'vitest';

import type { Accepted } from './acceptance.mts';

/**
 * Plays random histories and goes on from every state that they have remembered.
 *
 * @param count how many; HISTORIES plays more of them
 * @param found histories to begin with
 * @throws Error of fast-check, with the history that fails
 */
export async function acceptHistories<History>(
	history: fc.Arbitrary<History>,
	play: (one: History) => Promise<Accepted>,
	count: number,
	found: readonly History[] = [],
): Promise<void> {
	const totals: Accepted = { states: 0, newer: 0, olderStates: 0 };
	const numRuns = Number(process.env.HISTORIES ?? count);
	await fc.assert(
		fc.asyncProperty(history, async (one) => {
			const accepted = await play(one);
			totals.states += accepted.states;
			totals.newer += accepted.newer;
			totals.olderStates += accepted.olderStates;
		}),
		{ numRuns, examples: found.map((one) => [one]) },
	);
	// States with nothing behind them would prove nothing.
	expect(totals.olderStates).toBeGreaterThan(numRuns * 3);
	expect(totals.newer).toBeGreaterThan(numRuns * 50);
}
