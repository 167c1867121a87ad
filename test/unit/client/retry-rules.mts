import type { RetryRules } from '../../../nodes/client/retry.ts';

/** The longest wait, in ms, where nobody says otherwise. */
export const FIVE_MINUTES = 300_000;
/** Nothing has happened yet. */
export const RULES: RetryRules = {
	risk: 'safe',
	temporaryErrors: 0,
	maxRetries: 1,
	unprocessed: 0,
	maxWaitMs: FIVE_MINUTES,
	waitedMs: 0,
	unconnectedMs: 0,
	random: () => 0.5,
};
