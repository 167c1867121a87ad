/** The trigger against services whose pages keep to the specification and no further; more in ../changes. */
import { describe, expect, it } from 'vitest';
import { useSandbox } from '../harness/support.mts';
import { companyTrigger, idsOf, idsOfType } from '../harness/trigger-poller.mts';

const bench = useSandbox({ companies: 1_000, orders: 5, items: 5, deals: 5 });
const trigger = companyTrigger(bench);

describe('a service that leads back to a page that was read', () => {
	it('has nothing given again, and the next poll continues', async () => {
		const poller = await trigger({ options: { pageSize: 200 } });
		await poller.poll();
		poller.restart();
		bench.sandbox.addFault({
			transform: 'repeatCursor',
			path: '/v2/public/records/query',
			times: 2,
		});
		for (let polls = 0; polls < 3; polls++) {
			const polled = await poller.poll().catch(() => undefined);
			expect(polled?.items ?? null).toBeNull();
		}
		const changed = idsOfType(bench, 'company').slice(0, 15);
		bench.sandbox.update('company', changed);
		expect(idsOf(await poller.drain()).toSorted()).toEqual(changed.toSorted());
	});
});
