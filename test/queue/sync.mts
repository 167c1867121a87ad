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
const pageSize = 50;

/** Sync on two workers: one is killed while it reads, and while what it has read is loaded. */
export function testSync(running: () => Cluster): void {
	let destination: Destination;
	let workflow: RunnableWorkflow;

	beforeAll(async () => {
		destination = await startDestination();
		const read = getChanges({ options: { pageSize } });
		workflow = syncBy('queued', read, destination.load, confirm);
	});
	afterAll(() => destination?.close());
	const part = usePart(running, {
		name: 'queue-sync',
		sandbox: { companies },
		workflows: () => [workflow],
	});

	const begin = async (): Promise<string> => {
		const call = async () => await callWebhook(part.cluster.url, workflow);
		return await newExecution(part.cluster.client, workflow.id, 'webhook', call);
	};
	const endOf = async (id: string): Promise<Execution> =>
		await part.cluster.client.waitForExecution(id);
	const run = async (): Promise<Execution> => await endOf(await begin());

	/** Starts a run, and gives its id once it has loaded what it has read, which is held. */
	async function beginLoading(): Promise<string> {
		const before = destination.loads;
		const id = await begin();
		await waitUntil('a load', () => destination.loads > before, 60_000);
		return id;
	}

	/** The worker that an execution is on dies, and another takes its place; n8n notices that after a while. */
	async function killWorkerOf(id: string): Promise<void> {
		const { 'worker-1': first } = await part.cluster.startedBy();
		await part.cluster.replaceWorker(first.includes(id) ? 'worker-1' : 'worker-2');
		expect((await endOf(id)).status).toMatch(/^(crashed|error)$/);
	}

	/** So many companies change; gives their ids. */
	function changeSome(from: number, count: number): string[] {
		const changed = idsHeld(part.sandbox)
			.toSorted()
			.slice(from, from + count);
		part.sandbox.update('company', changed);
		return changed;
	}

	test('the first run is confirmed, on whichever worker; the next one is quiet on any', async () => {
		const first = await run();
		expect(first.status).toBe('success');
		expect(new Set(idsOf(first)).size).toBe(companies);
		const workers = new Set<boolean>();
		for (let round = 0; round < 20 && workers.size < 2; round++) {
			const quiet = await run();
			expect(idsOf(quiet)).toEqual([]);
			workers.add((await part.cluster.startedBy())['worker-1'].includes(quiet.id));
		}
		expect(workers.size).toBe(2);
	});

	test('a worker killed while it reads: the next run gives all of it, and nothing that was confirmed', async () => {
		const { sandbox } = part;
		const changed = changeSome(100, 400);
		sandbox.setLatency(400);
		const id = await begin();
		await waitUntil('four requests', () => sandbox.requests.length >= 4, 60_000);
		await killWorkerOf(id);
		// In the middle: some of the eight pages and more were read.
		expect(sandbox.requests.length, 'requests').toBeLessThan(400 / pageSize);
		sandbox.setLatency(0);
		const created = sandbox.create('company', 3);
		const next = await run();
		expect(next.status).toBe('success');
		expect(idsOf(next).toSorted()).toEqual([...changed, ...created].toSorted());
		expect(idsOf(await run())).toEqual([]);
	});

	test('a worker killed while the changes are loaded: nothing was confirmed, so they come again', async () => {
		const changed = changeSome(0, 120);
		const release = destination.hold();
		await killWorkerOf(await beginLoading());
		release();
		const next = await run();
		expect(idsOf(next).toSorted()).toEqual(changed);
		expect(hintOf(next, 'Get Changes')).toContain('nothing confirmed them');
		expect(idsOf(await run())).toEqual([]);
	});
}
