import fc from 'fast-check';
import { expect, it } from 'vitest';

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

/** Plays random histories. HISTORIES plays more of them; see test/seed.mts for others. */
export function testHistories(name: string, histories: number, test: TestOfMany): void {
	const numRuns = Number(process.env.HISTORIES ?? histories);
	// Ten times as long as on a quiet machine.
	const timeout = Math.max(180_000, numRuns * 300);
	it(`${name} (${numRuns} random histories)`, { timeout }, async () => await test(numRuns));
}

type TestOfMany = (numRuns: number) => Promise<void>;

/**
 * A test that goes on from every state that random histories have remembered.
 *
 * @param found histories to begin with
 */
export function testAcceptance<History>(
	who: string,
	history: fc.Arbitrary<History>,
	play: (one: History) => Promise<Accepted>,
	histories: number,
	found: readonly History[] = [],
): void {
	const name = `${who} gives all that is newer from every state that it has ever remembered`;
	testHistories(name, histories, async (numRuns) => {
		const { olderStates, newer } = await playAll(history, play, { numRuns, found });
		// States with nothing behind them would prove nothing.
		expect(olderStates).toBeGreaterThan(numRuns * 3);
		expect(newer).toBeGreaterThan(numRuns * 50);
	});
}
