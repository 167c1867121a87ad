/** The trigger against services whose ids and dates keep to the specification and no further. */
import { afterEach, describe, expect, it } from 'vitest';
import { useSandbox } from '../harness/support.mts';
import { companyTrigger, idsOf, idsOfType } from '../harness/trigger-poller.mts';

const bench = useSandbox({ companies: 700, orders: 5, items: 60, deals: 5 });
const trigger = companyTrigger(bench);

afterEach(() => bench.sandbox.setUnkind({}));

/** Ids lose their digits in the items that n8n carries; domains do not. */
const domainsOf = (items: ReadonlyArray<{ json: Record<string, unknown> }> | null): string[] =>
	(items ?? []).map(({ json }) => String(json.domain));

describe('ids that are numbers beyond 2^53', () => {
	it('are told apart by all of their digits', async () => {
		bench.sandbox.setUnkind({ numericIds: true });
		const poller = await trigger();
		await poller.poll();
		await poller.drain();
		const changed = [...bench.sandbox.records('company')].slice(400, 450);
		bench.sandbox.update(
			'company',
			changed.map(({ id }) => String(id)),
		);
		const domains = domainsOf(await poller.drain());
		expect(domains.toSorted()).toEqual(changed.map(({ domain }) => String(domain)).toSorted());
	});
});

describe('records without a date', () => {
	it.each(['first', 'last'] as const)(
		'that stand %s leave every later change to arrive, once',
		async (place) => {
			bench.sandbox.setUnkind({ undated: { every: 10, place } });
			const poller = await trigger({ options: { pageSize: 20 } });
			expect(await poller.drain()).toEqual([]);
			for (let round = 0; round < 6; round++) {
				const changed = idsOfType(bench, 'company').slice(round * 100, round * 100 + 7);
				bench.sandbox.update('company', changed);
				expect(idsOf((await poller.poll()).items).toSorted()).toEqual(changed.toSorted());
				poller.restart();
				expect((await poller.poll()).items).toBeNull();
			}
		},
	);
});

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
