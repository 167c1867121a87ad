import { expect, it } from 'vitest';

import { seed } from '../../../seed.mts';
import { playAll } from '../../changes/play-all.mts';
import { play } from './history.mts';
import { history } from './random-history.mts';

/** A test that plays random histories. HISTORIES plays more of them; see test/seed.mts for others. */
export function testSync(histories: number): void {
	const numRuns = Number(process.env.HISTORIES ?? histories);
	// Ten times as long as on a quiet machine.
	const timeout = Math.max(180_000, numRuns * 100);
	it(
		`in Sync every version arrives, and none that was confirmed comes again (${numRuns} random histories)`,
		{ timeout },
		async () => {
			const totals = await playAll(history, play, { seed, numRuns });
			// Histories in which nothing happens would prove nothing.
			expect(totals.arrived).toBeGreaterThan(numRuns * 10);
			expect(totals.again).toBeGreaterThan(numRuns / 10);
			expect(totals.overtaken).toBeGreaterThan(0);
			expect(totals.largestCheckpoint).toBeLessThan(64 * 1_024);
		},
	);
}
