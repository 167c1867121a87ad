import { defineConfig } from 'vitest/config';
import { withoutMissingSources } from './vitest.config.mts';

/** The tests that the mutants of a folder have to survive: see mutation.mts. */
export default defineConfig({
	plugins: [withoutMissingSources],
	test: {
		include: [`${process.env.TESTS_OF_MUTANTS}*.test.mts`],
		// Random runs that are long by nature would take days.
		exclude: ['**/*.long.test.mts'],
		setupFiles: ['test/mutation.setup.mts', 'test/setup.mts'],
		testTimeout: 180_000,
		hookTimeout: 180_000,
	},
});
