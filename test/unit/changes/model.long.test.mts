import { describe, it } from 'vitest';

import { playHistories } from './model.mts';

/** HISTORIES plays more of them; see test/seed.mts for others. */
const HISTORIES = Number(process.env.HISTORIES ?? 10_000);

/** Ten times as long as on a quiet machine. */
const timeout = Math.max(180_000, HISTORIES * 40);

describe('the trigger, in random histories', { timeout }, () => {
	it(`delivers every version once, however it is disturbed (${HISTORIES} histories)`, async () => {
		await playHistories(HISTORIES, 1);
	});
});
