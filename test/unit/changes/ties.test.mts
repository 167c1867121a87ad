import { describe, expect, it } from 'vitest';

import { play } from './history.mts';
import type { History, Step } from './steps.mts';

/** A poll that is not disturbed, of so many pages at most. */
const pollOf = (pages: number): Step => ({
	do: 'poll',
	pages,
	faults: [],
	meanwhile: [],
	crash: false,
});

const history = (more: Partial<History>, pageSize: History['traits']['pageSize']): History => ({
	traits: {
		ids: 'text',
		dateFormat: 'iso',
		resolutionMs: 1,
		undated: 'none',
		cursors: 'key',
		refusal: 400,
		mostOnPage: Infinity,
		largestLimit: Infinity,
		extraOnPage: 0,
		emptyFirst: false,
		trailingCursor: false,
		pageSize,
		overlapMs: 30_000,
		clockAheadMs: 0,
	},
	event: 'recordUpdated',
	startFrom: 'beginning',
	durable: false,
	maxRecordsPerPoll: 1_000,
	mostRemembered: 2_000,
	datesAdvance: false,
	initial: [],
	steps: [],
	...more,
});

/** More records of one date than any list of the state holds; random histories are too small for that. */
describe('thousands of records with one date', () => {
	it('are not delivered again by a poll that is too short to read them all again', async () => {
		const steps = [pollOf(Infinity), pollOf(2), pollOf(3), pollOf(Infinity)];
		const initial: History['initial'] = [{ do: 'create', count: 900 }];
		const outcome = await play(history({ initial, steps }, 100));
		expect(outcome.delivered).toBe(900);
	});

	it.each([40, 500, 1_000])(
		'are found again, at the right one, after a refused cursor (pages of %i)',
		async (pageSize) => {
			const initial: History['initial'] = [
				{ do: 'create', count: 5 },
				{ do: 'tick', seconds: 1_000 },
				{ do: 'create', count: 5_000 },
			];
			const again: Step[] = [{ do: 'refuseCursors' }, pollOf(Infinity), { do: 'restart' }];
			const steps = [pollOf(Infinity), ...again, pollOf(Infinity), ...again, ...again];
			const outcome = await play(history({ initial, steps, mostRemembered: 600 }, pageSize));
			expect(outcome.delivered).toBe(5_005);
			expect(outcome.largestState).toBeLessThan(64 * 1024);
		},
	);

	it('are read again only as far as the state can hold them', async () => {
		const initial: History['initial'] = [{ do: 'create', count: 5_000 }];
		const outcome = await play(history({ initial, steps: [] }, 100));
		expect(outcome.quietRequests).toBeLessThanOrEqual(20);
		expect(outcome.largestState).toBeLessThan(40 * 1024);
	});
});
