import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Turns } from '../../../nodes/client/turns.ts';

describe('Requests per Minute', () => {
	it('lets no more requests of a key start in any minute than the user allows, and holds up nobody who has a smaller number', () => {
		const step = fc.record({
			afterMs: fc.constantFrom(0, 1, 20, 999, 20_000, 60_000),
			key: fc.constantFrom('a', 'b', 'c'),
			most: fc.constantFrom(1, 2, 5, 9, Infinity),
		});
		const steps = fc.array(step, { maxLength: 60 });
		fc.assert(
			fc.property(steps, (given) => {
				const turns = new Turns();
				const started: Array<{ key: string; most: number; atMs: number }> = [];
				let nowMs = 0;
				for (const { afterMs, key, most } of given) {
					nowMs += afterMs;
					// Whoever may start more than that, or as many as there are, does not count.
					const starts = started.filter((one) => one.key === key && one.most <= most);
					const inMs = turns.waitMs(key, most, nowMs);
					expect(inMs, 'ms').toBeLessThan(61_000);
					if (starts.length < most) expect(inMs).toBe(0);
					nowMs += inMs;
					turns.take(key, most, nowMs);
					expect(nowMs - (starts.at(-most)?.atMs ?? -Infinity)).toBeGreaterThanOrEqual(60_000);
					started.push({ key, most, atMs: nowMs });
				}
			}),
		);
	});

	it('keeps nothing of keys that have been silent for a minute, however many a process has seen', () => {
		const turns = new Turns();
		for (let index = 0; index < 1_000; index++) turns.take(`key ${index}`, 9, index * 1_000);
		expect(
			JSON.stringify([...Object.values(turns)].map((map: Map<string, object[]>) => map.size)),
		).toBe('[61]');
	});
});
