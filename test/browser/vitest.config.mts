import { defineConfig } from 'vitest/config';

/**
 * Vitest configuration for tests of the packed package in n8n's editor, in Chromium. The test files share one n8n and
 * run one after the other.
 */
export default defineConfig({
	test: {
		name: 'browser',
		include: ['test/browser/**/*.test.mts'],
		root: '.',
		globalSetup: 'test/n8n/shared-n8n.mts',
		fileParallelism: false,
		testTimeout: 120_000,
		// Wait longer than usual, because a busy machine needs seconds for changes that are immediate elsewhere.
		expect: { poll: { timeout: 60_000 } },
		// The first run installs n8n, which can take minutes.
		hookTimeout: 1_200_000,
	},
});
