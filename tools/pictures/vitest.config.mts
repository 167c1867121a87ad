import { defineConfig } from 'vitest/config';
import browserTests from '../../test/browser/vitest.config.mts';

/**
 * Vitest configuration of `npm run pictures`, which renews all pictures of the README and docs. The browser tests of
 * panels take the pictures of panels.
 */
export default defineConfig({
	test: {
		...browserTests.test,
		name: 'pictures',
		include: ['tools/pictures/*.pictures.mts', 'test/browser/{errors,panel}.test.mts'],
		env: { UPDATE_PICTURES: '1' },
	},
});
