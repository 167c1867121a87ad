import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Pace } from '../../nodes/shared/pace.ts';

describe('Pace', () => {
	it('lets requests start at once until somebody asks for a pause', () => {
		expect(new Pace().waitMs(1_000)).toBe(0);
	});

	it('makes every request wait for the rest of the pause', () => {
		const pace = new Pace();
		pace.pauseUntil(5_000);
		expect(pace.waitMs(1_000)).toBe(4_000);
		expect(pace.waitMs(4_999)).toBe(1);
		expect(pace.waitMs(5_000)).toBe(0);
		expect(pace.waitMs(9_000)).toBe(0);
	});

	it('never shortens a pause, and never gives a negative wait', () => {
		fc.assert(
			fc.property(fc.array(fc.nat(1_000_000)), fc.nat(1_000_000), (pauses, now) => {
				const pace = new Pace();
				for (const until of pauses) pace.pauseUntil(until);
				expect(pace.waitMs(now)).toBe(Math.max(0, Math.max(0, ...pauses) - now));
			}),
		);
	});
});
