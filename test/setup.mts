import { afterEach, vi } from 'vitest';

import './seed.mts';

/**
 * Undo mocks and environment variables after each test, because test files of the same worker share modules and
 * globals.
 */
afterEach(() => {
	vi.restoreAllMocks();
	vi.unstubAllEnvs();
});
