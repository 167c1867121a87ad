/** Tests what happens to the checkpoint of a trigger that is renamed, recreated or published. */
import { describe, expect, it } from 'vitest';
import { idsHeld } from '../../n8n/service.mts';
import { useSandbox } from '../harness/support.mts';
import { companyTrigger, idsOf, messagesOf, startedTrigger } from '../harness/trigger-poller.mts';

const bench = useSandbox({ companies: 30, deals: 5 });
const trigger = companyTrigger(bench);
const started = startedTrigger(bench);

/** Updates three companies and returns their ids. Each round updates different companies. */
function change(round: number): string[] {
	const changed = idsHeld(bench.sandbox).slice(round * 3, round * 3 + 3);
	bench.sandbox.update('company', changed);
	return changed.toSorted();
}

it.each(['memory', 'durable'] as const)(
	'continues a renamed trigger, but starts a recreated trigger at Start From (state in n8n: %s)',
	async (cursors) => {
		const poller = await started({}, cursors);
		await poller.poll();
		for (const [round, name] of ['Renamed', 'Once more', 'Trigger'].entries()) {
			poller.name = name;
			poller.restart();
			const changed = change(round);
			const { items, logs } = await poller.poll();
			expect(idsOf(items).toSorted(), name).toEqual(changed);
			expect(messagesOf(logs)).not.toContain('Starting ');
		}
		const again = poller.beside('Trigger', { startFrom: 'beginning' });
		const { items, logs } = await again.poll();
		expect(items).toHaveLength(30);
		expect(messagesOf(logs)).toContain('Starting from');
	},
);

it('fails if another trigger in the workflow has the same node ID', async () => {
	const poller = await trigger();
	poller.sameId = 'Trigger1';
	await expect(poller.poll()).rejects.toMatchObject({
		message: 'The nodes "Trigger" and "Trigger1" have the same ID',
	});
});

it('rejects a Start Date in the future, and starts at the corrected Start Date', async () => {
	const dates = [...bench.sandbox.records('company')].map((one) => String(one.updated_at));
	const [startDate] = dates.toSorted();
	const poller = await trigger({ startFrom: 'date', startDate: '2999-01-01' });
	await expect(poller.poll()).rejects.toMatchObject({ message: "'Start Date' is in the future" });
	expect(bench.sandbox.requests).toEqual([]);
	const corrected = poller.edited({ parameters: { startFrom: 'date', startDate } });
	const later = dates.filter((date) => date > startDate);
	expect(later.length, 'later dates').toBeGreaterThan(0);
	expect((await corrected.poll()).items).toHaveLength(later.length);
});

describe('publishing while the service fails', () => {
	const noWaits = { options: { requests: { values: { retryFor: 0 } } } };

	it.each([
		['throttles', { status: 429, headers: { 'retry-after': '3600' } }],
		['returns HTTP 503', { status: 503 }],
		['resets the connection', { action: 'reset' }],
	] as const)(
		'activates a trigger with saved progress even if the service %s, and continues in a later poll',
		async (_how, fault) => {
			const before = await started(noWaits);
			const fields = { ...noWaits.options, fields: 'id,name' };
			const poller = before.edited({ parameters: { options: fields } });
			bench.sandbox.addFault({ ...fault, times: Infinity });
			const { items, logs } = await poller.poll({ budgetMs: null });
			expect(items).toBeNull();
			expect(messagesOf(logs)).toContain(
				'The service does not respond at the moment. The trigger is active',
			);
			await expect(poller.poll(), 'what is due is an error').rejects.toThrow();
			bench.sandbox.clearFaults();
			const changed = change(4);
			expect(idsOf((await poller.poll()).items).toSorted()).toEqual(changed);
		},
	);

	it.each([
		['a wrong key', { status: 401 }],
		['a wrong setting', { status: 404 }],
		['a Base URL of a website', { status: 200, body: '<html></html>' }],
	])('does not activate a trigger with %s', async (_what, fault) => {
		const poller = (await started(noWaits)).edited({});
		bench.sandbox.addFault({ ...fault, times: Infinity });
		for (let tries = 0; tries < 2; tries++) await expect(poller.poll()).rejects.toThrow();
	});

	it('fails after HTTP 503 in the first activation and in polls, but not in a later activation (durable cursors)', async () => {
		const poller = await trigger(noWaits, 'durable');
		bench.sandbox.addFault({ status: 503, times: Infinity });
		await expect(poller.poll()).rejects.toThrow();
		bench.sandbox.clearFaults();
		for (let polls = 0; polls < 2; polls++) await poller.poll();
		bench.sandbox.addFault({ status: 503, times: Infinity });
		await expect(poller.poll()).rejects.toThrow();
		expect((await poller.edited({}).poll()).items).toBeNull();
	});
});
