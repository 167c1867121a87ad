import { defineConfig } from 'vitest/config';

/** Tests of the packed package in real n8n servers: one after the other, each may take minutes to set up. */
export default defineConfig({
	test: {
		include: ['test/n8n/**/*.test.mts'],
		root: '.',
		fileParallelism: false,
		testTimeout: 120_000,
		// The first run installs n8n.
		hookTimeout: 1_200_000,
	},
});
