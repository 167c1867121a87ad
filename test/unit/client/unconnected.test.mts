import { expect, it } from 'vitest';

import { answer, bench, ENRICH, failureOf, LIMITS, lost } from './request-bench.mts';

it('a connection that cannot be made is an error after a minute, whatever else was waited for before', async () => {
	for (const [maxWaitMs, refusedMs, longestMs] of [
		[300_000, 0, 60_000],
		[5_000, 0, 5_000],
		[300_000, 150_000, 60_000],
	] as const) {
		let lostMs = Infinity;
		const { client, tookMs } = bench((atMs) => {
			if (atMs < refusedMs) return answer(429, {}, { 'retry-after': '10' });
			lostMs = Math.min(lostMs, atMs);
			return lost('notSent');
		});
		const { facts } = await failureOf(client(ENRICH, { ...LIMITS, maxWaitMs }));
		expect(facts).toMatchObject({ gaveUp: 'waitUsed', maxWaitMs });
		expect(tookMs() - lostMs).toBeGreaterThanOrEqual(longestMs - 100);
		expect(tookMs() - lostMs).toBeLessThan(longestMs + 2_000);
	}
});
