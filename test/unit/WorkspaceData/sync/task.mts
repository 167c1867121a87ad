/** What Get Changes is given in a run, and what it gave. */
import type { INodeExecutionData } from 'n8n-workflow';
import type { Task } from '../../../../nodes/WorkspaceData/task.ts';
import type { ModelService, ServiceTraits } from '../../changes/service.mts';
import { rowOf } from '../parameters-support.mts';
import type { FakeExecution } from './n8n.mts';

/** How a sync is set up. */
export interface SyncSettings {
	traits: ServiceTraits;
	event: 'recordCreated' | 'recordUpdated';
	startFrom: 'now' | 'beginning';
	progress: 'confirmed' | 'read' | 'given';
	outputAs: 'items' | 'batch' | 'ndjson';
	maxRecords?: number;
	recordsPerFile: number;
}

/** What one run works with. */
interface Place {
	service: ModelService;
	baseUrl: string;
	/** What the parameter says. */
	checkpoint: string;
	execution: FakeExecution;
	/** Receives what is put out. */
	output: INodeExecutionData[];
}

/** The task of one run. */
export function taskOf(settings: SyncSettings, place: Place): Task {
	const { traits, recordsPerFile, maxRecords, ...parameters } = settings;
	const values: Record<string, unknown> = {
		...parameters,
		objectType: 'company',
		checkpoint: place.checkpoint,
		options: {
			// Where the trigger finds it out among these, Sync finds it out as it does.
			...(typeof traits.pageSize === 'number' ? { pageSize: traits.pageSize } : {}),
			overlapSeconds: traits.overlapMs / 1_000,
			recordsPerFile,
			...(maxRecords === undefined ? {} : { maxRecords }),
		},
	};
	const service = place.service.client();
	const whoAmI = { body: { data: { workspace: { id: 'w' } } }, text: '{}', tookMs: 0 };
	const client: typeof service = {
		answer: async (request, limits) =>
			request.method === 'GET' ? whoAmI : await service.answer(request, limits),
	};
	const session = {
		client,
		credential: { baseUrl: place.baseUrl, bearer: 'fake' },
		throwIfCancelled: () => undefined,
	};
	const task: Partial<Task> = {
		context: place.execution.context,
		operation: rowOf('sync', 'getChanges'),
		session: session as unknown as Task['session'],
		itemIndex: 0,
		get: (name, fallback) => values[name] ?? fallback,
		output: place.output,
	};
	return task as Task;
}

/** The versions of the records that a run gave, in their order. */
export function versionsOf(
	outputAs: SyncSettings['outputAs'],
	output: INodeExecutionData[],
	{ files }: FakeExecution,
): string[] {
	const records = (): Array<Record<string, unknown>> => {
		if (outputAs === 'items') return output.map(({ json }) => json);
		if (outputAs === 'batch') {
			return output.flatMap(({ json }) => json.records as Array<Record<string, unknown>>);
		}
		const lines = files.flatMap((file) => file.toString().split('\n').filter(Boolean));
		return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
	};
	return records().map(({ version }) => String(version));
}
