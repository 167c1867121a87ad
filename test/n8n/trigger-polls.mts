/** Helpers that group the requests of a trigger into polls, and read the records that the trigger returned. */
import type { LoggedRequest } from '../sandbox/types.mts';
import { itemsOf } from './rest.mts';
import type { Execution, RestClient } from './rest.mts';
import { versionOf } from './service.mts';
import { chain, n8nNode, pollingTrigger } from './workflows.mts';

/**
 * Environment variables for n8n's two ways of storing a trigger's progress: the default, and durable cursors. The
 * intervals of durable cursors are shortened for tests.
 */
export const environments = {
	memory: {},
	durable: {
		N8N_SCHEDULER_ENABLED: 'true',
		N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
		N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
		N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
		N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
		N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '2',
		N8N_SCHEDULER_REAPER_INTERVAL: '3',
		N8N_SCHEDULER_LEASE_DURATION: '20',
		N8N_SCHEDULER_POLL_TIMEOUT: '15',
	},
};

/** Returns a workflow with a trigger for changed companies. */
export const triggerWorkflow = (options: Record<string, unknown> = {}) =>
	chain('Trigger', [pollingTrigger(options), n8nNode('Arrived', 'noOp', 1)]);

/** Record version that the trigger returned, with the execution that the trigger started. */
export interface Delivery {
	/** `id` and `updated_at` of the record. */
	version: string;
	execution: Execution;
}

/** Returns every record version that the trigger of a workflow has returned. */
export async function deliveries(client: RestClient, workflowId: string): Promise<Delivery[]> {
	const all: Delivery[] = [];
	for (const id of await client.listExecutions(workflowId)) {
		const execution = await client.readExecution(id);
		if (!execution) continue;
		// A workflow can have two triggers. The trigger that started the execution is its first node.
		const [started] = Object.keys(execution.runs);
		for (const { json } of itemsOf(execution, started)) {
			all.push({ version: versionOf(json), execution });
		}
	}
	return all;
}

const pauseMs = 1_500;

/**
 * Groups the requests of a trigger into polls. A pause of at least 1.5 seconds separates two polls.
 * @param requests requests in the order of their arrival
 */
function pollsIn(requests: LoggedRequest[]): LoggedRequest[][] {
	const polls: LoggedRequest[][] = [];
	for (const request of requests) {
		const poll = polls.at(-1);
		const last = poll?.at(-1);
		if (poll && last && request.at - last.at < pauseMs) poll.push(request);
		else polls.push([request]);
	}
	return polls;
}

/** Returns the number of polls that have ended, and that began at or after this time. */
export function pollsEnded(requests: LoggedRequest[], from: number): number {
	const { length } = pollsIn(requests.filter(({ at }) => at >= from));
	const isOver = Date.now() - (requests.at(-1)?.at ?? 0) > pauseMs;
	return isOver ? length : length - 1;
}
