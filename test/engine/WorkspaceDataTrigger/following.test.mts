/**
 * Tests that the trigger passes its options on to the code that finds changes. Unit tests in test/unit/shared/changes
 * check that code with many kinds of services.
 */
import { expect, it } from 'vitest';
import { idsHeld } from '../../n8n/service.mts';
import { setClockForward } from '../harness/clock.mts';
import { clockStart } from '../../sandbox/record-times.mts';
import type { ObjectType } from '../../sandbox/types.mts';
import { useSandbox } from '../harness/support.mts';
import { companyTrigger, idsOf, messagesOf } from '../harness/trigger-poller.mts';

const quirks = { furtherParameters: ['status'] };
const bench = useSandbox({ companies: 0, orders: 300, quirks });
const trigger = companyTrigger(bench);

/** Updates records with dates close to n8n's clock, because the sandbox's own clock is far behind. */
const updateNow = (objectType: ObjectType, ids: string[]): void =>
	bench.sandbox.update(objectType, ids, clockStart - Date.now() - 1_000);

it.each(['recordUpdated', 'recordCreated'] as const)(
	'returns exactly the records with a date after Start Date, and then new changes (event %s)',
	async (event) => {
		const field = event === 'recordCreated' ? 'created_at' : 'updated_at';
		const dates = [...bench.sandbox.records('order')].map((order) => String(order[field]));
		const startDate = dates.toSorted()[180];
		const poller = await trigger({ objectType: 'order', event, startFrom: 'date', startDate });
		const later = dates.filter((date) => date > startDate);
		const came = (await poller.drain()).map(({ json }) => String(json[field]));
		expect(came.toSorted()).toEqual(later.toSorted());
		const created = bench.sandbox.create('order', 4);
		expect(idsOf(await poller.drain()).toSorted()).toEqual(created.toSorted());
	},
);

it('returns changes that the service shows late, if the delay is shorter than Lookback Window', async () => {
	// Use a longer Lookback Window (in seconds) than the default.
	const options = { overlapSeconds: 55, pagination: { values: { pageSize: 5 } } };
	const poller = await trigger({ objectType: 'order', options });
	await poller.drain();
	// One record changes each second, so Lookback Window covers 55 records on eleven pages.
	for (const id of idsHeld(bench.sandbox, 'order').slice(0, 60))
		bench.sandbox.update('order', [id]);
	expect(await poller.drain()).toHaveLength(60);
	const late = idsHeld(bench.sandbox, 'order').slice(200, 203);
	for (const [place, id] of late.entries())
		bench.sandbox.update('order', [id], [2, 32, 53][place] * 1_000);
	expect(idsOf(await poller.drain()).toSorted()).toEqual(late.toSorted());
});

it('ends a poll of a long list in time, logs that part of the list was read, and continues in the next poll', async () => {
	// Each request takes 1 s, and a poll of 30 s reads for 18 s. So a list of 75 pages needs several polls.
	bench.sandbox.setLatency(0, () => {
		setClockForward(1_000);
		return 0;
	});
	const poller = await trigger({
		objectType: 'order',
		options: { pagination: { values: { pageSize: 4 } } },
	});
	const { items, logs } = await poller.poll({ budgetMs: 30_000 });
	expect(items).toBeNull();
	expect(bench.sandbox.requests.length, 'requests of a poll').toBeLessThanOrEqual(20);
	expect(messagesOf(logs)).toContain('read part of the list');
	bench.sandbox.setLatency(0);
	// The trigger must return changes that happened while it still skipped existing records, even after a restart.
	const meanwhile = idsHeld(bench.sandbox, 'order').slice(0, 3);
	updateNow('order', meanwhile);
	const restarted = poller.edited({});
	const second = await restarted.poll();
	expect(idsOf(second.items).toSorted()).toEqual(meanwhile.toSorted());
	expect(messagesOf(second.logs)).toContain('The existing records were skipped');
	const changed = idsHeld(bench.sandbox, 'order').slice(200, 205);
	updateNow('order', changed);
	expect(idsOf(await restarted.drain()).toSorted()).toEqual(changed.toSorted());
});

it('returns new records of an empty list although Filters change before each poll, and logs the change', async () => {
	const poller = await trigger({ objectType: 'company' });
	expect((await poller.poll()).items).toBeNull();
	const filtered = (status: string) => {
		const additionalParameters = { values: [{ name: 'status', value: status }] };
		return poller.edited({ parameters: { options: { additionalParameters } } }).poll();
	};
	const { items, logs } = await filtered('one');
	expect(items).toBeNull();
	expect(messagesOf(logs)).toMatch(
		/^Workspace Data Trigger: Continued from .* To follow both, add a second trigger\./,
	);
	for (const status of ['two', 'three']) {
		const [id] = bench.sandbox.create('company', 1);
		updateNow('company', [id]);
		expect(idsOf((await filtered(status)).items), status).toEqual([id]);
	}
});

it('warns that records with older dates were added, and does not return these records', async () => {
	const imported = idsHeld(bench.sandbox, 'order').slice(0, 20);
	bench.sandbox.remove('order', imported);
	const options = { pagination: { values: { pageSize: 20 } } };
	const poller = await trigger({ objectType: 'order', event: 'recordCreated', options });
	await poller.drain();
	bench.sandbox.restore('order', imported);
	const created = bench.sandbox.create('order', 2);
	const { items, logs } = await poller.poll();
	expect(idsOf(items).toSorted()).toEqual(created.toSorted());
	expect(messagesOf(logs)).toContain('Records older than the last one returned were added');
	expect(await poller.poll()).toMatchObject({ items: null, logs: [] });
});
