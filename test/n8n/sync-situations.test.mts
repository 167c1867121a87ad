/** Sync where executions wait, overlap, call each other, or share a workflow with others that remember. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDestination } from './destination.mts';
import type { Destination } from './destination.mts';
import { useLab } from './lab.mts';
import { waitUntil } from './poll.mts';
import type { Execution } from './rest.mts';
import { situations, trigger } from './sync-situations.mts';
import { callWebhook, hintOf, idsOf, newExecution, runByWebhook } from './sync-workflows.mts';
import type { RunnableWorkflow } from './workflows.mts';

const companies = 30;

let destination: Destination;
let workflows: ReturnType<typeof situations>;

beforeAll(async () => void (destination = await startDestination()));
afterAll(() => destination?.close());

const lab = useLab({
	name: 'sync-situations',
	sandbox: { companies },
	key: 'v2Regular',
	workflows: () => Object.values((workflows = situations(destination.load))),
});

beforeAll(async () => {
	for (const workflow of Object.values(workflows)) {
		if (workflow !== workflows.beside) await lab.client.activate(workflow.id);
	}
});

const run = async (workflow: RunnableWorkflow): Promise<Execution> =>
	await runByWebhook(lab.n8n, workflow);

/** Starts a workflow, and gives its id once it has loaded what it has read. */
async function beginLoading(workflow: RunnableWorkflow): Promise<string> {
	const before = destination.loads;
	const begin = async () => await callWebhook(lab.n8n.server.url, workflow);
	const id = await newExecution(lab.client, workflow.id, 'webhook', begin);
	await waitUntil('a load', () => destination.loads > before, 60_000);
	return id;
}

/** Starts a workflow that waits, and gives what lets it go on to its end. */
async function beginWaiting(): Promise<() => Promise<Execution>> {
	const id = await beginLoading(workflows.waits);
	const { resumeUrl } = destination;
	const statusOf = async () =>
		(await lab.client.request<{ status: string }>('GET', `/executions/${id}`)).status;
	await waitUntil('the wait', async () => (await statusOf()) === 'waiting', 60_000);
	return async () => {
		expect((await fetch(resumeUrl)).status).toBe(200);
		return await lab.client.waitForExecution(id);
	};
}

const all = (): string[] =>
	[...lab.sandbox.records('company')].map(({ id }) => String(id)).toSorted();

describe('an execution that n8n has put into its database to wait', () => {
	test('confirms what it has read before', async () => {
		const goOn = await beginWaiting();
		const execution = await goOn();
		expect(idsOf(execution).toSorted()).toEqual(all());
		expect(hintOf(execution, 'Confirm')).toBe('[]');
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
		expect(hintOf(other, 'Confirm')).toBe('[]');
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

	test('one between reading and confirming changes nothing', async () => {
		expect(idsOf(await run(workflows.callsLoads)).toSorted()).toEqual(all());
		expect(idsOf(await run(workflows.callsLoads))).toEqual([]);
	});

	test('a called workflow that reads and confirms has its place, whoever calls it', async () => {
		expect(idsOf(await run(workflows.callsWhole), 'Call').toSorted()).toEqual(all());
		expect(idsOf(await run(workflows.callsWhole), 'Call')).toEqual([]);
	});
});

test('of two executions at once, the one that has read last confirms', async () => {
	const release = destination.hold();
	const slow = await beginLoading(workflows.overlaps);
	const created = lab.sandbox.create('company', 3);
	const fast = await beginLoading(workflows.overlaps);
	release();
	const overtaken = await lab.client.waitForExecution(slow);
	const confirmed = await lab.client.waitForExecution(fast);
	expect(hintOf(overtaken, 'Confirm')).toContain('another execution has read these changes');
	expect(hintOf(confirmed, 'Confirm')).toBe('[]');
	expect(idsOf(confirmed)).toEqual(expect.arrayContaining([...idsOf(overtaken), ...created]));
	expect(idsOf(await run(workflows.overlaps))).toEqual([]);
});

test('a trigger of this package in the same workflow: each keeps its own place', async () => {
	const { beside } = workflows;
	await lab.client.activate(beside.id);
	const delivered: string[] = [];
	const seen = new Set<string>();
	const deliver = async (count: number): Promise<string[]> => {
		await waitUntil(
			'the trigger',
			async () => {
				for (const id of await lab.client.listExecutions(beside.id)) {
					if (seen.has(id)) continue;
					const execution = await lab.client.waitForExecution(id);
					seen.add(id);
					delivered.push(...idsOf(execution, trigger.name));
				}
				return delivered.length >= count;
			},
			60_000,
		);
		return delivered.splice(0).toSorted();
	};
	expect(idsOf(await run(beside)).toSorted()).toEqual(all());
	for (let round = 0; round < 2; round++) {
		const created = lab.sandbox.create('company', 3).toSorted();
		expect(await deliver(3)).toEqual(created);
		expect(idsOf(await run(beside)).toSorted()).toEqual(created);
		expect(idsOf(await run(beside))).toEqual([]);
	}
});
