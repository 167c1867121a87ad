import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** n8n's packages name source files that they do not bring along; without this, each of them is a warning. */
const withoutMissingSources: Plugin = {
	name: 'without-missing-sources',
	enforce: 'pre',
	async load(id) {
		const [file] = id.split('?');
		if (!/[\\/]node_modules[\\/](@n8n[\\/]|n8n-).*\.js$/.test(file)) return undefined;
		const code = await readFile(file, 'utf8');
		return { code: code.replace(/^\/\/# sourceMappingURL=.*$/m, ''), map: null };
	},
};

/** Unit tests (pure logic) and engine tests (the built node in n8n-core's own engine, real HTTP to the sandbox). */
export default defineConfig({
	plugins: [withoutMissingSources],
	test: {
		include: ['test/unit/**/*.test.mts', 'test/engine/**/*.test.mts'],
		root: '.',
		setupFiles: ['test/seed.mts'],
		testTimeout: 60_000,
		hookTimeout: 60_000,
	},
});
