import { describe, expect, it } from 'vitest';

import { startDeadline } from '../../../nodes/WorkspaceDataTrigger/run-poll.ts';
import {
	answer,
	bench,
	failureOf,
	LIST,
	lost,
	throttled,
	START,
} from '../shared/client/request-bench.mts';

/** Default request limits, if the user sets no options. */
const usual = { maxRetries: 4, maxWaitMs: 300_000, timeoutMs: 60_000 };

/** Returns a deadline whose clock stands still. */
const start = (budgetMs: number, isFirst = false) =>
	startDeadline(() => START, isFirst, usual, budgetMs);

describe('the time limit of a poll', () => {
	it.each([
		["a poll with n8n's durable cursors", 36_000, false, 36_000],
		['a poll without durable cursors', 300_000, false, 300_000],
		['a poll that a person waits for', 300_000, true, 30_000],
	])('starts no request after 60 % of the time limit of %s', (_name, budgetMs, isFirst, whole) => {
		const deadline = start(budgetMs, isFirst);
		const may = [1, 0].map((msLess) => deadline.hasTimeLeft(whole * 0.6 - msLess));
		expect(may).toEqual([true, false]);
	});

	it.each([
		['HTTP 503', answer(503)],
		['HTTP 503 with Retry-After', answer(503, {}, { 'retry-after': '20' })],
		['HTTP 429', throttled()],
		['HTTP 429 with Retry-After', throttled(4)],
		['no connection', lost('notSent')],
		['no response', lost('timeout')],
	])(
		'ends a request with all its retries within the time limit of a poll: %s',
		async (_name, given) => {
			for (const budgetMs of [2_000, 36_000, 300_000]) {
				for (const begunAt of [0, 0.3, 0.5]) {
					let timeoutMs = 0;
					// Each attempt takes as long as its timeout allows, and fails.
					const { client, tookMs } = bench(() => given, { latencyMs: () => timeoutMs });
					let beforeMs = begunAt * budgetMs;
					const deadline = startDeadline(() => START + tookMs() - beforeMs, false, usual, budgetMs);
					beforeMs = 0;
					const limits = deadline.limits();
					({ timeoutMs } = limits);
					await failureOf(client(LIST, limits));
					expect(begunAt * budgetMs + tookMs(), 'ms').toBeLessThanOrEqual(budgetMs);
				}
			}
		},
	);

	it('sets a request timeout of at most one minute that leaves time for one retry', () => {
		expect(start(36_000).limits()).toEqual({
			maxRetries: 4,
			maxWaitMs: 16_200,
			timeoutMs: 16_200,
			// Attempts must end within 90 % of the time limit.
			endByMs: START + 32_400,
		});
		expect(start(300_000).limits().timeoutMs).toBe(60_000);
	});
});
