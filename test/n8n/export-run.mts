import { performance } from 'node:perf_hooks';
import { parse as parseCsv } from 'csv-parse/sync';
import { ExplainedError } from './errors.mts';
import type { WorkflowFile } from './imports.mts';
import { itemsOf, RestError } from './rest.mts';
import type { Execution, RestClient } from './rest.mts';

/** The example that `npm start` runs, by its file name. */
export const exportExample = 'scheduled-export-of-companies';

const triggerType = 'n8n-nodes-base.scheduleTrigger';
const dataNodeType = 'n8n-nodes-workspace-data.workspaceData';

/** What the export put out. */
export interface ExportResult {
	/** Records in the files that the Workspace Data node put out. */
	records: number;
	/** How many different ids they have. */
	distinctIds: number;
	/** Seconds from asking n8n to run the workflow to its end. */
	seconds: number;
	/** Names of the first records. */
	firstNames: string[];
	/** The files, as n8n describes them. */
	file: string;
}

/**
 * Runs the export example in a running n8n.
 *
 * @throws ExplainedError with the node's own message when the execution failed
 */
export async function runExport(client: RestClient, workflow: WorkflowFile): Promise<ExportResult> {
	const started = performance.now();
	const execution = await runOrExplain(client, workflow);
	const seconds = (performance.now() - started) / 1_000;
	if (execution.status !== 'success') throw new ExplainedError(failureOf(execution));

	const files = itemsOf(execution, nameOf(workflow, dataNodeType)).map(
		({ binary }) => binary?.data,
	);
	const texts = await Promise.all(
		files.map(async (file) => await (await client.readFile(file?.id ?? '')).text()),
	);
	const records = texts.flatMap(
		(text) => parseCsv(text, { columns: true, bom: true }) as Record<string, string>[],
	);
	return {
		records: records.length,
		distinctIds: new Set(records.map(({ id }) => id)).size,
		seconds,
		firstNames: records.slice(0, 5).map(({ id, name }) => name ?? id),
		file: files.map((file) => `${file?.fileName} (${file?.fileSize})`).join(', '),
	};
}

async function runOrExplain(client: RestClient, workflow: WorkflowFile): Promise<Execution> {
	try {
		return await client.runWorkflow(workflow.id, nameOf(workflow, triggerType));
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

function nameOf(workflow: WorkflowFile, type: string): string {
	const node = workflow.nodes.find((candidate) => candidate.type === type);
	if (!node) throw new Error(`${workflow.name} has no node of type ${type}`);
	return node.name;
}
