import fc from 'fast-check';
import { expect } from 'vitest';

import type { Accepted } from './acceptance.mts';

/**
 * Plays random histories. Throws with what is wrong in one, and its seed.
 *
 * @returns the sums of what they came to; of what begins with "largest", the largest
 */
export async function playAll<History, Outcome extends { [Name in keyof Outcome]: number }>(
	history: fc.Arbitrary<History>,
	play: (one: History) => Promise<Outcome>,
	{ found = [], ...more }: { numRuns: number; seed?: number; found?: readonly History[] },
): Promise<Record<keyof Outcome, number>> {
	const totals: Record<string, number> = {};
	const playing = fc.asyncProperty(history, async (one) => {
		for (const [name, count] of Object.entries<number>(await play(one))) {
			const before = totals[name] ?? 0;
			totals[name] = name.startsWith('largest') ? Math.max(before, count) : before + count;
		}
	});
	await fc.assert(playing, { ...more, examples: found.map((one) => [one]) });
	return totals as Record<keyof Outcome, number>;
}

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
	const numRuns = Number(process.env.HISTORIES ?? count);
	const { olderStates, newer } = await playAll(history, play, { numRuns, found });
	// States with nothing behind them would prove nothing.
	expect(olderStates).toBeGreaterThan(numRuns * 3);
	expect(newer).toBeGreaterThan(numRuns * 50);
}
