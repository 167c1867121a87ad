import fc from 'fast-check';
import { expect, it } from 'vitest';

import { seed } from '../../../seed.mts';
import type { Accepted } from './player.mts';

/** Random histories (lists of steps), how to play them, and what to check at the end. */
interface Played<History, Outcome> {
	history: fc.Arbitrary<History>;
	/** Plays a history and returns its counts. Throws an error that describes what is wrong. */
	play: (one: History) => Promise<Outcome & Accepted>;
	/**
	 * Checks the sum of each count over all histories. For a count whose name begins with "largest", checks the maximum
	 * instead.
	 */
	check: (totals: Outcome, numRuns: number) => void;
	/** Histories to play first, because they revealed errors before. */
	found?: readonly History[];
	/** Number to add to the seed, so that each test plays different histories. */
	other?: number;
}

/** Defines a test that plays random histories. The environment variable HISTORIES overrides their number. */
export function testHistories<History, Outcome extends { [Name in keyof Outcome]: number }>(
	name: string,
	histories: number,
	{ history, play, check, found = [], other = 0 }: Played<History, Outcome>,
): void {
	const numRuns = Number(process.env.HISTORIES ?? histories);
	// The timeout is ten times the duration on an idle machine.
	const timeout = Math.max(180_000, numRuns * 600);
	it(`${name} (${numRuns} random histories)`, { timeout }, async () => {
		const totals: Record<string, number> = {};
		const playing = fc.asyncProperty(history, async (one) => {
			for (const [sum, count] of Object.entries<number>(await play(one))) {
				const before = totals[sum] ?? 0;
				totals[sum] = sum.startsWith('largest') ? Math.max(before, count) : before + count;
			}
		});
		const examples = found.map((one): [History] => [one]);
		await fc.assert(playing, { numRuns, seed: seed + other, examples });
		check(totals as Outcome, numRuns);
		// Require enough checkpoints from which newer versions were returned, because resuming from the other
		// checkpoints proves nothing.
		expect(totals.olderStates, 'older states gone on from').toBeGreaterThan(numRuns * 3);
		expect(totals.newer, 'newer versions').toBeGreaterThan(numRuns * 50);
	});
}
