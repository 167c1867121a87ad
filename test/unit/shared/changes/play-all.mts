import fc from 'fast-check';
import { expect, it } from 'vitest';

import { seed } from '../../../seed.mts';
import type { Accepted } from './player.mts';

/** Histories, and what they have to come to. */
interface Played<History, Outcome> {
	history: fc.Arbitrary<History>;
	/** Throws with what is wrong. */
	play: (one: History) => Promise<Outcome & Accepted>;
	/** Judges the sums of what they came to; of what begins with "largest", the largest. */
	check: (totals: Outcome, numRuns: number) => void;
	/** Histories to begin with. */
	found?: readonly History[];
	/** Tells these histories from those of other numbers. */
	other?: number;
}

/** A test that plays random histories. HISTORIES plays more of them; see test/seed.mts for others. */
export function testHistories<History, Outcome extends { [Name in keyof Outcome]: number }>(
	name: string,
	histories: number,
	{ history, play, check, found = [], other = 0 }: Played<History, Outcome>,
): void {
	const numRuns = Number(process.env.HISTORIES ?? histories);
	// Ten times as long as on a quiet machine.
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
		// States with nothing behind them would prove nothing.
		expect(totals.olderStates, 'older states gone on from').toBeGreaterThan(numRuns * 3);
		expect(totals.newer, 'newer versions').toBeGreaterThan(numRuns * 50);
	});
}
