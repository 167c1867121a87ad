/** Sync in a real n8n: runs from a webhook, the place in n8n's own data table, loads that fail. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDestination } from './destination.mts';
import type { Destination } from './destination.mts';
import { useLab } from './lab.mts';
import { itemsOf } from './rest.mts';
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
import { chain, items, manualTrigger, n8nNode } from './workflows.mts';
import type { RunnableWorkflow } from './workflows.mts';

/** Changes of deals through Loop Over Items, one at a time. */
function loop(path: string, outputs: Record<string, string[][]>): RunnableWorkflow {
	const node = n8nNode('Loop', 'splitInBatches', 3, { options: {} });
	const read = getChanges({ objectType: 'deal' });
	const workflow = syncBy(path, read, node, destination.load, confirm);
	const connections = { ...workflow.connections };
	for (const [from, branches] of Object.entries(outputs)) {
		const main = branches.map((names) => names.map((to) => ({ node: to, type: 'main', index: 0 })));
		connections[from] = { main };
	}
	return { ...workflow, connections };
}

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
	manual: chain('Sync manual', [
		manualTrigger(),
		getChanges({ objectType: 'deal', outputAs: 'batch' }),
		confirm,
	]),
	date: syncBy(
		'date',
		getChanges({
			objectType: 'order',
			startFrom: 'date',
			startDate: '={{ $json.body.startDate }}',
			options: { startOver: '={{ $json.body.startOver }}' },
		}),
		confirm,
	),
	wrongLoop: loop('wrong-loop', { Loop: [[], ['Load']], Confirm: [['Loop']] }),
	rightLoop: loop('right-loop', { Loop: [['Confirm'], ['Load']], Load: [['Loop']] }),
	filter: syncBy(
		'filter',
		getChanges({ objectType: 'deal' }),
		n8nNode('Filter', 'filter', 1, {
			conditions: { number: [{ value1: '={{ $itemIndex }}', operation: 'smaller', value2: 1 }] },
		}),
		confirm,
	),
	alone: syncBy('alone', confirm),
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
	for (const { id, nodes } of Object.values(workflows)) {
		if (nodes.some(({ name }) => name === 'Webhook')) await lab.client.activate(id);
	}
});

/** Runs a workflow while the database takes what comes, or does not. */
async function start(workflow: RunnableWorkflow, fail = false): Promise<Execution> {
	destination.accepts = fail ? 0 : Infinity;
	return await runByWebhook(lab.n8n, workflow);
}

test('a load that fails reads the same again; what was confirmed does not come again', async () => {
	const all = idsHeld(lab.sandbox).toSorted();
	const failed = await start(workflows.confirmed, true);
	expect(failed.status).toBe('error');
	expect(idsOf(failed).toSorted()).toEqual(all);
	const again = await start(workflows.confirmed);
	expect(again.error).toBeUndefined();
	expect(idsOf(again).toSorted()).toEqual(all);
	expect(hintOf(again, 'Get Changes')).toContain('nothing confirmed them');
	expect(itemsOf(again, 'Confirm').map(({ json }) => json)).toEqual([{ loaded: true }]);

	const [first = '', second = ''] = all;
	lab.sandbox.update('company', [first, second]);
	const twice = idsOf(await start(workflows.confirmed, true));
	expect(twice.toSorted()).toEqual([first, second]);
	const created = lab.sandbox.create('company', 3);
	const third = await start(workflows.confirmed);
	expect(idsOf(third).toSorted()).toEqual([first, second, ...created].toSorted());
});

test('a quiet run is one request and gives no item, so nothing after it runs', async () => {
	await start(workflows.confirmed);
	lab.sandbox.clearRequests();
	const quiet = await start(workflows.confirmed);
	expect(quiet.status).toBe('success');
	expect(itemsOf(quiet, 'Get Changes')).toEqual([]);
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
		expect(hintOf(retried, 'Confirm')).toBe('[]');
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

test('a manual run confirms as others do', async () => {
	const count = (execution: Execution) => itemsOf(execution, 'Get Changes')[0]?.json.count;
	const manual = async () => await lab.run(workflows.manual);
	expect(count(await manual())).toBe(lab.sandbox.count('deal'));
	expect(count(await manual())).toBeUndefined();
});

test('Start From: Date gives what changed later, and another text in Start Over gives it again', async () => {
	const dates = [...lab.sandbox.records('order')].map(({ updated_at: date }) => String(date));
	const startDate = dates.toSorted().at(-1);
	const changed = lab.sandbox.create('order', 3).toSorted();
	const run = async (startOver: string) =>
		await runByWebhook(lab.n8n, workflows.date, undefined, { startDate, startOver });
	expect(idsOf(await run('one')).toSorted()).toEqual(changed);
	expect(idsOf(await run('one'))).toEqual([]);
	const again = await run('two');
	expect(idsOf(again).toSorted()).toEqual(changed);
	expect(hintOf(again, 'Get Changes')).toContain('Starting over with what changed after');
	expect(idsOf(await run('two'))).toEqual([]);
});

describe('Confirm Changes that gets fewer records than Get Changes gave', () => {
	test('in a loop confirms all and says so once, with where to put it', async () => {
		const execution = await start(workflows.wrongLoop);
		const { length } = idsOf(execution);
		const hint = `returned ${length} records, but only 1 item came here`;
		expect(execution.runs.Confirm).toHaveLength(length);
		expect(hintOf(execution, 'Confirm')).toContain(hint);
		expect(JSON.stringify(execution.runs.Confirm).split(hint)).toHaveLength(2);
		expect(idsOf(await start(workflows.wrongLoop))).toEqual([]);
	});

	test('after a filter the same', async () => {
		const execution = await start(workflows.filter);
		expect(hintOf(execution, 'Confirm')).toContain('after a filter where its branches meet');
		expect(idsOf(await start(workflows.filter))).toEqual([]);
	});

	test('after the loop it has nothing to say', async () => {
		const execution = await start(workflows.rightLoop);
		expect(idsOf(execution)).toHaveLength(lab.sandbox.count('deal'));
		expect(hintOf(execution, 'Confirm')).toBe('[]');
		expect(idsOf(await start(workflows.rightLoop))).toEqual([]);
	});
});

test('Confirm Changes without anything read says what is wrong, and passes its input on', async () => {
	const alone = await start(workflows.alone);
	expect(itemsOf(alone, 'Confirm')[0]?.json).toMatchObject({ body: { a: 1 } });
	expect(hintOf(alone, 'Confirm')).toContain('Get Changes did not run in this execution');
});
