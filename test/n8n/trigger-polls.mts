/** The requests of a trigger's polls, and the input of the executions that the trigger started. */
import type { LoggedRequest } from '../sandbox/types.mts';
import { itemsOf } from './rest.mts';
import type { Execution, RestClient } from './rest.mts';
import { versionOf } from './service.mts';
import { chain, n8nNode, pollingTrigger } from './workflows.mts';

/**
 * Environments for n8n's two ways of keeping a trigger's state. The times of durable cursors are short enough for a
 * test.
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

/** Returns a workflow that starts with every changed company. */
export const triggerWorkflow = (options: Record<string, unknown> = {}) =>
	chain('Trigger', [pollingTrigger(options), n8nNode('Arrived', 'noOp', 1)]);

/** Record version that started an execution. */
export interface Delivery {
	/** `id` and `updated_at`. */
	version: string;
	execution: Execution;
}

/** Returns every record version that started an execution of this workflow. */
export async function deliveries(client: RestClient, workflowId: string): Promise<Delivery[]> {
	const all: Delivery[] = [];
	for (const id of await client.listExecutions(workflowId)) {
		const execution = await client.readExecution(id);
		if (!execution) continue;
		// The trigger that started the execution ran first.
		const [started] = Object.keys(execution.runs);
		for (const { json } of itemsOf(execution, started)) {
			all.push({ version: versionOf(json), execution });
		}
	}
	return all;
}

const pauseMs = 1_500;

/**
 * Groups requests into polls. A long pause separates two polls.
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

/** Returns the number of polls that have begun since a time and have ended. */
export function pollsEnded(requests: LoggedRequest[], from: number): number {
	const { length } = pollsIn(requests.filter(({ at }) => at >= from));
	const isOver = Date.now() - (requests.at(-1)?.at ?? 0) > pauseMs;
	return isOver ? length : length - 1;
}
