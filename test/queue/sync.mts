import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDestination, type Destination } from '../n8n/destination.mts';
import { waitUntil } from '../n8n/poll.mts';
import type { Execution } from '../n8n/rest.mts';
import { idsHeld } from '../n8n/service.mts';
import {
	callWebhook,
	confirm,
	getChanges,
	hintOf,
	idsOf,
	newExecution,
	syncBy,
} from '../n8n/sync-workflows.mts';
import type { RunnableWorkflow } from '../n8n/workflows.mts';
import type { Cluster } from './cluster.mts';
import { usePart } from './part.mts';

const companies = 1_003;

/** Tests Sync on two workers. One worker is killed before Confirm Changes. */
export function testSync(running: () => Cluster): void {
	let destination: Destination;
	let workflow: RunnableWorkflow;

	beforeAll(async () => {
		destination = await startDestination();
		workflow = syncBy('queued', getChanges(), destination.load, confirm);
	});
	afterAll(() => destination?.close());
	const part = usePart(running, {
		name: 'queue-sync',
		sandbox: { companies },
		workflows: () => [workflow],
	});

	const begin = async (): Promise<string> => {
		const call = async () => await callWebhook(running().url, workflow);
		return await newExecution(part.client, workflow.id, 'webhook', call);
	};
	const endOf = async (id: string): Promise<Execution> => await part.client.waitForExecution(id);
	const run = async (): Promise<Execution> => await endOf(await begin());

	test('does not return confirmed changes again, whichever worker runs Sync', async () => {
		const first = await run();
		expect(first.status).toBe('success');
		expect(new Set(idsOf(first)).size).toBe(companies);
		const workers = new Set<boolean>();
		for (let round = 0; round < 20 && workers.size < 2; round++) {
			const quiet = await run();
			expect(idsOf(quiet)).toEqual([]);
			workers.add((await running().startedBy())['worker-1'].includes(quiet.id));
		}
		expect(workers.size).toBe(2);
	});

	test('returns all changes again if a worker is killed before Confirm Changes', async () => {
		const { sandbox } = part;
		const cluster = running();
		const changed = idsHeld(sandbox).toSorted().slice(0, 120);
		sandbox.update('company', changed);
		const { loads } = destination;
		const release = destination.hold();
		const id = await begin();
		await waitUntil('a load', () => destination.loads > loads, 60_000);
		const { 'worker-1': first } = await cluster.startedBy();
		await cluster.replaceWorker(first.includes(id) ? 'worker-1' : 'worker-2');
		// n8n reports the execution as failed some seconds after the worker was killed.
		expect((await endOf(id)).status).toMatch(/^(crashed|error)$/);
		release();
		const next = await run();
		expect(idsOf(next).toSorted()).toEqual(changed);
		expect(hintOf(next, 'Get Changes')).toContain('they were not confirmed');
		expect(idsOf(await run())).toEqual([]);
	});
}
