import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Turns } from '../../../nodes/client/turns.ts';

describe('Requests per Minute', () => {
	it('lets no more requests of a key start in any minute than the user allows, and holds up no other key', () => {
		const step = fc.record({
			afterMs: fc.constantFrom(0, 1, 20, 999, 20_000, 60_000),
			key: fc.constantFrom('a', 'b', 'c'),
		});
		const steps = fc.array(step, { maxLength: 60 });
		fc.assert(
			fc.property(steps, fc.integer({ min: 1, max: 9 }), (given, most) => {
				const turns = new Turns();
				const startsOf: Record<string, number[]> = { a: [], b: [], c: [] };
				let nowMs = 0;
				for (const { afterMs, key } of given) {
					nowMs += afterMs;
					const starts = startsOf[key];
					const inMs = turns.inMs(key, most, nowMs);
					expect(inMs, 'ms').toBeLessThan(61_000);
					if (starts.length < most) expect(inMs).toBe(0);
					nowMs += inMs;
					turns.take(key, nowMs);
					expect(nowMs - (starts.at(-most) ?? -Infinity)).toBeGreaterThanOrEqual(60_000);
					starts.push(nowMs);
				}
			}),
		);
	});

	it('keeps nothing of keys that have been silent for a minute, however many a process has seen', () => {
		const turns = new Turns();
		for (let index = 0; index < 1_000; index++) turns.take(`key ${index}`, index * 1_000);
		expect(
			JSON.stringify([...Object.values(turns)].map((map: Map<string, number[]>) => map.size)),
		).toBe('[61]');
	});
});
