/** The trigger against services whose pages keep to the specification and no further. */
import { afterEach, describe, expect, it } from 'vitest';
import { useSandbox } from '../harness/support.mts';
import { companyTrigger, idsOf, idsOfType, messagesOf } from '../harness/trigger-poller.mts';

const bench = useSandbox({ companies: 1_000, orders: 5, items: 5, deals: 5 });
const trigger = companyTrigger(bench);

afterEach(() => bench.sandbox.setUnkind({}));

describe('a service that ignores the number of the page', () => {
	it('starts with changes once the list has been read to its end, and never with old records', async () => {
		bench.sandbox.setUnkind({ pageInQueryIgnored: true });
		const poller = await trigger();
		const first = await poller.poll();
		expect(first.items).toBeNull();
		expect(messagesOf(first.logs)).toContain('does not tell which records are the newest');
		expect(await poller.drain()).toEqual([]);
		const changed = idsOfType(bench, 'company').slice(300, 320);
		bench.sandbox.update('company', changed);
		expect(idsOf((await poller.poll()).items)).toEqual(changed);
	});

	it('shows the oldest records as a test event', async () => {
		bench.sandbox.setUnkind({ pageInQueryIgnored: true });
		const { items } = await (await trigger()).poll({ mode: 'manual' });
		expect(items).toHaveLength(10);
	});
});

describe('a service with pages of other sizes than asked for', () => {
	it.each([
		{ silentPageCap: 50 },
		{ silentPageCap: 7 },
		{ extraRecords: 9 },
		{ silentPageCap: 60, extraRecords: 5 },
	])('delivers each change once and nothing old (%j)', async (unkind) => {
		bench.sandbox.setUnkind(unkind);
		const poller = await trigger();
		expect(await poller.drain()).toEqual([]);
		const changed = idsOfType(bench, 'company').slice(100, 250);
		bench.sandbox.update('company', changed);
		expect(idsOf(await poller.drain()).toSorted()).toEqual(changed.toSorted());
	});
});

describe('a service that leads back to a page that was read', () => {
	it('has nothing delivered again, and the next poll goes on', async () => {
		// Without numbered pages, the first poll does not know yet what is old enough to be left behind.
		bench.sandbox.setUnkind({ pageInQueryIgnored: true });
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
