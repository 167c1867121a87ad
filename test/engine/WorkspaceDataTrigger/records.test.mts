/** The trigger against services whose dates keep to the specification and no further; more in ../changes. */
import { afterEach, describe, expect, it } from 'vitest';
import { useSandbox } from '../harness/support.mts';
import { companyTrigger, idsOf, idsOfType } from '../harness/trigger-poller.mts';

const bench = useSandbox({ companies: 700, orders: 5, items: 60, deals: 5 });
const trigger = companyTrigger(bench);

afterEach(() => bench.sandbox.setUnkind({}));

describe('dates without a zone', () => {
	it('are taken for UTC, so that nothing comes twice or is lost', async () => {
		bench.sandbox.setUnkind({ zonelessDates: true });
		const poller = await trigger({ objectType: 'item' });
		expect(await poller.drain()).toEqual([]);
		const changed = idsOfType(bench, 'item').slice(0, 20);
		bench.sandbox.update('item', changed);
		expect(idsOf(await poller.drain()).toSorted()).toEqual(changed.toSorted());
		const records = [...bench.sandbox.records('item')].map(({ updated_at: date }) => String(date));
		// The sandbox's own dates have their Z.
		const newest = Math.max(...records.map((date) => Date.parse(date)));
		expect(poller.stored).toMatchObject({ workspaceData: { newest } });
	});
});
