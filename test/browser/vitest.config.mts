import { defineConfig } from 'vitest/config';

/** Tests of the packed package in n8n's editor, in Chromium: one file after the other. */
export default defineConfig({
	test: {
		include: ['test/browser/**/*.test.mts'],
		root: '.',
		fileParallelism: false,
		testTimeout: 120_000,
		// The first run installs n8n.
		hookTimeout: 1_200_000,
	},
});
