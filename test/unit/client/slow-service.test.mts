import { expect, it } from 'vitest';

import { Pace } from '../../../nodes/client/pace.ts';
import { runPool } from '../../../nodes/WorkspaceData/call/run-calls.ts';
import { clientOf, ENRICH, LIMITS } from './request-bench.mts';

/** Time that moves on when everybody waits. */
class VirtualTime {
	nowMs = 0;
	private timers: Array<{ atMs: number; go: () => void }> = [];

	sleep = async (ms: number): Promise<void> =>
		await new Promise((go) => this.timers.push({ atMs: this.nowMs + ms, go }));

	async until(work: Promise<unknown>): Promise<void> {
		let isDone = false;
		void work.finally(() => (isDone = true));
		for (;;) {
			await new Promise((resolve) => setImmediate(resolve));
			if (isDone) return;
			this.timers.sort((one, other) => one.atMs - other.atMs);
			const timer = this.timers.shift();
			if (timer === undefined) continue;
			this.nowMs = timer.atMs;
			timer.go();
		}
	}
}

it('a service that takes requests slowly but steadily gets them all, however long the last one waits', async () => {
	const time = new VirtualTime();
	const perMs = 12 / 60_000;
	const burst = 60;
	let tokens = burst;
	let filledMs = 0;
	const pace = new Pace(100);
	const client = clientOf({
		pace,
		sleep: time.sleep,
		now: () => time.nowMs,
		transport: async () => {
			tokens = Math.min(burst, tokens + (time.nowMs - filledMs) * perMs);
			filledMs = time.nowMs;
			const isAccepted = tokens >= 1;
			if (isAccepted) tokens -= 1;
			await time.sleep(500);
			return { statusCode: isAccepted ? 200 : 429, headers: {}, text: '{"data":1}' };
		},
	});
	let succeeded = 0;
	const all = runPool(
		160,
		() => pace.concurrency,
		async () => {
			await client(ENRICH, { ...LIMITS, maxWaitMs: 300_000 });
			succeeded += 1;
		},
	);
	await time.until(all);
	await all;
	expect(succeeded).toBe(160);
	expect(time.nowMs).toBeGreaterThan(300_000);
});
