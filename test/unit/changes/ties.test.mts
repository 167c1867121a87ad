import { describe, expect, it } from 'vitest';

import { create, tick, type Change } from './change.mts';
import { play, type Outcome } from './history.mts';
import type { ServiceTraits } from './service-traits.mts';
import { historyOf, poll, type History, type Step } from './steps.mts';

const playFromBeginning = async (
	initial: Change[],
	steps: Step[],
	pageSize: ServiceTraits['pageSize'] = 100,
	more: Partial<Omit<History, 'traits'>> = {},
): Promise<Outcome> =>
	await play(
		historyOf({
			traits: { pageSize },
			startFrom: 'beginning',
			durable: false,
			...more,
			initial,
			steps,
		}),
	);

/** More records of one date than any list of the state holds; random histories are too small for that. */
describe('thousands of records with one date', () => {
	it('are not delivered again by a poll that is too short to read them all again', async () => {
		const steps = [poll(), poll({ pages: 2 }), poll({ pages: 3 }), poll()];
		expect((await playFromBeginning([create(900)], steps)).delivered).toBe(900);
	});

	it.each([40, 500, 1_000])(
		'are found again, at the right one, after a refused cursor (pages of %i)',
		async (pageSize) => {
			const initial = [create(5), tick(1_000), create(5_000)];
			const again: Step[] = [{ do: 'refuseCursors' }, poll(), { do: 'restart' }];
			const steps = [poll(), ...again, poll(), ...again, ...again];
			const outcome = await playFromBeginning(initial, steps, pageSize, { mostRemembered: 600 });
			expect(outcome.delivered).toBe(5_005);
			expect(outcome.largestState).toBeLessThan(64 * 1024);
		},
	);

	it('are read again only as far as the state can hold them', async () => {
		const outcome = await playFromBeginning([create(5_000)], []);
		expect(outcome.quietRequests).toBeLessThanOrEqual(20);
		expect(outcome.largestState).toBeLessThan(40 * 1024);
	});
});
