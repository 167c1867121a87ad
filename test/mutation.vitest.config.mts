import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { withoutMissingSources } from './vitest.config.mts';

/** Runs files in the order in which they are asked for. */
class AsAsked extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		return files;
	}
}

/** The tests that the mutants of a folder have to survive: see mutation.mts. */
export default defineConfig({
	plugins: [withoutMissingSources],
	test: {
		include: process.env.TESTS_OF_MUTANTS?.split(';').map((beginning) => `${beginning}*.test.mts`),
		// Random runs that are long by nature would take days.
		exclude: ['**/*.long.test.mts'],
		setupFiles: ['test/setup.mts', 'test/mutation.setup.mts'],
		// Each change is played against, so few histories each.
		env: { HISTORIES: '60' },
		sequence: { sequencer: AsAsked },
		testTimeout: 180_000,
		hookTimeout: 180_000,
	},
});
