import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keepEvidenceOfFailures } from '../n8n/artifacts.mts';
import { itemsOf } from '../n8n/rest.mts';
import { sandboxCredentials, startSandbox } from '../sandbox/server.mts';
import type { Sandbox } from '../sandbox/server.mts';
import { workerConcurrency } from './cluster.mts';
import type { Cluster, WorkerName } from './cluster.mts';
import { describeOutcome, settle } from './executions.mts';
import type { Outcome } from './executions.mts';
import { dataNodeName, exportedIds, publishWorkflows } from './exports.mts';
import { CRASHES_FOR_MS, enrichFifty } from './retried-calls.mts';
import type { RetriedWorkflow } from './retried-calls.mts';

const companies = 1_003;
/** Of the 100 executions that are spread over the workers. */
const exportCount = 30;
const enrichCount = 70;
const pages = Math.ceil(companies / 50);

let sandbox: Sandbox;
let cluster: Cluster;
let workflows: Awaited<ReturnType<typeof publishWorkflows>>;

async function callWebhook(path: string, body: unknown): Promise<Response> {
	return await fetch(`${cluster.url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
}

/** Starts exports and returns a promise of how they ended; n8n has accepted all of them when this resolves. */
async function startExports(count: number): Promise<() => Promise<Outcome>> {
	const known = new Set(await cluster.client.listExecutions(workflows.export));
	const answers = await Promise.all(Array.from({ length: count }, () => callWebhook('export', {})));
	expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
	const workflowId = workflows.export;
	const startAgain = () => callWebhook('export', {});
	return () => settle(cluster, { workflowId, count, known, startAgain });
}

/** Every export must hold every record once, whether it ran once or was retried. */
async function expectWholeExports(
	{ succeeded, retried, startedAgain }: Outcome,
	count: number,
): Promise<void> {
	const completed = [...succeeded, ...retried, ...startedAgain];
	const held = [...sandbox.records('company')].map(({ id }) => String(id)).sort();
	for (const execution of completed) {
		const ids = await exportedIds(cluster, execution);
		expect(ids.toSorted(), `execution ${execution.id}`).toEqual(held);
	}
	expect(completed).toHaveLength(count);
	console.log(
		`  records              ${count} whole exports of ${held.length} records each, read back from n8n's database`,
	);
}

/**
 * Waits until so many requests have come, and kills a worker that runs what `begin` has started; another takes its place,
 * as a supervisor sees to in production.
 */
async function killWorkerAfter<Begun>(
	requests: number,
	begin: () => Promise<Begun>,
): Promise<{ victim: WorkerName; begun: Begun }> {
	const before = new Set(Object.values(await cluster.startedBy()).flat());
	const begun = await begin();
	while (sandbox.requests.length < requests) await wait(20);
	const { 'worker-1': first } = await cluster.startedBy();
	const victim = first.some((id) => !before.has(id)) ? 'worker-1' : 'worker-2';
	await cluster.replaceWorker(victim);
	return { victim, begun };
}

