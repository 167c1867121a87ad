import { describe, expect, it } from 'vitest';
import { idsHeld } from '../../n8n/service.mts';
import { useSandbox } from '../harness/support.mts';
import { companyTrigger, idsOf, messagesOf, startedTrigger } from '../harness/trigger-poller.mts';

const COMPANIES = 2_503;
const bench = useSandbox({ companies: COMPANIES, deals: 0, orders: 40 });

const trigger = companyTrigger(bench);
const started = startedTrigger(bench);
const allIds = (): string[] => idsHeld(bench.sandbox);

it.each(['memory', 'durable'] as const)(
	'returns each change once, and no records that existed before the start (state in n8n: %s)',
	async (cursors) => {
		const poller = await trigger({}, cursors);
		const first = await poller.poll();
		expect(first.items).toBeNull();
		expect(bench.sandbox.requests.length, 'by a Page Size of its own choice').toBeLessThanOrEqual(
			8,
		);
		// With durable cursors, n8n stores no state at the activation if the poll returns no items.
		if (cursors === 'durable') expect(poller.stored).toBeUndefined();
		expect((await poller.poll()).items).toBeNull();

		const changed = allIds().slice(100, 350);
		bench.sandbox.update('company', changed);
		const created = bench.sandbox.create('company', 3);
		expect(idsOf((await poller.poll()).items).toSorted()).toEqual(
			[...changed, ...created].toSorted(),
		);
		expect((await poller.poll()).items).toBeNull();

		bench.sandbox.update('company', changed.slice(0, 5));
		bench.sandbox.remove('company', changed.slice(5, 9));
		poller.restart();
		expect(idsOf((await poller.poll()).items)).toEqual(changed.slice(0, 5));
		expect((await poller.poll()).items).toBeNull();
	},
);

it('logs the start and each poll that leaves records for the next poll, and logs nothing otherwise', async () => {
	const poller = await trigger({ options: { maxRecordsPerPoll: 2 } });
	expect(messagesOf((await poller.poll()).logs)).toMatch(
		/^.*Starting with changes from now on ..company.*\n.*were skipped/,
	);
	expect((await poller.poll()).logs).toEqual([]);
	bench.sandbox.update('company', allIds().slice(0, 3));
	expect(messagesOf((await poller.poll()).logs)).toContain('read part of the list');
	expect((await poller.poll()).logs).toEqual([]);
});

it.each([
	['all', {}, true],
	['external_number', { fields: 'external_number' }, true],
	['name', { fields: 'name' }, false],
])('warns only if output integers lose digits: Fields = %s', async (_what, options, isTold) => {
	const poller = await started({ options });
	bench.sandbox.update('company', allIds().slice(0, 20));
	const { items, logs } = await poller.poll();
	expect(idsOf(items)).toHaveLength(20);
	const told =
		/^.*Long numbers in "external_number" .* use the resource Sync with NDJSON files\.$/m;
	expect(logs.map(({ level }) => level)).toEqual(isTold ? ['warn'] : []);
	if (isTold) expect(messagesOf(logs)).toMatch(told);
	else expect(Object.keys(items?.[0].json ?? {})).toEqual(['name']);
});

it('skips a poll that n8n starts during another poll of the same trigger, but not a poll of another trigger', async () => {
	const [poller, other] = [await started(), await started()];
	bench.sandbox.update('company', allIds().slice(0, 10));
	bench.sandbox.setLatency(50);
	const polls = await Promise.all([poller.poll(), poller.poll(), other.poll()]);
	bench.sandbox.setLatency(0);
	expect(polls.map(({ items }) => items?.length)).toEqual([10, undefined, 10]);
	expect(messagesOf(polls[1].logs)).toContain('is not finished yet');
	expect((await poller.poll()).items).toBeNull();
});

it('polls the triggers of a workflow and its copy at the same time, although both have the same node ID', async () => {
	const poller = await started();
	const copy = poller.inCopiedWorkflow();
	await copy.poll();
	bench.sandbox.update('company', allIds().slice(0, 10));
	bench.sandbox.setLatency(50);
	const polls = await Promise.all([poller.poll(), copy.poll()]);
	bench.sandbox.setLatency(0);
	expect(polls.map(({ items }) => items?.length)).toEqual([10, 10]);
});

describe('a poll that n8n starts before it has saved the previous poll (durable cursors)', () => {
	it('skips a poll that would get an old checkpoint, because n8n is still saving the previous poll', async () => {
		const poller = await started({}, 'durable');
		await poller.poll();
		const changed = allIds().slice(0, 5);
		bench.sandbox.update('company', changed);
		expect(idsOf((await poller.poll({ isSavingSlow: true })).items)).toEqual(changed);
		const early = await poller.poll();
		expect(early.items).toBeNull();
		expect(messagesOf(early.logs)).toContain('saving its records, is not finished yet');
		poller.finishSaving();
		bench.sandbox.update('company', changed.slice(0, 2));
		expect(idsOf((await poller.poll()).items)).toEqual(changed.slice(0, 2));
	});

	it('returns the records of a poll again after a restart if n8n had not saved the checkpoint of this poll', async () => {
		const poller = await started({}, 'durable');
		await poller.poll();
		const changed = allIds().slice(0, 5);
		bench.sandbox.update('company', changed);
		await poller.poll({ isSavingSlow: true });
		expect((await poller.poll()).items).toBeNull();
		poller.restart(30_000);
		expect(idsOf((await poller.poll()).items)).toEqual(changed);
	});
});
