import fc from 'fast-check';
import { afterEach, inject } from 'vitest';

// That a random history fails is enough; to find the shortest takes minutes.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });

/** So often no test runs through one change; more is a loop without an end. */
const MOST_HITS = 3_000_000;

interface Stryker {
	activeMutant?: string;
	hitCount?: number;
	hitLimit?: number;
	mutantCoverage?: { static: Record<string, number> };
}

// Stryker's name for what its changes ask. The engine's tests share what they have loaded, and so this object.
const shared = globalThis as { __stryker__?: Stryker };
const __stryker__ = (shared.__stryker__ ??= {});
const mutant = inject('activeMutant' as never) as string;
if (mutant !== 'none')
	Object.assign(__stryker__, { activeMutant: mutant, hitCount: 0, hitLimit: MOST_HITS });

afterEach(({ task }) => {
	Object.assign(task.file.meta, { hits: Object.keys(__stryker__.mutantCoverage?.static ?? {}) });
});
