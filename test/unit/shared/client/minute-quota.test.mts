import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { MinuteQuota } from '../../../../nodes/shared/client/minute-quota.ts';

describe('Requests per Minute', () => {
	it('spaces requests of an API key evenly, ignoring requests of executions with a higher Requests per Minute', () => {
		const step = fc.record({
			afterMs: fc.constantFrom(0, 1, 20, 999, 20_000, 60_000),
			key: fc.constantFrom('a', 'b', 'c'),
			perMinute: fc.constantFrom(1, 2, 5, 9, Infinity),
		});
		const steps = fc.array(step, { maxLength: 60 });
		fc.assert(
			fc.property(steps, (drawnSteps) => {
				const quota = new MinuteQuota();
				const started: Array<{ key: string; perMinute: number; atMs: number }> = [];
				let nowMs = 0;
				for (const { afterMs, key, perMinute } of drawnSteps) {
					nowMs += afterMs;
					const counted = started.filter(
						(start) => start.key === key && start.perMinute <= perMinute,
					);
					const sinceMs = nowMs - (counted.at(-1)?.atMs ?? -Infinity);
					const gapMs = 60_000 / perMinute;
					const waitMs = quota.waitMs(key, perMinute, nowMs);
					expect(sinceMs + waitMs, 'ms between two starts').toBeGreaterThanOrEqual(gapMs);
					expect(waitMs, 'ms').toBeLessThanOrEqual(Math.max(0, gapMs - sinceMs) + 101);
					nowMs += waitMs;
					quota.take(key, perMinute, nowMs);
					started.push({ key, perMinute, atMs: nowMs });
				}
			}),
		);
	});

	it('forgets API keys that were not used for a minute', () => {
		const quota = new MinuteQuota();
		for (let index = 0; index < 1_000; index++) quota.take(`key ${index}`, 9, index * 1_000);
		const sizes = [...Object.values(quota)].map((map: Map<string, object>) => map.size);
		expect(sizes).toEqual([61]);
	});
});
