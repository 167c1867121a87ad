import { defineConfig } from 'vitest/config';

/** Tests of the packed package in n8n's editor, in Chromium. The files run one after the other in one n8n. */
export default defineConfig({
	test: {
		name: 'browser',
		include: ['test/browser/**/*.test.mts'],
		root: '.',
		globalSetup: 'test/n8n/shared-n8n.mts',
		fileParallelism: false,
		testTimeout: 120_000,
		// A busy machine needs seconds for changes that are immediate elsewhere.
		expect: { poll: { timeout: 60_000 } },
		// The first run installs n8n.
		hookTimeout: 1_200_000,
	},
});
