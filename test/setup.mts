import { afterAll, vi } from 'vitest';

import './seed.mts';

/** The files of one worker share its modules and globals: none may leave anything changed for the next. */
afterAll(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});
