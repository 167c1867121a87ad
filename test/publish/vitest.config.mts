import { defineConfig } from 'vitest/config';
import { withoutMissingSources } from '../vitest.config.mts';

/** Tests of a release in a clone of this checkout, and of n8n-mcp's check. */
export default defineConfig({
	plugins: [withoutMissingSources],
	test: {
		include: ['test/publish/**/*.test.mts'],
		root: '.',
		testTimeout: 600_000,
		hookTimeout: 600_000,
	},
});
