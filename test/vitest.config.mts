import { defineConfig } from 'vitest/config';

/** Unit tests (pure logic) and engine tests (the built node in n8n-core's own engine, real HTTP to the sandbox). */
export default defineConfig({
	test: {
		include: ['test/unit/**/*.test.mts', 'test/engine/**/*.test.mts'],
		root: '.',
		testTimeout: 60_000,
		hookTimeout: 60_000,
	},
});
