import { performance } from 'node:perf_hooks';
import { parse as parseCsv } from 'csv-parse/sync';
import { ExplainedError } from '../../test/n8n/errors.mts';
import type { WorkflowFile } from '../../test/n8n/imports.mts';
import { itemsOf, RestError } from '../../test/n8n/rest.mts';
import type { Execution, RestClient } from '../../test/n8n/rest.mts';

/**
 * Runs the export example in a running n8n, and describes its files.
 * @throws ExplainedError with the node's error if the execution failed
 */
export async function runExport(client: RestClient, workflow: WorkflowFile) {
	const started = performance.now();
	const execution = await runOrExplain(client, workflow);
	const seconds = (performance.now() - started) / 1_000;
	if (execution.status !== 'success') throw new ExplainedError(failureOf(execution));

	const files = itemsOf(execution, 'Get all companies').map(({ binary }) => binary?.data);
	const records: Record<string, string>[] = [];
	for (const file of files) {
		const text = await (await client.readFile(file?.id ?? '')).text();
		records.push(...parseCsv<Record<string, string>>(text, { columns: true, bom: true }));
	}
	return {
		records: records.length,
		distinctIds: new Set(records.map(({ id }) => id)).size,
		/** Time in seconds from the start of the execution to its end. */
		seconds,
		firstNames: records.slice(0, 5).map(({ name }) => name),
		/** Names and sizes of the files, as n8n shows them. */
		file: files.map((file) => `${file?.fileName} (${file?.fileSize})`).join(', '),
	};
}

async function runOrExplain(client: RestClient, workflow: WorkflowFile): Promise<Execution> {
	try {
		return await client.runWorkflow(workflow.id, 'Every night at 02:00');
	} catch (error) {
		if (!(error instanceof RestError) || error.status !== 404) throw error;
		throw new ExplainedError(
			`The workflow "${workflow.name}" was deleted in the editor: delete the folder .n8n/home to get all examples back.`,
		);
	}
}

function failureOf({ error, status }: Execution): string {
	const parts = [error?.message ?? `The execution ended as "${status}"`, error?.description];
	const node = error?.node ? ` in "${error.node.name}"` : '';
	return `The export failed${node}: ${parts.filter(Boolean).join('\n')}`;
}
