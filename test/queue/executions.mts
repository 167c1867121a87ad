import { poll } from '../n8n/poll.mts';
import { itemsOf, type Execution, type RestClient } from '../n8n/rest.mts';

const endTimeoutMs = 120_000;

/** Results of several executions of a workflow. */
export interface Outcome {
	/** Executions that succeeded at once, after a retry, or as a new execution. */
	completed: Execution[];
	/** Executions that n8n shows as failed or crashed. */
	failed: Execution[];
	/**
	 * Lost executions, each with its id and the reason. An execution is lost if n8n does not mark it as failed, or if
	 * neither a retry nor a new execution succeeds.
	 */
	lost: string[];
}

/** Waits until a workflow has at least `count` new executions, and returns their ids. */
export async function executionsSince(
	client: RestClient,
	workflowId: string,
	known: readonly string[],
	count: number,
): Promise<string[]> {
	const started = async (): Promise<string[] | undefined> => {
		const ids = (await client.listExecutions(workflowId)).filter((id) => !known.includes(id));
		return ids.length < count ? undefined : ids;
	};
	return await poll(`${count} executions`, started, endTimeoutMs);
}

/**
 * Waits until every execution has ended. Retries failed executions through n8n, as a user does in the editor. If the
 * retry does not succeed, starts a new execution.
 * @param nodeName name of the node that must have run in a successful execution
 * @param startAgain starts the same work as a new execution
 */
export async function settle(
	client: RestClient,
	workflowId: string,
	ids: string[],
	nodeName: string,
	startAgain: () => Promise<unknown>,
): Promise<Outcome> {
	/** Checks that the node has run, because n8n reports success even if an execution had nothing to run. */
	const isComplete = ({ status, runs }: Execution): boolean =>
		status === 'success' && (runs[nodeName]?.length ?? 0) > 0;
	const endOf = async (id: string) => await client.waitForExecution(id, endTimeoutMs);
	const outcome: Outcome = { completed: [], failed: [], lost: [] };
	for (const id of ids) {
		const ended = await endOf(id);
		if (isComplete(ended)) {
			outcome.completed.push(ended);
			continue;
		}
		if (!['error', 'crashed'].includes(ended.status)) {
			outcome.lost.push(`${id}: ${ended.status}`);
			continue;
		}
		outcome.failed.push(ended);
		// The editor calls this route for "Retry with original workflow".
		const route = `/executions/${id}/retry`;
		const retry = await client.request<{ id: string }>('POST', route, { loadWorkflow: false });
		const retried = await endOf(String(retry.id));
		if (isComplete(retried)) {
			outcome.completed.push(retried);
			continue;
		}
		const known = await client.listExecutions(workflowId);
		await startAgain();
		const [newId = ''] = await executionsSince(client, workflowId, known, 1);
		const again = await endOf(newId);
		if (isComplete(again)) outcome.completed.push(again);
		else outcome.lost.push(`${id}: retry ${retried.status}, started again ${again.status}`);
	}
	return outcome;
}

/**
 * Returns the record ids in the exported files of an execution, in their order. The files must be in n8n's database.
 */
export async function exportedIds(
	client: RestClient,
	execution: Execution,
	nodeName: string,
): Promise<string[]> {
	const ids: string[] = [];
	for (const { binary } of itemsOf(execution, nodeName)) {
		const stored = binary?.data?.id ?? '';
		if (!stored.startsWith('database:'))
			throw new Error(`A file is not in the database: ${stored}`);
		const text = await (await client.readFile(stored)).text();
		for (const line of text.trimEnd().split('\n'))
			ids.push((JSON.parse(line) as { id: string }).id);
	}
	return ids;
}
