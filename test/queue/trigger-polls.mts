import { itemsOf } from '../n8n/rest.mts';
import { chain, pollingTrigger } from '../n8n/workflows.mts';
import type { LoggedRequest, Sandbox } from '../sandbox/server.mts';
import type { Cluster } from './cluster.mts';

/**
 * A workflow that starts with every changed company. A page size that is found out asks for two pages at once, and later
 * for small ones: only here, one request tells a poll.
 */
export const triggerWorkflow = chain('Trigger', [
	pollingTrigger({ pageSize: 100 }),
	{ name: 'Arrived', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} },
]);
const [{ name: triggerName }] = triggerWorkflow.nodes;

/** One record version that an execution was started with. */
export interface Delivery {
	/** `id` and `updated_at`. */
	version: string;
	executionId: string;
}

/**
 * Every record version that any finished execution was started with.
 *
 * @param cluster where they ran
 * @param workflowId the workflow that starts with the trigger
 * @throws Error when one does not end, or did not succeed
 */
export async function deliveries({ client }: Cluster, workflowId: string): Promise<Delivery[]> {
	const all: Delivery[] = [];
	for (const executionId of await client.listExecutions(workflowId)) {
		const execution = await client.waitForExecution(executionId, 30_000);
		if (execution.status !== 'success') {
			const { status, error } = execution;
			throw new Error(
				`Execution ${executionId} ended with the status ${status}: ${error?.message}`,
			);
		}
		for (const { json } of itemsOf(execution, triggerName)) {
			all.push({ version: versionOf(json), executionId });
		}
	}
	return all;
}

/**
 * The companies' versions that were not there before.
 *
 * @param sandbox what holds the companies
 * @param existing versions from before
 */
export function changedVersions(sandbox: Sandbox, existing: ReadonlySet<string>): string[] {
	return [...sandbox.records('company')].map(versionOf).filter((version) => !existing.has(version));
}

/**
 * Sorts requests into polls: those of one poll follow each other without a long pause.
 *
 * @param requests in the order of their arrival
 */
export function pollsIn(requests: LoggedRequest[]): LoggedRequest[][] {
	const pauseMs = 1_500;
	const polls: LoggedRequest[][] = [];
	for (const request of requests) {
		const poll = polls.at(-1);
		const last = poll?.at(-1);
		if (poll && last && request.at - last.at < pauseMs) poll.push(request);
		else polls.push([request]);
	}
	return polls;
}

function versionOf({ id, updated_at }: Record<string, unknown>): string {
	return `${String(id)} ${String(updated_at)}`;
}
