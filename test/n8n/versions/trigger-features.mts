import { waitUntil } from '../poll.mts';
import { itemsOf } from '../rest.mts';
import { chain, changed, n8nNode, pollingTrigger, type RunnableWorkflow } from '../workflows.mts';
import { orders, runFeature, type Feature, type Surroundings } from './feature.mts';

const longestMs = 60_000;

/** A workflow that starts with every order there is. */
function triggerWorkflow(name: string, options: Record<string, unknown>): RunnableWorkflow {
	const objectType = { __rl: true, mode: 'list', value: 'order' };
	const trigger = pollingTrigger(options, { objectType, startFrom: 'beginning' });
	return chain(name, [trigger, n8nNode('Arrived', 'noOp', 1)]);
}

const test = triggerWorkflow('Fetch test event', {
	additionalParameters: { values: [{ name: 'status', value: 'open' }] },
	timeout: 20_000,
	maxRetries: 1,
	maxWait: 10,
});

const liveOptions = { maxRecordsPerPoll: 500 };
const live = triggerWorkflow('Trigger', liveOptions);
const [{ name: triggerName }] = live.nodes;

async function publish({ client, idOf }: Surroundings): Promise<void> {
	const id = idOf(live);
	const { versionId } = await client.request<{ versionId: string }>('GET', `/workflows/${id}`);
	await client.request('POST', `/workflows/${id}/activate`, { versionId });
}

/** How many orders the executions so far were started with, over all of them. */
async function delivered({ client, idOf }: Surroundings): Promise<number> {
	let count = 0;
	for (const executionId of await client.listExecutions(idOf(live))) {
		const execution = await client.waitForExecution(executionId);
		count += itemsOf(execution, triggerName).length;
	}
	return count;
}

/** Waits until that many were delivered, or as long as it may take; returns how many there were. */
async function waitForDelivered(surroundings: Surroundings, wanted: number): Promise<number> {
	const areThere = async () => (await delivered(surroundings)) >= wanted;
	await waitUntil('orders', areThere, longestMs).catch(() => undefined);
	return await delivered(surroundings);
}

/** Writes an option of the stored workflow anew, as saving it in the editor does. */
async function startOver(surroundings: Surroundings): Promise<void> {
	const { client, idOf } = surroundings;
	const route = `/workflows/${idOf(live)}`;
	const stored = await client.request<RunnableWorkflow & { versionId: string }>('GET', route);
	const { nodes } = changed(stored, triggerName, ({ parameters }) => {
		parameters.options = { ...liveOptions, startOver: 'once more' };
	});
	const { name, connections, settings, versionId } = stored;
	await client.request('PATCH', route, { name, nodes, connections, settings, versionId });
	await publish(surroundings);
}

async function followOrders(surroundings: Surroundings): Promise<string | undefined> {
	const { readLog } = surroundings;
	await publish(surroundings);
	const first = await waitForDelivered(surroundings, orders);
	if (first !== orders) return `${first} of ${orders} records arrive`;
	if (!(await readLog()).includes('The list has been read up to '))
		return 'no line in the log about the progress';
	await startOver(surroundings);
	const both = await waitForDelivered(surroundings, 2 * orders);
	return both === 2 * orders ? undefined : `${both - orders} records arrive after Start Over`;
}

/** The trigger node. */
export const triggerFeatures: Feature[] = [
	runFeature(
		'Trigger: Fetch Test Event, with its options',
		test,
		(execution, { sandbox }) => {
			const { length } = itemsOf(execution, triggerName);
			if (length !== 10) return `${length} records`;
			const isSent = sandbox.requests.every(
				({ body }) => (body as { status?: string }).status === 'open',
			);
			return isSent ? undefined : 'Additional Parameters are not sent';
		},
		(sandbox) => sandbox.setUnkind({ furtherParameters: ['status'] }),
	),
	{
		name: 'Trigger: reads what exists over several polls, says how far, starts over',
		workflow: live,
		attempt: async (surroundings) => {
			try {
				return await followOrders(surroundings);
			} finally {
				const route = `/workflows/${surroundings.idOf(live)}/deactivate`;
				await surroundings.client.request('POST', route, {});
			}
		},
	},
];
