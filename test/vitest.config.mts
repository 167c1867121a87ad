import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/**
 * Vite plugin that prevents warnings about source maps. The source maps of n8n's packages refer to source files that
 * the packages do not include.
 */
export const withoutMissingSources: Plugin = {
	name: 'without-missing-sources',
	enforce: 'pre',
	async load(id) {
		const [file] = id.split('?');
		if (!/[\\/]node_modules[\\/](@n8n[\\/]|n8n-).*\.js$/.test(file)) return undefined;
		const code = await readFile(file, 'utf8');
		return { code: code.replace(/^\/\/# sourceMappingURL=.*$/m, ''), map: null };
	},
};

/** Returns the Vitest project for the tests of one folder. */
const project = (name: 'checks' | 'unit' | 'engine'): TestProjectInlineConfiguration => ({
	plugins: [withoutMissingSources],
	test: {
		name,
		include: [`test/${name}/**/*.test.mts`],
		setupFiles: ['test/setup.mts'],
		// Let the test files of a worker share one process and one n8n engine, because loading them takes longer than
		// most tests.
		isolate: false,
		// Use a long timeout. On a busy machine, tests that usually take seconds can take minutes.
		testTimeout: 180_000,
		hookTimeout: 180_000,
		expect: { poll: { timeout: 60_000 } },
	},
});

/**
 * Vitest configuration for checks of the repository's files, unit tests of pure logic, and engine tests. Engine tests
 * run the built node in n8n-core with HTTP requests to the sandbox. They run apart from unit tests, because n8n's
 * engine changes built-in JavaScript objects. `npm test` skips the slow files `*.long.test.mts`, which `npm run
 * test:long` runs.
 */
export default defineConfig({
	test: {
		root: '.',
		maxWorkers: 2,
		// Fail if a generated file is missing or outdated. `npm run generate` writes these files.
		update: 'none',
		projects: [project('checks'), project('unit'), project('engine')],
	},
});
