import { defineConfig } from 'vitest/config';
import { withoutMissingSources } from '../vitest.config.mts';

/** The publish check and a release, tried in clones of this checkout. */
export default defineConfig({
	plugins: [withoutMissingSources],
	test: {
		include: ['test/publish/**/*.test.mts'],
		root: '.',
		testTimeout: 600_000,
		hookTimeout: 600_000,
	},
});
