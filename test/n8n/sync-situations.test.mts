/** Sync in a real n8n where executions wait, overlap, are retried or called. */
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
import { chain, n8nNode } from './workflows.mts';
import type { RunnableWorkflow } from './workflows.mts';

/** n8n puts the execution into its database at once, as it does with a wait of more than 65 seconds. */
const resume = { resume: 'webhook', options: {} };
const untilCalled = n8nNode('Wait', 'wait', 1.1, resume, { webhookId: randomUUID() });

/** Made once the address of the destination is known. */
function makeWorkflows({ load }: Destination) {
	const begin = n8nNode('Called', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
	const called = chain('Sync called', [begin, getChanges(), confirm]);
	const workflowId = { __rl: true, mode: 'id', value: called.id };
	const call = n8nNode('Call', 'executeWorkflow', 1.2, { workflowId, options: {} });
	return {
		called,
		calls: syncBy('calls', call, { ...confirm, name: 'Confirm too' }),
		waits: syncBy('waits', getChanges(), load, untilCalled, confirm),
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
	for (const { id } of Object.values(workflows)) await lab.client.activate(id);
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

test('a called workflow that reads and confirms has its place; its caller cannot confirm what it has read', async () => {
	const first = await run(workflows.calls);
	expect(idsOf(first, 'Call').toSorted()).toEqual(all());
	expect(hintOf(first, 'Confirm too')).toContain('Nothing to confirm');
	expect(idsOf(await run(workflows.calls), 'Call')).toEqual([]);
});
