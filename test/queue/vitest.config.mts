import { defineConfig } from 'vitest/config';

/** The packed package in n8n's queue mode (main, workers, Redis and PostgreSQL), and writing into PostgreSQL: both mostly wait, so they run beside each other. */
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
