import { describe, expect, it } from 'vitest';

import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { startDeadline } from '../../../nodes/WorkspaceDataTrigger/deadline.ts';

/** What the options allow when none is set. */
const usual = { maxRetries: 4, maxWaitMs: 300_000, timeoutMs: 60_000 };

/** A deadline with a clock that the test moves. */
function start(budgetMs: number | undefined, isFirst = false, most = usual) {
	const clock = { now: 1_000_000 };
	return { clock, deadline: startDeadline(() => clock.now, isFirst, most, budgetMs) };
}

const failure = new ServiceFailure('status', { statusCode: 503 });

describe('a deadline', () => {
	it.each([
		['n8n with durable cursors', 36_000, false, 36_000],
		['a version of n8n that does not tell', undefined, false, 300_000],
		['the poll that a person waits for', 300_000, true, 30_000],
	])('stops well before the end for %s', (_name, budgetMs, isFirst, whole) => {
		const { clock, deadline } = start(budgetMs, isFirst);
		clock.now += whole * 0.55;
		expect(deadline.mayContinue()).toBe(true);
		clock.now += whole * 0.1;
		expect(deadline.mayContinue()).toBe(false);
	});

	it('gives a request no more than the user allows, and no more than the poll has left', () => {
		const most = { maxRetries: 0, maxWaitMs: 5_000, timeoutMs: 2_000 };
		expect(start(300_000, false, most).deadline.limits()).toMatchObject(most);
		const generous = { maxRetries: 9, maxWaitMs: 9_000_000, timeoutMs: 9_000_000 };
		const { maxRetries, maxWaitMs, timeoutMs } = start(36_000, false, generous).deadline.limits();
		expect(maxRetries).toBe(9);
		expect(maxWaitMs + timeoutMs).toBeLessThanOrEqual(36_000);
	});

	it('never lets a request with all its retries go past the budget', () => {
		for (const budgetMs of [2_000, 36_000, 300_000]) {
			for (const afterMs of [0, 500, 20_000]) {
				const { clock, deadline } = start(budgetMs);
				const begin = clock.now;
				// Each page takes as long as its timeout allows, and each attempt fails.
				while (deadline.mayContinue()) {
					const { timeoutMs } = deadline.limits();
					clock.now += timeoutMs;
					try {
						for (let retry = 1; ; retry++) {
							deadline.allowWait({ afterMs, failure, retry });
							clock.now += afterMs + timeoutMs;
						}
					} catch (error) {
						expect(error).toMatchObject({ facts: { gaveUp: 'retriesUsed', statusCode: 503 } });
					}
				}
				expect(clock.now - begin).toBeLessThanOrEqual(budgetMs);
			}
		}
	});

	it('leaves time for one more attempt, and a minute at most for each', () => {
		const { clock, deadline } = start(36_000);
		expect(deadline.limits()).toEqual({
			maxRetries: 4,
			maxWaitMs: 16_200,
			timeoutMs: 16_200,
			// What starts later could not end in time.
			turnByMs: clock.now + 16_200,
		});
		expect([deadline.mayContinue(21_599), deadline.mayContinue(21_600)]).toEqual([true, false]);
		expect(start(undefined).deadline.limits().timeoutMs).toBe(60_000);
	});
});
