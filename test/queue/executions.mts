import { setTimeout as wait } from 'node:timers/promises';
import type { Execution } from '../n8n/rest.mts';
import type { Cluster } from './cluster.mts';
import { dataNodeName } from './exports.mts';

const visibleFailures = ['error', 'crashed'];
const endTimeoutMs = 120_000;

/** How a set of executions ended. */
export interface Outcome {
	/** Executions that succeeded at once. */
	succeeded: Execution[];
	/** Executions that n8n shows as failed. */
	failed: { id: string; status: string; message?: string }[];
	/** Executions that n8n's own retry completed. */
	retried: Execution[];
	/** Executions in place of failed ones of which n8n had kept nothing to retry. */
	startedAgain: Execution[];
	/** Neither succeeded nor failed visibly, or not to be completed: with the reason. */
	lost: string[];
}

/** Which executions to look at, and how to go on when one failed. */
export interface Expectation {
	workflowId: string;
	/** How many executions there must be. */
	count: number;
	/** Ids of earlier executions, which do not count. */
	known?: ReadonlySet<string>;
	/** Calls the webhook of a failed execution again. */
	startAgain?: (failedId: string) => Promise<unknown>;
}

/**
 * Waits until every execution has ended. Failed ones are retried through n8n as a person would in the editor; where
 * n8n kept nothing to retry, they are started again.
 *
 * @param cluster where they run
 * @param expectation which executions
 */
export async function settle(cluster: Cluster, expectation: Expectation): Promise<Outcome> {
	const outcome: Outcome = { succeeded: [], failed: [], retried: [], startedAgain: [], lost: [] };
	for (const id of await executionIds(cluster, expectation)) {
		const ended = await endOf(cluster, id);
		if (ended && isComplete(ended)) outcome.succeeded.push(ended);
		else if (!ended || !visibleFailures.includes(ended.status)) {
			outcome.lost.push(`${id}: ${ended?.status ?? 'never ended'}`);
		} else {
			outcome.failed.push({ id, status: ended.status, message: ended.error?.message });
			await complete(cluster, id, expectation, outcome);
		}
	}
	return outcome;
}

/** For a person to read, after what was done. */
export function describeOutcome(name: string, outcome: Outcome): string {
	const { succeeded, failed, retried, startedAgain, lost } = outcome;
	const statuses = failed.map(({ status, message }) => `${status}: ${message}`);
	return `${name}
  succeeded at once    ${succeeded.length}
  failed visibly       ${failed.length}${statuses.length ? ` (${[...new Set(statuses)].join('; ')})` : ''}
  completed by retry   ${retried.length}
  by starting again    ${startedAgain.length}
  lost                 ${lost.length} ${lost.join('; ')}`;
}

async function complete(
	cluster: Cluster,
	id: string,
	{ workflowId, startAgain }: Expectation,
	outcome: Outcome,
): Promise<void> {
	const again = await retry(cluster, id);
	if (again && isComplete(again)) {
		outcome.retried.push(again);
		return;
	}
	const known = new Set(await cluster.client.listExecutions(workflowId));
	await startAgain?.(id);
	const [newId] = startAgain ? await executionIds(cluster, { workflowId, count: 1, known }) : [];
	const started = newId === undefined ? undefined : await endOf(cluster, newId);
	if (started && isComplete(started)) outcome.startedAgain.push(started);
	else outcome.lost.push(`${id}: retry ${again?.status}, started again ${started?.status}`);
}

/** n8n calls an execution a success too when there was nothing to run. */
function isComplete({ status, runs }: Execution): boolean {
	return status === 'success' && (runs[dataNodeName]?.length ?? 0) > 0;
}

/** Every request that n8n accepted must show up as an execution. */
async function executionIds(
	{ client }: Cluster,
	{ workflowId, count, known = new Set() }: Expectation,
): Promise<string[]> {
	const deadline = Date.now() + endTimeoutMs;
	for (;;) {
		const ids = (await client.listExecutions(workflowId)).filter((id) => !known.has(id));
		if (ids.length >= count) return ids;
		if (Date.now() > deadline) {
			throw new Error(`n8n shows ${ids.length} executions of ${count}`);
		}
		await wait(200);
	}
}

async function endOf({ client }: Cluster, id: string): Promise<Execution | undefined> {
	return await client.waitForExecution(id, endTimeoutMs).catch((error: unknown) => {
		if (error instanceof Error && error.message.startsWith('Waited')) return undefined;
		throw error;
	});
}

/** "Retry with original workflow" of n8n's execution list. */
async function retry(cluster: Cluster, id: string): Promise<Execution | undefined> {
	const { id: retryId } = await cluster.client.request<{ id: string }>(
		'POST',
		`/executions/${id}/retry`,
		{ loadWorkflow: false },
	);
	return await endOf(cluster, String(retryId));
}
