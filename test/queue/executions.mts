import { poll } from '../n8n/poll.mts';
import { itemsOf, type Execution, type RestClient } from '../n8n/rest.mts';

const endTimeoutMs = 120_000;

/** How a set of executions ended. */
export interface Outcome {
	/** At once, by n8n's own retry, or in place of one of which n8n had kept nothing to retry. */
	completed: Execution[];
	/** As n8n shows them. */
	failed: Execution[];
	/** Neither succeeded nor failed visibly, or not to be completed: with the reason. */
	lost: string[];
}

/** The ids of the executions of a workflow besides the known ones, once there are so many: n8n must show each that it accepted. */
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
 * Waits until every execution has ended. Failed ones are retried through n8n as a person would in the editor; where
 * n8n kept nothing to retry, they are started again.
 *
 * @param nodeName the node whose run makes an execution one that did its work
 * @param startAgain what started one of them
 */
export async function settle(
	client: RestClient,
	workflowId: string,
	ids: string[],
	nodeName: string,
	startAgain: () => Promise<unknown>,
): Promise<Outcome> {
	/** n8n calls an execution a success too when there was nothing to run. */
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
		// "Retry with original workflow" of n8n's execution list.
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

/** The ids of the records in the files that an export stored, read back from n8n's database, in order. */
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
