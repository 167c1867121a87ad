/** The trigger at more records without a date than it can remember. */
import { afterEach, describe, expect, it } from 'vitest';
import { useSandbox } from '../harness/support.mts';
import {
	companyTrigger,
	idsOf,
	idsOfType,
	messagesOf,
	type Poller,
} from '../harness/trigger-poller.mts';

const bench = useSandbox({ companies: 5, orders: 3_900, items: 5, deals: 5 });
const trigger = companyTrigger(bench);

afterEach(() => bench.sandbox.setUnkind({}));

async function requestsOf(poller: Poller): Promise<number> {
	bench.sandbox.clearRequests();
	expect((await poller.poll()).items).toBeNull();
	return bench.sandbox.requests.length;
}

describe('records without a date', () => {
	it('are all delivered when the trigger starts from the beginning, more than can be remembered', async () => {
		bench.sandbox.setUnkind({ undated: { every: 1, place: 'last' } });
		const poller = await trigger({ objectType: 'order', startFrom: 'beginning' });
		const all = idsOfType(bench, 'order');
		expect(idsOf(await poller.drain()).toSorted()).toEqual(all.toSorted());
		const changed = all.slice(2_000, 2_050);
		bench.sandbox.update('order', changed);
		expect(idsOf(await poller.drain()).toSorted()).toEqual(changed.toSorted());
	});

	it('that are too many to be remembered are left out of quiet polls, and no change is lost', async () => {
		bench.sandbox.setUnkind({ undated: { every: 1, place: 'last' } });
		const poller = await trigger({ objectType: 'order', options: { pageSize: 200 } });
		const { items, logs } = await poller.poll();
		expect(items).toBeNull();
		expect(messagesOf(logs.filter(({ level }) => level === 'warn'))).toContain(
			'more records without a readable date',
		);
		expect(await poller.drain()).toEqual([]);
		// The window of 2,000 records and the page before the gap, not the whole list.
		expect(await requestsOf(poller)).toBeLessThanOrEqual(12);
		expect(JSON.stringify(poller.stored).length).toBeLessThan(64 * 1024);
		for (let round = 0; round < 6; round++) {
			const changed = idsOfType(bench, 'order').slice(round * 300, round * 300 + 250);
			bench.sandbox.update('order', changed);
			poller.restart();
			expect(idsOf((await poller.poll()).items).toSorted()).toEqual(changed.toSorted());
			expect((await poller.poll()).items).toBeNull();
		}
	});

	it('do not come again when the service refuses the cursor behind them', async () => {
		bench.sandbox.setUnkind({ undated: { every: 1, place: 'last' } });
		const poller = await trigger({ objectType: 'order', options: { pageSize: 200 } });
		await poller.poll();
		expect(await poller.drain()).toEqual([]);
		await requestsOf(poller);
		const { gap } = poller.stored.workspaceData as { gap: { cursor: string } };
		const skip = bench.sandbox.requests.findIndex(
			({ body }) => (body as Record<string, unknown>).cursor === gap.cursor,
		);
		expect(skip).toBeGreaterThan(0);
		bench.sandbox.addFault({ path: '/v2/public/records/query', status: 410, skip });
		const changed = idsOfType(bench, 'order').slice(0, 5);
		bench.sandbox.update('order', changed);
		const { items, logs } = await poller.poll();
		expect(idsOf(items)).toEqual(changed);
		expect(messagesOf(logs)).toContain('no longer accepts the stored cursor (HTTP 410)');
		expect(await poller.drain()).toEqual([]);
	});
});
