import { afterEach, vi } from 'vitest';

import './seed.mts';

/** The files of one worker share its modules and globals, so no test may leave a change behind. */
afterEach(() => {
	vi.restoreAllMocks();
	vi.unstubAllEnvs();
});
