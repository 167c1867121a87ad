import { defineConfig } from 'vitest/config';
import { withoutMissingSources } from '../vitest.config.mts';

/** Vitest configuration for tests of a release in a clone of this checkout, and for the check by n8n-mcp. */
export default defineConfig({
	plugins: [withoutMissingSources],
	test: {
		include: ['test/publish/**/*.test.mts'],
		root: '.',
		testTimeout: 600_000,
		hookTimeout: 600_000,
	},
});
