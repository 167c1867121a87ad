import { defineConfig } from 'vitest/config';

/**
 * Vitest configuration for tests of the packed package in several versions of n8n. The first run installs these
 * versions.
 */
export default defineConfig({
	test: {
		include: ['test/n8n/versions/*.spec.mts'],
		root: '.',
		fileParallelism: false,
		testTimeout: 120_000,
		hookTimeout: 1_800_000,
	},
});
