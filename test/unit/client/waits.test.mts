import { describe, expect, it } from 'vitest';

import { Waits } from '../../../nodes/client/waits.ts';

describe('Retry For counts waits', () => {
	it('one by one, whatever goes by between them', () => {
		const waits = new Waits();
		waits.add(0, 1_000, false);
		waits.add(50_000, 2_000, false);
		expect(waits.leftMs(60_000, 5_000, false)).toBe(2_000);
	});

	it('once where they are at the same time', () => {
		const waits = new Waits();
		for (const [atMs, ms] of [
			[0, 1_000],
			[100, 500],
			[600, 1_000],
		])
			waits.add(atMs, ms, false);
		expect(waits.leftMs(9_000, 5_000, false)).toBe(4_000);
	});

	it('so that all of it may be one wait, of which others learn while it is under way', () => {
		const waits = new Waits();
		expect(waits.leftMs(0, 4_000, false)).toBe(4_000);
		waits.add(0.5, 4_000, false);
		expect(waits.leftMs(1, 4_000, false)).toBe(4_000);
		expect(waits.leftMs(4_001, 4_000, false)).toBe(0);
		expect([waits.isLongerThan(4_000), waits.isLongerThan(3_999)]).toEqual([false, true]);
	});

	it('anew once something was accepted', () => {
		const waits = new Waits();
		waits.add(0, 4_000, true);
		waits.clear();
		expect(waits.leftMs(1_000, 4_000, true)).toBe(4_000);
	});

	it('for a minute at most without a connection, and anew once there was one', () => {
		const waits = new Waits();
		waits.add(0, 100_000, false);
		waits.add(100_000, 45_000, true);
		expect(waits.leftMs(145_000, 300_000, true)).toBe(15_000);
		expect(waits.leftMs(145_000, 150_000, true)).toBe(5_000);
		waits.add(145_000, 10_000, false);
		expect(waits.leftMs(155_000, 300_000, true)).toBe(60_000);
	});
});
