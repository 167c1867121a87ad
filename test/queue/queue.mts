import { beforeEach, expect, test } from 'vitest';
import { waitUntil } from '../n8n/poll.mts';
import { itemsOf } from '../n8n/rest.mts';
import { companiesNamed, domainsOf, idsHeld } from '../n8n/service.mts';
import { callWebhook } from '../n8n/sync-workflows.mts';
import {
	chain,
	companiesByWebhook,
	companiesNode,
	dataNode,
	enrichNode,
	webhook,
	type RunnableWorkflow,
} from '../n8n/workflows.mts';
import { workerConcurrency, type Cluster, type WorkerName } from './cluster.mts';
import { executionsSince, exportedIds, settle, type Outcome } from './executions.mts';
import { usePart } from './part.mts';

const companies = 1_003;
/** Number of exports among the 100 executions that start at the same time. */
const exportCount = 30;
const enrichCount = 70;
const pages = Math.ceil(companies / 50);
const nodeName = 'Workspace Data';

const workflows = {
	/** Workflow that exports all companies into files. */
	export: chain('Export', [
		webhook('export', 'onReceived'),
		companiesNode({ pagination: { values: { pageSize: 50 } }, recordsPerFile: 400 }, 'ndjson'),
	]),
	/** Workflow that enriches the first company in the webhook's body, and responds with the result. */
	enrich: chain('Enrich', [
		webhook('enrich'),
		dataNode({
			resource: 'company',
			operation: 'enrich',
			dataToSend: 'json',
			jsonBody: '={{ { domain: $json.body.companies[0].domain } }}',
		}),
	]),
	/** Workflow that enriches each company in the webhook's body, one after the other. */
	many: chain('Enrich many', [
		...companiesByWebhook('enrich-many'),
		enrichNode({ maxConcurrent: 1 }),
	]),
	/** Workflow that enriches each company in the webhook's body with Keep Results, two at a time. */
	kept: chain('Enrich kept', [
		...companiesByWebhook('enrich-kept'),
		enrichNode({ cache: { values: { days: 30 } }, maxConcurrent: 2 }),
	]),
};