/** Exports and enrichments on two workers, whatever is killed or restarted meanwhile. */
export function testQueue(running: () => Cluster): void {
	beforeAll(async () => {
		cluster = running();
		sandbox = await startSandbox({ companies });
		workflows = await publishWorkflows(cluster, sandbox.url, sandboxCredentials.v2Full);
	});
	afterAll(async () => await sandbox?.stop());
	beforeEach(() => {
		sandbox.clearFaults();
		sandbox.clearRequests();
		sandbox.setLatency(30);
	});
	keepEvidenceOfFailures('queue', () => ({ logFiles: cluster?.logFiles ?? [], sandbox }));

	test('100 executions are spread over the workers and none is lost', async () => {
		const domains = Array.from({ length: enrichCount }, (_, place) => `company-${place}.example`);
		const exportsEnd = await startExports(exportCount);
		const answers = await Promise.all(
			domains.map(async (domain) => (await callWebhook('enrich', { domain })).json()),
		);
		const exports = await exportsEnd();
		const enrichments = await settle(cluster, {
			workflowId: workflows.enrich,
			count: enrichCount,
		});
		const started = await cluster.startedBy();
		const most = Math.max(...sandbox.requests.map(({ inFlight }) => inFlight));
		console.log(`${describeOutcome('Exports through the queue', exports)}
	  enrichments          ${enrichments.succeeded.length} of ${enrichCount}, ${sandbox.calls.enrich.length} processed by the service
	  per worker           ${Object.entries(started)
			.map(([name, ids]) => `${name}: ${ids.length}`)
			.join(', ')}
	  at the service       at most ${most} requests at once`);

		expect([...exports.lost, ...enrichments.lost]).toEqual([]);
		expect([...exports.failed, ...enrichments.failed]).toEqual([]);
		// Here every execution sends one request at a time.
		expect(most).toBeLessThanOrEqual(Object.keys(started).length * workerConcurrency);
		expect(answers.map((answer) => (answer as { domain: string }).domain)).toEqual(domains);
		const enriched = sandbox.calls.enrich.map((body) => (body as { domain: string }).domain);
		expect(enriched.toSorted()).toEqual(domains.toSorted());
		await expectWholeExports(exports, exportCount);
		const counts = Object.values(started).map(({ length }) => length);
		expect(counts[0] + counts[1]).toBe(exportCount + enrichCount);
		expect(Math.min(...counts)).toBeGreaterThan((exportCount + enrichCount) / 5);
	});

	test('a worker killed in mid-export: what it ran fails visibly and can be completed', async () => {
		sandbox.setLatency(150);
		const { victim, begun: end } = await killWorkerAfter(2 * pages, () => startExports(6));
		const outcome = await end();
		console.log(describeOutcome(`${victim} killed with SIGKILL in mid-export`, outcome));

		expect(outcome.lost).toEqual([]);
		await expectWholeExports(outcome, 6);
	});

	test('a worker killed in the middle of billed calls: nothing repeats them until somebody starts again', async () => {
		sandbox.setLatency(150);
		const known = new Set(await cluster.client.listExecutions(workflows.enrichMany));
		const list = Array.from({ length: 20 }, (_, place) => ({ domain: `billed-${place}.example` }));
		const enrichAll = () => callWebhook('enrich-many', { companies: list });
		const { victim } = await killWorkerAfter(8, enrichAll);
		const billedBefore = sandbox.calls.enrich.length;
		const outcome = await settle(cluster, {
			workflowId: workflows.enrichMany,
			count: 1,
			known,
			startAgain: enrichAll,
		});
		const billed = sandbox.calls.enrich.map((body) => (body as { domain: string }).domain);
		console.log(`${victim} killed with SIGKILL after some of 20 billed calls
	  failed visibly       ${outcome.failed.map(({ status }) => status).join()}
	  billed               ${billedBefore} before the kill, ${billed.length} in all after starting again, ${new Set(billed).size} different`);

		expect(outcome.lost).toEqual([]);
		expect(new Set(billed).size).toBe(list.length);
		// Starting again runs the whole execution again, so what was billed before is billed twice. Nothing more is.
		expect(billed.length).toBeLessThanOrEqual(list.length + billedBefore + 1);
	});

	test('Reuse Results: two workers keep what they paid for, and of a killed one only what was under way is paid again', async () => {
		const companies = (name: string, count: number) =>
			Array.from({ length: count }, (_, place) => ({ domain: `${name}-${place}.example` }));
		const billed = () => sandbox.calls.enrich.map((body) => (body as { domain: string }).domain);
		const workflowId = workflows.enrichKept;
		const [ofOne, ofOther, more] = [
			companies('one', 10),
			companies('other', 10),
			companies('more', 30),
		];
		// Both find no table, and make it.
		await Promise.all(
			[ofOne, ofOther].map((list) => callWebhook('enrich-kept', { companies: list })),
		);
		const together = await settle(cluster, { workflowId, count: 2 });
		expect(together.succeeded).toHaveLength(2);
		expect(billed().toSorted()).toEqual(
			[...ofOne, ...ofOther].map(({ domain }) => domain).toSorted(),
		);

		sandbox.clearRequests();
		sandbox.setLatency(300);
		const known = new Set(await cluster.client.listExecutions(workflowId));
		const all = { companies: [...ofOne, ...more, ...ofOther] };
		const enrichAll = () => callWebhook('enrich-kept', all);
		const { victim } = await killWorkerAfter(16, enrichAll);
		const billedBefore = billed().length;
		const outcome = await settle(cluster, {
			workflowId,
			count: 1,
			known,
			startAgain: enrichAll,
		});
		console.log(`${victim} killed with SIGKILL after some of 30 billed calls whose results are kept
	  billed               ${billedBefore} before the kill, ${billed().length} in all after starting again`);
		const [execution] = [...outcome.retried, ...outcome.startedAgain];
		expect(itemsOf(execution, dataNodeName).map(({ json }) => json.domain)).toEqual(
			all.companies.map(({ domain }) => domain),
		);
		expect([...new Set(billed())].toSorted()).toEqual(more.map(({ domain }) => domain).toSorted());
		// Two are under way at a time, and as many more are answered in the second before the kill as can be.
		expect(billed().length).toBeLessThanOrEqual(more.length + 2 + 7);
	});

	describe("n8n's Retry On Fail on a worker, 3 tries of 50 billed calls", () => {
		const enrich = (name: RetriedWorkflow) => enrichFifty(cluster, sandbox, name, workflows[name]);

		test('Stop, the 30th is cut: each reaches the service once, and its error ends the run', async () => {
			sandbox.addFault({ path: '/v2/enrich', skip: 29, action: 'reset', delayMs: 500 });
			const { execution, arrivals } = await enrich('enrichRetried');
			expect(execution.status).toBe('error');
			expect(execution.error?.description).toContain('may have processed and billed it');
			expect(arrivals).toEqual(arrivals.map(() => 1));
		});

		test('the node itself fails at the 30th: the next try pays only for what is left', async () => {
			const { execution, domains, arrivals } = await enrich('enrichCrashed');
			expect(execution.error?.message).toBeUndefined();
			expect(itemsOf(execution, dataNodeName).map(({ json }) => json.domain)).toEqual(domains);
			expect(arrivals).toEqual(arrivals.map(() => 1));
			// There was a next try.
			expect(execution.seconds).toBeGreaterThan(CRASHES_FOR_MS / 1_000);
		});

		test('Stop, some are refused with HTTP 429: each is processed once, and all results come out', async () => {
			sandbox.addFault({ path: '/v2/enrich', skip: 29, times: 7, status: 429 });
			const { execution, domains, processed } = await enrich('enrichRefused');
			expect(execution.status).toBe('success');
			expect(itemsOf(execution, dataNodeName).map(({ json }) => json.domain)).toEqual(domains);
			expect(processed).toEqual(domains.toSorted());
		});
	});

	test.each([
		['Redis down for 2 seconds', () => cluster.restartRedis(2_000)],
		['main restarted', () => cluster.restartMain()],
	])('%s in mid-export', async (name, disturb) => {
		sandbox.setLatency(100);
		const end = await startExports(12);
		while (sandbox.requests.length < 2 * pages) await wait(50);
		await disturb();
		const outcome = await end();
		console.log(describeOutcome(`${name} in mid-export`, outcome));
		expect(outcome.lost).toEqual([]);
		await expectWholeExports(outcome, 12);
	});

	test("an export that the service broke off: it fails visibly, and n8n's own retry completes it", async () => {
		// The node tries each page five times.
		sandbox.addFault({ skip: 10, times: Infinity, status: 503 });
		const end = await startExports(2);
		while (sandbox.requests.filter(({ status }) => status === 503).length < 10) await wait(50);
		sandbox.clearFaults();
		const outcome = await end();
		console.log(describeOutcome('The service fails in mid-export', outcome));
		expect(outcome.failed.length).toBeGreaterThan(0);
		expect(outcome.retried).toHaveLength(outcome.failed.length);
		expect(outcome.lost).toEqual([]);
		await expectWholeExports(outcome, 2);
	});
}
