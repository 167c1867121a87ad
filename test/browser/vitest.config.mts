import { defineConfig } from 'vitest/config';

/** Tests of the packed package in n8n's editor, in Chromium: one file after the other, all in one n8n. */
export default defineConfig({
	test: {
		name: 'browser',
		include: ['test/browser/**/*.test.mts'],
		root: '.',
		globalSetup: 'test/n8n/shared-n8n.mts',
		fileParallelism: false,
		testTimeout: 120_000,
		// What a person sees at once takes seconds on a machine that does ten other things.
		expect: { poll: { timeout: 60_000 } },
		// The first run installs n8n.
		hookTimeout: 1_200_000,
	},
});
