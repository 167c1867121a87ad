import { poll } from '../n8n/poll.mts';
import { itemsOf, type Execution, type RestClient } from '../n8n/rest.mts';

const endTimeoutMs = 120_000;

/** Results of a set of executions. */
export interface Outcome {
	/**
	 * Executions that succeeded directly, after n8n's own retry, or in a new execution if n8n kept nothing to retry.
	 */
	completed: Execution[];
	/** Executions that n8n shows as failed. */
	failed: Execution[];
	/** Executions that neither succeeded nor failed visibly, or that a retry did not complete, with the reason. */
	lost: string[];
}

/**
 * Waits until a workflow has a number of new executions, and returns their ids. n8n must show each execution that it
 * accepted.
 */
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
 * Waits until every execution has ended. Retries failed executions through n8n, as a person does in the editor. If n8n
 * kept nothing to retry, starts them again.
 *
 * @param nodeName name of the node that must have run in a successful execution
 * @param startAgain starts an execution again
 */
export async function settle(
	client: RestClient,
	workflowId: string,
	ids: string[],
	nodeName: string,
	startAgain: () => Promise<unknown>,
): Promise<Outcome> {
	/** n8n also reports success if there was nothing to run. */
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
		// Route of "Retry with original workflow" in n8n's list of executions.
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

/** Returns the ids of the records in the files of an export, read from n8n's database, in their order. */
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
