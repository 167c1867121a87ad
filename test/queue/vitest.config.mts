import { defineConfig } from 'vitest/config';

/**
 * Vitest configuration for tests in n8n's queue mode and for tests that write into PostgreSQL. Both test files run at
 * the same time, because they mostly wait.
 */
export default defineConfig({
	test: {
		include: ['test/queue/**/*.test.mts'],
		root: '.',
		maxWorkers: 2,
		testTimeout: 300_000,
		// The first run installs n8n, which can take minutes.
		hookTimeout: 1_200_000,
	},
});
