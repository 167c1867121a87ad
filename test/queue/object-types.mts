import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { keepEvidenceOfFailures } from '../n8n/artifacts.mts';
import { readExamples, sandboxCredentialFile } from '../n8n/imports.mts';
import { poll } from '../n8n/poll.mts';
import { storeCredentials, storeWorkflow } from '../n8n/rest-setup.mts';
import { itemsOf, type Execution } from '../n8n/rest.mts';
import { objectTypeNames, type ObjectType } from '../sandbox/object-types.mts';
import { sandboxCredentials, startSandbox, type Sandbox } from '../sandbox/server.mts';
import type { Cluster, WorkerName } from './cluster.mts';
import { exportedIds } from './exports.mts';

const recordsOfEach = 2_003;
const dataNodeName = 'Read all its records';
/** Four times as many as one worker runs at once: exports wait for the service, so it is workers that they wait for. */
const manyExports = 20;

let sandbox: Sandbox;
let cluster: Cluster;
let workflowId: string;

const idsNow = async (): Promise<Set<string>> =>
	new Set(await cluster.client.listExecutions(workflowId));

async function startExport(objectType: ObjectType): Promise<void> {
	const { status } = await fetch(`${cluster.url}/webhook/export-object-type`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ object_type: objectType }),
	});
	expect(status).toBe(200);
}

/** Starts the example from its schedule and gives its exports, once they have ended. */
async function exportAll(meanwhile?: () => Promise<void>): Promise<Execution[]> {
	const known = await idsNow();
	const trigger = 'Every night at 02:00';
	const parent = await cluster.client.runWorkflow(workflowId, trigger);
	expect(parent.error?.message).toBeUndefined();
	known.add(parent.id);
	await meanwhile?.();
	return await exportsSince(known, objectTypeNames.length);
}

async function exportsSince(known: ReadonlySet<string>, count: number): Promise<Execution[]> {
	const isNew = (id: string): boolean => !known.has(id);
	const started = async (): Promise<string[] | undefined> => {
		const found = [...(await idsNow())].filter(isNew);
		return found.length < count ? undefined : found;
	};
	const ids = await poll(`${count} executions`, started, 60_000);
	expect(ids).toHaveLength(count);
	return await Promise.all(ids.map(async (id) => await cluster.client.waitForExecution(id)));
}

/** Which type an export was of, by its file's name. */
function typeOf(execution: Execution): string {
	const name = itemsOf(execution, dataNodeName)[0]?.binary?.data?.fileName ?? '';
	return name.slice(0, name.indexOf('-'));
}

/** Each export holds each record of its type once. */
async function expectWhole(executions: Execution[]): Promise<void> {
	for (const execution of executions) {
		const held = [...sandbox.records(typeOf(execution) as ObjectType)].map(({ id }) => String(id));
		const ids = await exportedIds(cluster, execution, dataNodeName);
		expect(ids.toSorted(), `execution ${execution.id}`).toEqual(held.toSorted());
	}
}

async function workersOf(executions: Execution[]): Promise<WorkerName[]> {
	const started = await cluster.startedBy();
	return executions.map(({ id }) => (started['worker-1'].includes(id) ? 'worker-1' : 'worker-2'));
}

/** How many executions, at most, ran at the same time. */
function mostAtOnce(executions: Execution[]): number {
	const runsAt = (time: number): Execution[] =>
		executions.filter(
			({ startedAt, seconds }) => startedAt <= time && time < startedAt + 1_000 * seconds,
		);
	return Math.max(...executions.map(({ startedAt }) => runsAt(startedAt).length));
}

/** Many exports: seconds from the first call to the end of the last one, and how many of them ran at the same time. */
async function runMany(): Promise<{ seconds: number; atOnce: number }> {
	const known = await idsNow();
	const started = performance.now();
	const types = Array.from(
		{ length: manyExports },
		(_, at) => objectTypeNames[at % 4] ?? 'company',
	);
	await Promise.all(types.map(startExport));
	const executions = await exportsSince(known, manyExports);
	const seconds = (performance.now() - started) / 1_000;
	expect(executions.filter(({ status }) => status !== 'success')).toEqual([]);
	return { seconds, atOnce: mostAtOnce(executions) };
}

/** The example that exports every object type at once, by both workers. */
export function testObjectTypes(running: () => Cluster): void {
	beforeAll(async () => {
		cluster = running();
		const [companies, deals, items, orders] = Array<number>(4).fill(recordsOfEach);
		sandbox = await startSandbox({ companies, deals, items, orders });
		const example = (await readExamples())['export-every-object-type'];
		const credential = sandboxCredentialFile(sandbox.url, sandboxCredentials.v2Full);
		const credentials = await storeCredentials(cluster.client, [credential]);
		({ id: workflowId } = await storeWorkflow(cluster.client, example, credentials));
		await cluster.client.activate(workflowId);
	});
	afterAll(async () => await sandbox?.stop());
	beforeEach(() => {
		sandbox.clearRequests();
		sandbox.setLatency(100);
	});
	keepEvidenceOfFailures('queue-object-types', () => ({
		logFiles: cluster?.logFiles ?? [],
		sandbox,
	}));

	test('every object type is exported at once, by both workers', async () => {
		const workers = new Set<WorkerName>();
		// Four exports may all come to one worker by chance.
		for (let round = 0; round < 5 && workers.size < 2; round++) {
			const executions = await exportAll();
			expect(executions.map(({ status }) => status)).toEqual(executions.map(() => 'success'));
			expect(executions.map(typeOf).toSorted()).toEqual([...objectTypeNames].toSorted());
			await expectWhole(executions);
			for (const worker of await workersOf(executions)) workers.add(worker);
		}
		expect(workers.size).toBe(2);
	});

	test('a worker is killed in the middle: started again, the export is whole', async () => {
		sandbox.setLatency(1_500);
		const executions = await exportAll(async () => {
			while (sandbox.requests.length < 2 * objectTypeNames.length) await wait(50);
			const { 'worker-1': first, 'worker-2': second } = await cluster.startedBy();
			const victim =
				Number(first.at(-1) ?? 0) > Number(second.at(-1) ?? 0) ? 'worker-1' : 'worker-2';
			await cluster.replaceWorker(victim);
		});
		const isDone = ({ status }: Execution): boolean => status === 'success';
		const failed = executions.filter((execution) => !isDone(execution));
		expect(failed.length).toBeGreaterThan(0);
		await expectWhole(executions.filter(isDone));
		sandbox.setLatency(20);
		const again = await exportAll();
		expect(again.map(({ status }) => status)).toEqual(again.map(() => 'success'));
		expect(again.map(typeOf).toSorted()).toEqual([...objectTypeNames].toSorted());
		await expectWhole(again);
	});

	// What makes two workers faster is a condition. How much faster is printed: it depends on what else the machine does.
	test('of many exports, two workers run 1.6 times as many at once as one', async () => {
		sandbox.setLatency(1_000);
		const two = await runMany();
		await cluster.killWorker('worker-2');
		const one = await runMany();
		await cluster.startWorker('worker-2');
		console.log(
			`  ${manyExports} exports of ${recordsOfEach} records at 1 s: ${one.seconds.toFixed(1)} s with one worker, ${two.seconds.toFixed(1)} s with two (${(one.seconds / two.seconds).toFixed(2)} ×); ${one.atOnce} and ${two.atOnce} of them at once`,
		);
		expect(two.atOnce).toBeGreaterThanOrEqual(1.6 * one.atOnce);
	}, 600_000);
}
