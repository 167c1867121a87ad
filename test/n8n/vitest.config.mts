import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const filesOf = (names: string[]): string[] => names.map((name) => `test/n8n/${name}.test.mts`);

/** Test files that measure time or memory, so no other test file runs at the same time. */
const alone = filesOf(['refusals', 'reuse-results', 'sync-large']);

/**
 * Test files that wait minutes for polls, schedules and restarts. They start first, so that other files run meanwhile.
 */
const longest = filesOf(['trigger-live', 'two-triggers', 'export-resume', 'n8n-3']);

class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const isLong = ({ moduleId }: TestSpecification): boolean =>
			longest.some((file) => moduleId.endsWith(file));
		const sorted = await super.sort(files);
		return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
	}
}

const shared = {
	testTimeout: 120_000,
	// The first run installs n8n, which can take minutes.
	hookTimeout: 1_200_000,
};

/**
 * Returns a Vitest project. Its test files run after the files of the previous group, at most `maxWorkers` at a time.
 */
const project = (
	name: string,
	groupOrder: number,
	maxWorkers: number,
	files: { include: string[]; exclude?: string[] },
): TestProjectInlineConfiguration => ({
	test: { ...shared, ...files, name, maxWorkers, sequence: { groupOrder } },
});

/**
 * Vitest configuration for tests of the packed package in real n8n servers. Most test files share one n8n, with their
 * own sandbox and workflows. Test files that kill n8n or need other settings start their own n8n. Three files run at a
 * time, because they mostly wait.
 */
export default defineConfig({
	test: {
		name: 'n8n',
		root: '.',
		globalSetup: 'test/n8n/shared-n8n.mts',
		sequence: { sequencer: LongestFirst },
		projects: [
			project('together', 0, 3, { include: filesOf(['**/*']), exclude: alone }),
			project('alone', 1, 1, { include: alone }),
		],
	},
});
