import { defineConfig } from 'vitest/config';
import browserTests from '../../test/browser/vitest.config.mts';

/**
 * `npm run pictures`: makes all pictures of README and docs again. The tests of the panels take the pictures of panels.
 */
export default defineConfig({
	test: {
		...browserTests.test,
		name: 'pictures',
		include: ['tools/pictures/*.pictures.mts', 'test/browser/{errors,panel}.test.mts'],
		env: { UPDATE_PICTURES: '1' },
	},
});
