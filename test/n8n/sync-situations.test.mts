/** Sync where executions wait, overlap, call each other, or share a workflow with others that remember. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDestination } from './destination.mts';
import type { Destination } from './destination.mts';
import { useLab } from './lab.mts';
import { waitUntil } from './poll.mts';
import type { Execution } from './rest.mts';
import { idsHeld } from './service.mts';
import {
	callWebhook,
	confirm,
	getChanges,
	hintOf,
	idsOf,
	newExecution,
	runByWebhook,
	syncBy,
} from './sync-workflows.mts';
import { chain, n8nNode, pollingTrigger } from './workflows.mts';
import type { RunnableWorkflow, WorkflowNode } from './workflows.mts';

/** n8n puts the execution into its database at once, as it does with a wait of more than 65 seconds. */
const resume = { resume: 'webhook', options: {} };
const untilCalled = n8nNode('Wait', 'wait', 1.1, resume, { webhookId: randomUUID() });
const trigger = pollingTrigger();

/** A workflow that others call, and the node that calls it. */
function callable(name: string, ...nodes: WorkflowNode[]) {
	const called = n8nNode('Called', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
	const workflow = chain(name, [called, ...nodes]);
	const workflowId = { __rl: true, mode: 'id', value: workflow.id };
	const parameters = { workflowId, options: {} };
	const call = n8nNode('Call', 'executeWorkflow', 1.2, parameters, { executeOnce: true });
	return { workflow, call };
}

/** With one more node beside the chain: behind its webhook, or as another trigger. */
function withBeside(workflow: RunnableWorkflow, node: WorkflowNode, isBehind: boolean) {
	const connections = structuredClone(workflow.connections) as Record<string, { main: object[][] }>;
	if (isBehind) connections.Webhook.main[0].push({ node: node.name, type: 'main', index: 0 });
	const nodes = [...workflow.nodes, { id: randomUUID(), position: [224, 448], ...node }];
	return { ...workflow, nodes, connections };
}

/** Each is started by a webhook, or by another of them. */
function makeWorkflows({ load }: Destination) {
	const reads = callable('Sync reads', getChanges());
	const loads = callable('Sync loads', load);
	const whole = callable('Sync whole', getChanges(), confirm);
	return {
		reads: reads.workflow,
		loads: loads.workflow,
		whole: whole.workflow,
		waits: syncBy('waits', getChanges(), load, untilCalled, confirm),
		copied: withBeside(
			syncBy('copied', getChanges(), confirm),
			getChanges({}, 'Get Changes1'),
			true,
		),
		callsReads: syncBy('calls1', reads.call, confirm),
		callsLoads: syncBy('calls2', getChanges(), loads.call, confirm),
		callsWhole: syncBy('calls3', whole.call),
		beside: withBeside(syncBy('beside', getChanges(), confirm), trigger, false),
	};
}

let destination: Destination;
let workflows: ReturnType<typeof makeWorkflows>;

beforeAll(async () => void (destination = await startDestination()));
afterAll(() => destination?.close());

const lab = useLab({
	name: 'sync-situations',
	sandbox: { companies: 30 },
	key: 'v2Regular',
	workflows: () => Object.values((workflows = makeWorkflows(destination))),
});

beforeAll(async () => {
	for (const workflow of Object.values(workflows)) {
		if (workflow !== workflows.beside) await lab.client.activate(workflow.id);
	}
});

const run = async (workflow: RunnableWorkflow): Promise<Execution> =>
	await runByWebhook(lab.n8n, workflow);

/** Starts a workflow that waits, and gives what lets it go on to its end. */
async function beginWaiting(): Promise<() => Promise<Execution>> {
	const { loads } = destination;
	const begin = async () => await callWebhook(lab.n8n.server.url, workflows.waits);
	const id = await newExecution(lab.client, workflows.waits.id, 'webhook', begin);
	await waitUntil('a load', () => destination.loads > loads, 60_000);
	const { resumeUrl } = destination;
	const isWaiting = async () => (await lab.client.readExecution(id))?.status === 'waiting';
	await waitUntil('the wait', isWaiting, 60_000);
	return async () => {
		expect((await fetch(resumeUrl)).status).toBe(200);
		return await lab.client.waitForExecution(id);
	};
}

const all = (): string[] => idsHeld(lab.sandbox).toSorted();

describe('an execution that n8n has put into its database to wait', () => {
	test('confirms what it has read before', async () => {
		const goOn = await beginWaiting();
		const execution = await goOn();
		expect(idsOf(execution).toSorted()).toEqual(all());
		expect(hintOf(execution, 'Confirm')).toContain(`Confirmed ${all().length} changes.`);
		const created = lab.sandbox.create('company', 2);
		const goOnAgain = await beginWaiting();
		expect(idsOf(await goOnAgain()).toSorted()).toEqual(created.toSorted());
	});

	test('confirms nothing where another has read the same meanwhile, which confirms it', async () => {
		const created = lab.sandbox.create('company', 2);
		const goOn = await beginWaiting();
		const goOnWithOther = await beginWaiting();
		expect(hintOf(await goOn(), 'Confirm')).toContain('another execution has read these changes');
		const other = await goOnWithOther();
		expect(hintOf(other, 'Confirm')).toContain('Confirmed 2 changes.');
		expect(idsOf(other).toSorted()).toEqual(created.toSorted());
		expect(idsOf(await run(workflows.waits))).toEqual([]);
	});
});

test('a copied node has a place of its own', async () => {
	const first = await run(workflows.copied);
	expect(idsOf(first).toSorted()).toEqual(all());
	expect(idsOf(first, 'Get Changes1').toSorted()).toEqual(all());
	const second = await run(workflows.copied);
	expect(idsOf(second)).toEqual([]);
	// Nothing has confirmed what the copy has read.
	expect(idsOf(second, 'Get Changes1').toSorted()).toEqual(all());
});

describe('sub-workflows', () => {
	test('what a called workflow has read, its caller cannot confirm: it says so, and it comes again', async () => {
		for (let round = 0; round < 2; round++) {
			const execution = await run(workflows.callsReads);
			expect(idsOf(execution, 'Call').toSorted()).toEqual(all());
			expect(hintOf(execution, 'Confirm')).toContain('Nothing to confirm');
		}
	});

	test.each([
		['one between reading and confirming changes nothing', 'callsLoads', 'Get Changes'],
		['one that reads and confirms has its place, whoever calls it', 'callsWhole', 'Call'],
	] as const)('%s', async (_name, workflow, reader) => {
		expect(idsOf(await run(workflows[workflow]), reader).toSorted()).toEqual(all());
		expect(idsOf(await run(workflows[workflow]), reader)).toEqual([]);
	});
});

test('a trigger of this package in the same workflow: each keeps its own place', async () => {
	const { beside } = workflows;
	await lab.client.activate(beside.id);
	const seen = new Set<string>();
	/** The ids that the trigger gives next, once there are so many. */
	const deliver = async (count: number): Promise<string[]> => {
		const delivered: string[] = [];
		const areThere = async (): Promise<boolean> => {
			for (const id of await lab.client.listExecutions(beside.id)) {
				if (seen.has(id)) continue;
				seen.add(id);
				delivered.push(...idsOf(await lab.client.waitForExecution(id), trigger.name));
			}
			return delivered.length >= count;
		};
		await waitUntil('the trigger', areThere, 60_000);
		return delivered.toSorted();
	};
	expect(idsOf(await run(beside)).toSorted()).toEqual(all());
	for (let round = 0; round < 2; round++) {
		const created = lab.sandbox.create('company', 3).toSorted();
		expect(await deliver(3)).toEqual(created);
		expect(idsOf(await run(beside)).toSorted()).toEqual(created);
		expect(idsOf(await run(beside))).toEqual([]);
	}
});