/** Tests exports and enrichments on two workers while processes are killed and restarted. */
export function testQueue(running: () => Cluster): void {
	const part = usePart(running, {
		name: 'queue',
		sandbox: { companies },
		workflows: () => Object.values(workflows),
	});
	beforeEach(() => part.sandbox.setLatency(30));

	/** Returns the domains of all processed enrich calls. Each of these calls may have been billed. */
	const billed = () => domainsOf(part.sandbox.calls.enrich);

	/**
	 * Calls a workflow's webhook once with each list of companies. Returns a function that waits until all executions
	 * have ended.
	 */
	async function start(
		workflow: RunnableWorkflow,
		lists: object[][],
	): Promise<() => Promise<Outcome>> {
		const { client, url } = running();
		const call = async (list: object[] = []) => {
			const response = await callWebhook(url, workflow, { companies: list });
			expect(response.status).toBe(200);
		};
		const known = await client.listExecutions(workflow.id);
		await Promise.all(lists.map(call));
		const again = async () => await call(lists[0]);
		return async () => {
			const ids = await executionsSince(client, workflow.id, known, lists.length);
			return await settle(client, workflow.id, ids, nodeName, again);
		};
	}

	const startExports = async (count: number) =>
		await start(workflows.export, Array<object[]>(count).fill([]));

	/** Expects that no execution was lost, and that every export contains every company once. */
	async function expectWholeExports({ completed, lost }: Outcome, count: number): Promise<void> {
		expect(lost).toEqual([]);
		for (const execution of completed) {
			const ids = await exportedIds(part.client, execution, nodeName);
			expect(ids.toSorted(), `execution ${execution.id}`).toEqual(idsHeld(part.sandbox).toSorted());
		}
		expect(completed).toHaveLength(count);
	}

	const waitForRequests = async (count: number): Promise<void> =>
		await waitUntil(`${count} requests`, () => part.sandbox.requests.length >= count, 60_000);

	/**
	 * Starts executions with `begin`, waits until the service has received a number of requests, and kills a worker
	 * that runs one of these executions. A new worker replaces it, as in production.
	 */
	async function killWorkerAfter<Begun>(requests: number, begin: () => Promise<Begun>) {
		const cluster = running();
		const before = new Set(Object.values(await cluster.startedBy()).flat());
		const begun = await begin();
		await waitForRequests(requests);
		const { 'worker-1': first } = await cluster.startedBy();
		const victim: WorkerName = first.some((id) => !before.has(id)) ? 'worker-1' : 'worker-2';
		await cluster.replaceWorker(victim);
		return begun;
	}

	test('spreads 100 executions across two workers, and loses none of them', async () => {
		const { sandbox } = part;
		const cluster = running();
		const lists = companiesNamed('company', enrichCount).map((company) => [company]);
		const exportsEnd = await startExports(exportCount);
		const answers = await Promise.all(
			lists.map(async (list) => {
				const response = await callWebhook(cluster.url, workflows.enrich, { companies: list });
				return await response.json();
			}),
		);
		const exports = await exportsEnd();
		const started = Object.values(await cluster.startedBy()).map(({ length }) => length);
		const most = Math.max(...sandbox.requests.map(({ inFlight }) => inFlight));

		await expectWholeExports(exports, exportCount);
		expect(exports.failed).toEqual([]);
		// The number of requests in flight is limited, because each of these executions sends one request at a time.
		expect(most).toBeLessThanOrEqual(started.length * workerConcurrency);
		expect(domainsOf(answers)).toEqual(domainsOf(lists.flat()));
		expect(billed().toSorted()).toEqual(domainsOf(lists.flat()));
		expect(started[0] + started[1]).toBe(exportCount + enrichCount);
		expect(Math.min(...started)).toBeGreaterThan((exportCount + enrichCount) / 5);
	});

	test('marks executions of a killed worker as failed, and completes them after a retry', async () => {
		part.sandbox.setLatency(150);
		const end = await killWorkerAfter(2 * pages, () => startExports(6));
		await expectWholeExports(await end(), 6);
	});

	test('repeats billed calls of a killed worker only if a user retries the execution', async () => {
		part.sandbox.setLatency(150);
		const list = companiesNamed('billed', 20);
		const end = await killWorkerAfter(8, () => start(workflows.many, [list]));
		const before = billed().length;
		const { lost } = await end();

		expect(lost).toEqual([]);
		expect(new Set(billed()).size).toBe(list.length);
		// The retry runs the whole execution again. So only the calls before the kill are billed twice.
		expect(billed().length, 'billed').toBeLessThanOrEqual(list.length + before + 1);
	});

	test('keeps the results of two workers, and pays twice only for the last calls of a killed worker', async () => {
		const [ofOne, ofOther] = [companiesNamed('one', 10), companiesNamed('other', 10)];
		const more = companiesNamed('more', 30);
		// Both executions find no data table for results, so both try to create it.
		const together = await (await start(workflows.kept, [ofOne, ofOther]))();
		expect(together.completed).toHaveLength(2);
		expect(together.failed).toEqual([]);
		expect(billed().toSorted()).toEqual(domainsOf([...ofOne, ...ofOther]));

		part.sandbox.clearRequests();
		part.sandbox.setLatency(300);
		const all = [...ofOne, ...more, ...ofOther];
		const end = await killWorkerAfter(16, () => start(workflows.kept, [all]));
		const { completed, failed } = await end();
		expect(failed).toHaveLength(1);
		const [execution] = completed;
		expect(domainsOf(itemsOf(execution, nodeName).map(({ json }) => json))).toEqual(domainsOf(all));
		expect([...new Set(billed())].toSorted()).toEqual(domainsOf(more));
		// Two calls are in flight when the worker is killed. Up to seven more calls got a response in the last second
		// before, too late for n8n to store the result.
		expect(billed().length, 'billed').toBeLessThanOrEqual(more.length + 2 + 7);
	});

	test('completes 12 exports even if Redis is down for 2 seconds', async () => {
		part.sandbox.setLatency(100);
		const end = await startExports(12);
		await waitForRequests(2 * pages);
		await running().restartRedis(2_000);
		await expectWholeExports(await end(), 12);
	});
}
