import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepEvidenceOfFailures } from '../n8n/artifacts.mts';
import { startDestination } from '../n8n/destination.mts';
import type { Destination } from '../n8n/destination.mts';
import { sandboxCredentialFile } from '../n8n/imports.mts';
import { storeCredentials, storeWorkflow } from '../n8n/rest-setup.mts';
import type { Execution } from '../n8n/rest.mts';
import {
	callWebhook,
	confirm,
	getChanges,
	hintOf,
	idsOf,
	newExecution,
} from '../n8n/sync-workflows.mts';
import { chain, webhook } from '../n8n/workflows.mts';
import type { RunnableWorkflow } from '../n8n/workflows.mts';
import { sandboxCredentials, startSandbox } from '../sandbox/server.mts';
import type { Sandbox } from '../sandbox/server.mts';
import type { Cluster } from './cluster.mts';

const companies = 1_003;
const pageSize = 50;

let sandbox: Sandbox;
let destination: Destination;
let cluster: Cluster;
let workflow: RunnableWorkflow;

async function begin(): Promise<string> {
	const call = async () => await callWebhook(cluster.url, workflow);
	return await newExecution(cluster.client, workflow.id, 'webhook', call);
}

async function run(): Promise<Execution> {
	return await cluster.client.waitForExecution(await begin());
}

/** The worker that an execution is on dies, and another takes its place; n8n notices that after a while. */
async function killWorkerOf(id: string): Promise<void> {
	const { 'worker-1': first } = await cluster.startedBy();
	const victim = first.includes(id) ? 'worker-1' : 'worker-2';
	await cluster.replaceWorker(victim);
	expect((await cluster.client.waitForExecution(id)).status).toMatch(/^(crashed|error)$/);
}

/** So many companies change; gives their ids. */
function changeSome(from: number, count: number): string[] {
	const all = [...sandbox.records('company')].map(({ id }) => String(id));
	const changed = all.toSorted().slice(from, from + count);
	sandbox.update('company', changed);
	return changed;
}

/** Sync on two workers: one is killed while it reads, and while what it has read is loaded. */
export function testSync(running: () => Cluster): void {
	beforeAll(async () => {
		cluster = running();
		sandbox = await startSandbox({ companies });
		destination = await startDestination();
		const file = sandboxCredentialFile(sandbox.url, sandboxCredentials.v2Regular);
		const credentials = await storeCredentials(cluster.client, [file]);
		const nodes = [
			webhook('sync', 'onReceived'),
			getChanges({ options: { pageSize } }),
			destination.load,
			confirm,
		];
		workflow = await storeWorkflow(cluster.client, chain('Sync queued', nodes), credentials);
		await cluster.client.activate(workflow.id);
	});
	afterAll(async () => {
		destination?.close();
		await sandbox?.stop();
	});
	keepEvidenceOfFailures('queue-sync', () => ({ logFiles: cluster?.logFiles ?? [], sandbox }));

	test('the first run is confirmed, on whichever worker; the next one is quiet on any', async () => {
		const first = await run();
		expect(first.status).toBe('success');
		expect(new Set(idsOf(first)).size).toBe(companies);
		const workers = new Set<boolean>();
		for (let round = 0; round < 20 && workers.size < 2; round++) {
			const quiet = await run();
			expect(idsOf(quiet)).toEqual([]);
			workers.add((await cluster.startedBy())['worker-1'].includes(quiet.id));
		}
		expect(workers.size).toBe(2);
	});

	test('a worker killed while it reads: the next run gives all of it, and nothing that was confirmed', async () => {
		const changed = changeSome(100, 400);
		sandbox.clearRequests();
		sandbox.setLatency(400);
		const id = await begin();
		while (sandbox.requests.length < 4) await wait(20);
		await killWorkerOf(id);
		// In the middle: some of the eight pages and more were read.
		expect(sandbox.requests.length).toBeLessThan(400 / pageSize);
		sandbox.setLatency(0);
		const created = sandbox.create('company', 3);
		const next = await run();
		expect(next.status).toBe('success');
		expect(idsOf(next).toSorted()).toEqual([...changed, ...created].toSorted());
		expect(idsOf(await run())).toEqual([]);
	});

	test('a worker killed while the changes are loaded: nothing was confirmed, so they come again', async () => {
		const changed = changeSome(0, 120);
		const before = destination.loads;
		const release = destination.hold();
		const id = await begin();
		while (destination.loads === before) await wait(20);
		await killWorkerOf(id);
		release();
		const next = await run();
		expect(idsOf(next).toSorted()).toEqual(changed.toSorted());
		expect(hintOf(next, 'Get Changes')).toContain('nothing confirmed them');
		expect(idsOf(await run())).toEqual([]);
	});

	test('two runs at once: the one that has read last confirms, the other says that it was overtaken', async () => {
		const changed = changeSome(300, 60);
		const before = destination.loads;
		const release = destination.hold();
		const slow = await begin();
		while (destination.loads < before + 1) await wait(20);
		const later = changeSome(700, 20);
		const fast = await begin();
		while (destination.loads < before + 2) await wait(20);
		release();
		const [overtaken, confirmed] = await Promise.all(
			[slow, fast].map(async (id) => await cluster.client.waitForExecution(id)),
		);
		expect(idsOf(overtaken).toSorted()).toEqual(changed.toSorted());
		expect(hintOf(overtaken, 'Confirm')).toContain('another execution has read these changes');
		expect(idsOf(confirmed).toSorted()).toEqual([...changed, ...later].toSorted());
		expect(hintOf(confirmed, 'Confirm')).toBe('[]');
		expect(idsOf(await run())).toEqual([]);
	});
}
