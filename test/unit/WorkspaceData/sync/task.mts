import type { INodeExecutionData } from 'n8n-workflow';
import { RECORDS_QUERY } from '../../../../nodes/shared/client/api.ts';
import type { Task } from '../../../../nodes/WorkspaceData/task.ts';
import type { ListService } from '../../shared/changes/service.mts';
import { rowOf } from '../parameters-support.mts';
import type { FakeExecution } from './n8n.mts';
import type { History } from './steps.mts';

/** Service that a run reads, and the checkpoint from which the run starts. */
export interface Place {
	service: ListService;
	baseUrl: string;
	checkpoint: string;
	/** Start date for `startFrom: date`, in ms since 1970. */
	startDate?: number;
	/** Number of times that the user has edited Filters so far. */
	filters?: number;
	/** ID of the credential that the run uses. */
	owner?: string;
}

/** Returns the task of a Get Changes run with the settings of a history (a list of steps that a test plays). */
export function taskOf(
	history: Omit<History, 'initial' | 'steps'>,
	{ service, baseUrl, checkpoint, startDate = 0, filters = 0, owner = 'w' }: Place,
	{ nodeRun }: FakeExecution,
	output: INodeExecutionData[],
): Task {
	const values: Record<string, unknown> = {
		objectType: 'company',
		event: history.event,
		startFrom: history.startFrom,
		startDate,
		outputAs: history.outputAs,
		progress: history.progress,
		checkpoint,
		options: {
			// Without a page size in the history, the node chooses the page size.
			...(typeof history.traits.pageSize === 'number' ? { pageSize: history.traits.pageSize } : {}),
			additionalParameters: { values: [{ name: 'filter', value: String(filters) }] },
			overlapSeconds: history.traits.lookbackMs / 1_000,
			recordsPerFile: history.recordsPerFile,
			...(typeof history.traits.total === 'object' && { ignoreTotal: true }),
			...(history.maxRecords === undefined ? {} : { maxRecords: history.maxRecords }),
		},
	};
	const session = {
		client: service.client(),
		credential: { secrets: [] },
		...{ credentialScope: owner, access: baseUrl },
		timeOfDay: service.localTime,
	};
	const task: Partial<Task> = {
		nodeRun,
		context: nodeRun.context,
		operation: rowOf('sync', 'getChanges'),
		session: session as unknown as Task['session'],
		endpoint: RECORDS_QUERY.endpoints.v2,
		itemIndex: 0,
		options: (values.options ?? {}) as Task['options'],
		get: (name, fallback) => values[name] ?? fallback,
		output,
	};
	return task as Task;
}

/** Versions (records with their dates) and checkpoint of one output item. */
export interface Part {
	versions: string[];
	checkpoint?: string | undefined;
}

/** Returns the versions and the checkpoint of each output item. */
export function partsOf(
	outputAs: History['outputAs'],
	output: readonly INodeExecutionData[],
	{ files }: FakeExecution,
): Part[] {
	return output.map(({ json }, place) => {
		const records =
			outputAs === 'items'
				? [json]
				: outputAs === 'batch'
					? (json.records as Array<Record<string, unknown>>)
					: linesOf(files[place]);
		const versions = records.map(({ version }) => String(version));
		return { versions, checkpoint: json.checkpoint as string | undefined };
	});
}

function linesOf(file: Buffer): Array<Record<string, unknown>> {
	const lines = file.toString().split('\n').filter(Boolean);
	return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}
