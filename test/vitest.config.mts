import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/**
 * Vite plugin that hides warnings about missing source files. n8n's packages name source files that they do not
 * include.
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

/** Returns the project for the tests of one folder. */
const project = (name: 'checks' | 'unit' | 'engine'): TestProjectInlineConfiguration => ({
	plugins: [withoutMissingSources],
	test: {
		name,
		include: [`test/${name}/**/*.test.mts`],
		setupFiles: ['test/setup.mts'],
		// The files of a worker share one process and one engine, because loading them takes longer than many a test
		// file.
		isolate: false,
		// A busy machine takes minutes for tests that usually take seconds.
		testTimeout: 180_000,
		hookTimeout: 180_000,
		expect: { poll: { timeout: 60_000 } },
	},
});

/**
 * Checks (of the repository's files against each other, in seconds), unit tests (pure logic) and engine tests (the
 * built node in n8n-core's own engine, with real HTTP to the sandbox). Unit and engine tests run separately, because
 * n8n's engine changes JavaScript's own objects. `npm test` skips the slow files named `.long.test.mts`. `npm run
 * test:long` runs them.
 */
export default defineConfig({
	test: {
		root: '.',
		maxWorkers: 2,
		// A missing generated file fails the test. `npm run generate` writes it.
		update: 'none',
		projects: [project('checks'), project('unit'), project('engine')],
	},
});
