import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const filesOf = (names: string[]): string[] => names.map((name) => `test/n8n/${name}.test.mts`);

/** Files that measure seconds or memory, and run while nothing else does. */
const alone = filesOf(['refusals', 'reuse-results', 'sync-large']);

/**
 * Files that wait minutes for polls, schedules and restarts. They start first, so that the other files run meanwhile.
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
	// The first run installs n8n.
	hookTimeout: 1_200_000,
};

/** Returns a project. Its files run after those of the previous group, at most `maxWorkers` at a time. */
const project = (
	name: string,
	groupOrder: number,
	maxWorkers: number,
	files: { include: string[]; exclude?: string[] },
): TestProjectInlineConfiguration => ({
	test: { ...shared, ...files, name, maxWorkers, sequence: { groupOrder } },
});

/**
 * Tests of the packed package in real n8n servers. Most files share one n8n, with a separate sandbox and separate
 * workflows. Files that kill n8n or need other settings start their own n8n. The tests mostly wait, so three files run
 * at a time, and `.ci/run` runs other tests beside the project "together".
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
