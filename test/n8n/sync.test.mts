/** Sync in a real n8n: runs from a webhook, the place in n8n's own data table, loads that fail. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDestination } from './destination.mts';
import type { Destination } from './destination.mts';
import { useLab } from './lab.mts';
import { fieldsOf, itemsOf } from './rest.mts';
import type { Execution } from './rest.mts';
import { idsHeld } from './service.mts';
import {
	confirm,
	getChanges,
	hintOf,
	idsOf,
	newExecution,
	runByWebhook,
	syncBy,
} from './sync-workflows.mts';
import { items } from './workflows.mts';
import type { RunnableWorkflow } from './workflows.mts';

/** Made once the address of the destination is known. */
const makeWorkflows = () => ({
	confirmed: syncBy('confirmed', getChanges(), destination.load, confirm),
	types: syncBy(
		'types',
		items([{ type: 'company' }, { type: 'order' }, { type: 'deal' }]),
		getChanges({ objectType: '={{ $json.type }}', outputAs: 'batch' }),
		destination.load,
		confirm,
	),
});

let workflows: ReturnType<typeof makeWorkflows>;
let destination: Destination;

beforeAll(async () => void (destination = await startDestination()));
afterAll(() => destination?.close());

const lab = useLab({
	name: 'sync',
	sandbox: { companies: 250, orders: 30, deals: 20 },
	key: 'v2Regular',
	workflows: () => Object.values((workflows = makeWorkflows())),
});

beforeAll(async () => {
	for (const { id } of Object.values(workflows)) await lab.client.activate(id);
});

/** Runs a workflow while the database takes what comes, or does not. */
async function start(workflow: RunnableWorkflow, fail = false): Promise<Execution> {
	destination.accepts = fail ? 0 : Infinity;
	return await runByWebhook(lab.n8n, workflow);
}

test('a load that fails reads the same again; what was confirmed does not come again, and a quiet run is one request', async () => {
	const all = idsHeld(lab.sandbox).toSorted();
	const failed = await start(workflows.confirmed, true);
	expect(failed.status).toBe('error');
	expect(idsOf(failed).toSorted()).toEqual(all);
	const again = await start(workflows.confirmed);
	expect(again.error).toBeUndefined();
	expect(idsOf(again).toSorted()).toEqual(all);
	expect(hintOf(again, 'Get Changes')).toContain('nothing confirmed them');
	expect(fieldsOf(again, 'Confirm')).toEqual([{ loaded: true }]);

	const [first = '', second = ''] = all;
	lab.sandbox.update('company', [first, second]);
	const twice = idsOf(await start(workflows.confirmed, true));
	expect(twice.toSorted()).toEqual([first, second]);
	const created = lab.sandbox.create('company', 3);
	const third = await start(workflows.confirmed);
	expect(idsOf(third).toSorted()).toEqual([first, second, ...created].toSorted());

	lab.sandbox.clearRequests();
	const quiet = await start(workflows.confirmed);
	expect(quiet.status).toBe('success');
	expect(idsOf(quiet)).toEqual([]);
	expect(quiet.runs.Confirm).toBeUndefined();
	expect(lab.sandbox.requests).toHaveLength(1);
});

test('a renamed node keeps its place', async () => {
	const { id } = workflows.confirmed;
	const stored = await lab.client.request<RunnableWorkflow>('GET', `/workflows/${id}`);
	const renamed = JSON.parse(
		JSON.stringify(stored).replaceAll('"Get Changes"', '"What is new"'),
	) as RunnableWorkflow;
	await lab.client.request('PATCH', `/workflows/${id}`, renamed);
	await lab.client.activate(id);
	const created = lab.sandbox.create('company', 2);
	expect(idsOf(await start(workflows.confirmed), 'What is new').toSorted()).toEqual(
		created.toSorted(),
	);
});

test('three input items are three places', async () => {
	const counts = (execution: Execution) =>
		itemsOf(execution, 'Get Changes').map(({ json }) => json.count);
	const failed = await start(workflows.types, true);
	expect(counts(failed)).toEqual([lab.sandbox.count('company'), 30, 20]);
	expect(counts(await start(workflows.types))).toEqual(counts(failed));
	lab.sandbox.create('order', 4);
	expect(counts(await start(workflows.types))).toEqual([4]);
	lab.sandbox.create('deal', 1);
	lab.sandbox.create('company', 2);
	expect(counts(await start(workflows.types))).toEqual([2, 1]);
});

describe('Retry from the list, which goes on with what the failed execution has read', () => {
	const retry = async ({ id }: Execution): Promise<Execution> => {
		destination.accepts = Infinity;
		const retryId = await newExecution(lab.client, workflows.types.id, 'retry', async () => {
			await lab.client.request('POST', `/executions/${id}/retry`, { loadWorkflow: false });
		});
		return await lab.client.waitForExecution(retryId);
	};

	test('confirms it', async () => {
		lab.sandbox.create('company', 5);
		const failed = await start(workflows.types, true);
		expect(itemsOf(failed, 'Get Changes')).toHaveLength(1);
		const retried = await retry(failed);
		expect(retried.status).toBe('success');
		expect(hintOf(retried, 'Confirm')).toContain('Confirmed 5 changes.');
		expect(itemsOf(await start(workflows.types), 'Get Changes')).toEqual([]);
	});

	test('confirms nothing, and says so, where another has overtaken it', async () => {
		lab.sandbox.create('company', 5);
		const failed = await start(workflows.types, true);
		const other = await start(workflows.types);
		expect(itemsOf(other, 'Get Changes')[0]?.json.count).toBe(5);
		const created = lab.sandbox.create('company', 1);
		const retried = await retry(failed);
		expect(hintOf(retried, 'Confirm')).toContain('another execution has read these changes');
		const next = await start(workflows.types);
		expect(itemsOf(next, 'Get Changes')[0]?.json).toMatchObject({
			count: 1,
			records: [{ id: created[0] }],
		});
	});
});
