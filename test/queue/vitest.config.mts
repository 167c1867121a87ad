import { defineConfig } from 'vitest/config';

/**
 * Tests of the packed package in n8n's queue mode (main, workers, Redis and PostgreSQL), and of writing into
 * PostgreSQL. Both run in parallel, because they mostly wait.
 */
export default defineConfig({
	test: {
		include: ['test/queue/**/*.test.mts'],
		root: '.',
		maxWorkers: 2,
		testTimeout: 300_000,
		// The first run installs n8n.
		hookTimeout: 1_200_000,
	},
});
