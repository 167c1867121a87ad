import { afterEach, vi } from 'vitest';

import './seed.mts';

/** The files of one worker share its modules and globals: no test may leave anything changed for the next. */
afterEach(() => {
	vi.restoreAllMocks();
	vi.unstubAllEnvs();
});
