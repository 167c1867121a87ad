/**
 * Tests Sync in a real n8n: progress in n8n's data table, and executions that wait, overlap, are retried, or call each
 * other.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
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

/** Parameters of a Wait node that waits for a webhook call. n8n stores such an execution in its database at once. */
const resume = { resume: 'webhook', options: {} };
const untilCalled = n8nNode('Wait', 'wait', 1.1, resume, { webhookId: randomUUID() });

/** Returns the workflows of the tests. They load changes into the destination server. */
function makeWorkflows({ load }: Destination) {
	const begin = n8nNode('Called', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
	const called = chain('Sync called', [begin, getChanges(), confirm]);
	const workflowId = { __rl: true, mode: 'id', value: called.id };
	const call = n8nNode('Call', 'executeWorkflow', 1.2, { workflowId, options: {} });
	return {
		confirmed: syncBy('confirmed', getChanges(), load, confirm),
		waits: syncBy('waits', getChanges(), load, untilCalled, confirm),
		overlaps: syncBy('overlaps', getChanges(), load, confirm),
		called,
		calls: syncBy('calls', call, { ...confirm, name: 'Confirm too' }),
	};
}

let destination: Destination;
let workflows: ReturnType<typeof makeWorkflows>;

beforeAll(async () => void (destination = await startDestination()));
afterAll(() => destination?.close());

const lab = useLab({
	name: 'sync',
	sandbox: { companies: 250 },
	key: 'v2Regular',
	workflows: () => Object.values((workflows = makeWorkflows(destination))),
});

beforeAll(async () => {
	for (const { id } of Object.values(workflows)) await lab.client.activate(id);
});
beforeEach(() => void (destination.accepts = Infinity));

const run = async (workflow: RunnableWorkflow): Promise<Execution> =>
	await runByWebhook(lab.n8n, workflow);

const all = (): string[] => idsHeld(lab.sandbox).toSorted();

test('confirms the changes of a failed execution when a user retries it', async () => {
	destination.accepts = 0;
	const { id, status } = await run(workflows.confirmed);
	expect(status).toBe('error');
	destination.accepts = Infinity;
	const retryId = await newExecution(lab.client, workflows.confirmed.id, 'retry', async () => {
		await lab.client.request('POST', `/executions/${id}/retry`, { loadWorkflow: false });
	});
	const retried = await lab.client.waitForExecution(retryId);
	expect(retried.status).toBe('success');
	expect(hintOf(retried, 'Confirm')).toContain(`Confirmed ${all().length} changes.`);
	expect(idsOf(await run(workflows.confirmed))).toEqual([]);
});

test('confirms changes after a Wait node, even if n8n stores the waiting execution in its database', async () => {
	const { loads } = destination;
	const begin = async () => await callWebhook(lab.n8n.server.url, workflows.waits);
	const id = await newExecution(lab.client, workflows.waits.id, 'webhook', begin);
	await waitUntil('a load', () => destination.loads > loads, 60_000);
	const isWaiting = async () => (await lab.client.readExecution(id))?.status === 'waiting';
	await waitUntil('the wait', isWaiting, 60_000);
	expect((await fetch(destination.resumeUrl)).status).toBe(200);
	const execution = await lab.client.waitForExecution(id);
	expect(idsOf(execution).toSorted()).toEqual(all());
	expect(hintOf(execution, 'Confirm')).toContain(`Confirmed ${all().length} changes.`);
	expect(idsOf(await run(workflows.waits))).toEqual([]);
});

test('keeps separate progress for a sub-workflow, and refuses to confirm its changes in the calling workflow', async () => {
	const first = await run(workflows.calls);
	expect(idsOf(first, 'Call').toSorted()).toEqual(all());
	expect(JSON.stringify(first.error)).toContain('into one workflow');
	expect(idsOf(await run(workflows.calls), 'Call')).toEqual([]);
});

test('confirms nothing if an overlapping execution has confirmed changes first, and loses no change', async () => {
	/**
	 * Starts an execution that reads changes, and delays the response to its load. Returns a function that ends the
	 * delay and returns the ids and hints of the execution.
	 */
	const begin = async () => {
		const { loads } = destination;
		const release = destination.hold();
		const call = async () => await callWebhook(lab.n8n.server.url, workflows.overlaps);
		const id = await newExecution(lab.client, workflows.overlaps.id, 'webhook', call);
		await waitUntil('a load', () => destination.loads > loads, 60_000);
		return async () => {
			release();
			const execution = await lab.client.waitForExecution(id);
			return [idsOf(execution).toSorted(), hintOf(execution, 'Confirm')];
		};
	};
	const changed = all().slice(0, 7);
	const nothing = expect.stringContaining(
		'another execution has confirmed changes in the meantime',
	);

	const endFirst = await begin();
	const endSecond = await begin();
	lab.sandbox.update('company', changed);
	const endThird = await begin();
	expect(await endFirst()).toEqual([all(), expect.stringContaining('Confirmed 250 changes.')]);
	const endFourth = await begin();
	expect(await endSecond()).toEqual([all(), nothing]);
	expect(await endThird()).toEqual([all(), nothing]);
	expect(await endFourth()).toEqual([changed, expect.stringContaining('Confirmed 7 changes.')]);
	destination.hold()();
	expect(idsOf(await run(workflows.overlaps))).toEqual([]);
});
