import { afterEach, inject } from 'vitest';

/** So often no test runs through one change; more is a loop without an end. */
const MOST_HITS = 3_000_000;

interface Stryker {
	activeMutant?: string;
	hitCount?: number;
	hitLimit?: number;
	mutantCoverage?: { static: Record<string, number> };
}

// Stryker's name for what its changes ask.
const { __stryker__ } = Object.assign(globalThis, { __stryker__: {} as Stryker });
const mutant = inject('activeMutant' as never) as string;
if (mutant !== 'none')
	Object.assign(__stryker__, { activeMutant: mutant, hitCount: 0, hitLimit: MOST_HITS });

afterEach(({ task }) => {
	Object.assign(task.file.meta, { hits: Object.keys(__stryker__.mutantCoverage?.static ?? {}) });
});
