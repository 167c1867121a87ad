import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const filesOf = (names: string[]): string[] => names.map((name) => `test/n8n/${name}.test.mts`);

/** What counts seconds or memory: alone on the machine. */
const alone = filesOf(['refusals', 'reuse-results', 'sync-large']);

/** What waits for polls, schedules and restarts, minutes in all: first, so that the others run meanwhile. */
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

/** The files of a project run after those of the one before, so many at a time. */
const project = (
	name: string,
	groupOrder: number,
	maxWorkers: number,
	files: { include: string[]; exclude?: string[] },
): TestProjectInlineConfiguration => ({
	test: { ...shared, ...files, name, maxWorkers, sequence: { groupOrder } },
});

/**
 * Tests of the packed package in real n8n servers. Most share one n8n, with a sandbox and workflows of their own; what
 * kills n8n or needs other settings starts its own. They mostly wait, so three files run at a time, and `.ci/run` has
 * other tests run beside those of "together".
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
