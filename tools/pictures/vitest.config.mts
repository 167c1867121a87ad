import { defineConfig } from 'vitest/config';
import browserTests from '../../test/browser/vitest.config.mts';

/** `npm run pictures`: all pictures of README and docs made again, those of errors and panels by the tests that show them. */
export default defineConfig({
	test: {
		...browserTests.test,
		name: 'pictures',
		include: ['tools/pictures/*.pictures.mts', 'test/browser/{errors,panel}.test.mts'],
		env: { UPDATE_PICTURES: '1' },
	},
});
