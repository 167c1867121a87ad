import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/** n8n's packages name source files that they do not bring along; without this, each of them is a warning. */
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

/** The tests of one folder. */
const project = (name: 'checks' | 'unit' | 'engine'): TestProjectInlineConfiguration => ({
	plugins: [withoutMissingSources],
	test: {
		name,
		include: [`test/${name}/**/*.test.mts`],
		setupFiles: ['test/setup.mts'],
		// Starting a process and loading n8n's engine takes longer than many a file: the files of a worker share them.
		isolate: false,
		// What takes seconds takes minutes on a machine that does ten other things.
		testTimeout: 180_000,
		hookTimeout: 180_000,
		expect: { poll: { timeout: 60_000 } },
	},
});

/**
 * Checks (what the files of the repository must say of each other, in seconds), unit tests (pure logic) and engine tests
 * (the built node in n8n-core's own engine, real HTTP to the sandbox). Unit and engine tests are apart from each other
 * since n8n's engine changes JavaScript's own objects. Files named `.long.test.mts` take long by
 * nature: `npm test` leaves them to `npm run test:long`.
 */
export default defineConfig({
	test: {
		root: '.',
		maxWorkers: 2,
		// A generated file that was not written is a failure, not written by the test; `npm run generate` writes it.
		update: 'none',
		projects: [project('checks'), project('unit'), project('engine')],
	},
});
