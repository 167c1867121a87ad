import type { RequestLimits } from '../client/api';

/** How long a poll may take where n8n does not tell (older versions), in ms. */
export const DEFAULT_BUDGET_MS = 5 * 60_000;
/** Where a person waits for it, as when a workflow is activated, in ms. */
const AWAITED_BUDGET_MS = 30_000;
const SHORTEST_TIMEOUT_MS = 1_000;

/** Keeps a poll that begins now within the time that n8n gives it; `most` is what the user allows to one request. */
export function startDeadline(
	now: () => number,
	isAwaited: boolean,
	most: RequestLimits,
	budgetMs: number,
) {
	const budget = isAwaited ? Math.min(budgetMs, AWAITED_BUDGET_MS) : budgetMs;
	const startsNothingAfter = now() + budget * 0.6;
	const end = now() + budget * 0.9;
	return {
		/** False when no further request should start, which it could in `afterMs`. */
		mayContinue: (afterMs = 0): boolean => now() + afterMs < startsNothingAfter,
		/** Limits for the next request: half of the time that is left, so that one more attempt fits in. */
		limits: (): RequestLimits => {
			const leftMs = end - now();
			const half = Math.max(SHORTEST_TIMEOUT_MS, Math.floor(leftMs / 2));
			const timeoutMs = Math.min(most.timeoutMs, half);
			const canWaitMs = Math.max(0, Math.floor(leftMs - timeoutMs));
			const maxWaitMs = Math.min(most.maxWaitMs, canWaitMs);
			return { ...most, maxWaitMs, timeoutMs, endByMs: end };
		},
	};
}
