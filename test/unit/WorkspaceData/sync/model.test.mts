import { describe, it } from 'vitest';

import { playHistories } from './model.mts';

/** HISTORIES plays more of them; see test/seed.mts for others. */
const HISTORIES = Number(process.env.HISTORIES ?? 300);

/** Ten times as long as on a quiet machine. */
const timeout = Math.max(180_000, HISTORIES * 40);

describe('Sync, in random histories', { timeout }, () => {
	it(`every version arrives, and none that was confirmed comes again (${HISTORIES} histories)`, async () => {
		await playHistories(HISTORIES);
	});
});
