import { expect, it } from 'vitest';

import { NEXT_DATE, type State } from '../../../nodes/changes/state.ts';
import { Overlap } from '../../../nodes/changes/overlap.ts';

it('what was settled stays so when something newer comes, and of no date nothing is known', () => {
	const overlap = new Overlap({ newest: 0, newestAt: 0 } as State, () => 100_000, 30_000);
	overlap.meet(500);
	expect(overlap.settled).toBe(NEXT_DATE);
	expect(overlap.toState()).toEqual({ newest: 500, newestAt: 100_000 });
	const none = new Overlap({ newest: null, newestAt: 0 } as State, () => 0, 30_000);
	expect(none.toState()).toEqual({ newest: null, newestAt: 0 });
});
