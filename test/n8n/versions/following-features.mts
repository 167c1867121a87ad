/** Features of Sync, of the trigger, and of the node as a tool of an AI Agent. */
import { expect } from 'vitest';
import { agentWorkflow, fromModel } from '../ai-workflow.mts';
import { waitUntil } from '../poll.mts';
import { itemsOf } from '../rest.mts';
import { chain, dataNode, manualTrigger, n8nNode, pollingTrigger } from '../workflows.mts';
import type { RunnableWorkflow } from '../workflows.mts';
import { nodeName, orders, runFeature, workflowOf } from './feature.mts';
import type { Feature } from './feature.mts';

const objectType = { __rl: true, mode: 'list', value: 'order' };
const changes = { resource: 'sync', operation: 'getChanges', objectType, outputAs: 'batch' };

const kept = chain('Sync, kept', [
	manualTrigger(),
	dataNode({ ...changes, progress: 'confirmed' }),
	{ ...dataNode({ resource: 'sync', operation: 'confirm' }, { name: 'Confirm' }), credentials: {} },
]);

/** Returns a workflow whose trigger returns every existing order. */
function triggerWorkflow(name: string, options: Record<string, unknown>): RunnableWorkflow {
	const trigger = pollingTrigger(options, { objectType, startFrom: 'beginning' });
	return chain(name, [trigger, n8nNode('Arrived', 'noOp', 1)]);
}

const live = triggerWorkflow('Trigger', { maxRecordsPerPoll: 500 });
const [{ name: triggerName }] = live.nodes;

const agent = agentWorkflow(
	'Agent fills rows',
	{
		resource: 'company',
		operation: 'enrich',
		fields: {
			values: [
				{ name: 'domain', value: fromModel('domain', 'Domain of the company') },
				{ name: 'employees', value: fromModel('employees', 'How many', 'number') },
			],
		},
	},
	{},
	// Version 3 is the newest AI Agent in the oldest tested n8n.
	3,
);

/**
 * Features of Sync, of the trigger, and of the node as a tool of an AI Agent. Each is a row of docs/compatibility.md.
 */
export const followingFeatures: Feature[] = [
	runFeature(
		'Sync with a given checkpoint',
		workflowOf('Sync, given', { ...changes, progress: 'given', checkpoint: '' }),
		(execution) =>
			expect(itemsOf(execution, nodeName)).toMatchObject([
				{ json: { count: orders, checkpoint: expect.any(String) } },
			]),
	),
	{
		name: 'Sync with progress kept in a data table, and Confirm Changes',
		mayDiffer: true,
		workflow: kept,
		attempt: async ({ run }) => {
			for (const expected of [[orders], []]) {
				const execution = await run(kept);
				if (execution.error?.description?.includes(`set 'Progress' to "Use My Own Checkpoint"`)) {
					throw new Error('an error says why, and to give the checkpoint instead');
				}
				expect(execution.status).toBe('success');
				const counts = itemsOf(execution, nodeName).map(({ json }) => json.count);
				expect(counts).toEqual(expected);
			}
		},
	},
	runFeature(
		'Tool of the AI Agent: a model fills two rows of Fields to Send',
		agent,
		(_execution, { model, sandbox }) => {
			const description = 'Enrich company (may be billed) in Workspace Data';
			expect(model.requests[0]?.tools).toMatchObject([{ description }]);
			expect(sandbox.calls.enrich).toEqual([{ domain: 'acme.example', employees: 12 }]);
		},
		(_sandbox, model) =>
			model.follow((_request, turn) =>
				turn === 1 ? { callTool: { domain: 'acme.example', employees: 12 } } : { say: 'Done.' },
			),
	),
	runFeature(
		'Trigger: Fetch Test Event, with its options',
		triggerWorkflow('Fetch test event', {
			additionalParameters: { values: [{ name: 'status', value: 'open' }] },
			requests: { values: { timeout: 20_000, retryFor: 10 } },
		}),
		(execution, { sandbox }) => {
			expect(itemsOf(execution, triggerName)).toHaveLength(10);
			const { body } = sandbox.requests[0];
			expect(body).toMatchObject({ status: 'open' });
		},
		(sandbox) => sandbox.setQuirks({ furtherParameters: ['status'] }),
	),
	{
		name: 'Trigger: reads what exists over several polls, says how far',
		workflow: live,
		attempt: async ({ client, idOf, readLog }) => {
			const route = `/workflows/${idOf(live)}`;
			const { versionId } = await client.request<{ versionId: string }>('GET', route);
			await client.request('POST', `${route}/activate`, { versionId });
			/** Checks whether the trigger has returned all orders. */
			const areThere = async (): Promise<boolean> => {
				let count = 0;
				for (const executionId of await client.listExecutions(idOf(live))) {
					count += itemsOf(await client.waitForExecution(executionId), triggerName).length;
				}
				return count === orders;
			};
			try {
				await waitUntil(`${orders} orders`, areThere, 60_000);
				expect(await readLog()).toContain('This poll read part of the list');
			} finally {
				await client.request('POST', `${route}/deactivate`, {});
			}
		},
	},
];
