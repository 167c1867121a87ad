import type { INodeExecutionData } from 'n8n-workflow';
import { runSync } from '../../../../nodes/WorkspaceData/sync/run.ts';
import type { ReadOn } from '../../changes/acceptance.mts';
import type { ModelService } from '../../changes/service.mts';
import { startExecution, TableInMemory } from './n8n.mts';
import type { History } from './steps.mts';
import { taskOf } from './task.mts';

/** Other pages than before: a person may change their size. */
const PAGE_SIZE = 11;

/** One run with a given checkpoint, whatever kept it before. */
export function readOnWith(
	history: History,
	place: { service: ModelService; baseUrl: string },
): ReadOn {
	const pageSize = Math.min(PAGE_SIZE, history.traits.largestLimit);
	const traits = { ...history.traits, pageSize };
	const given = { ...history, traits, startFrom: 'beginning', outputAs: 'batch' } as const;
	return async (state = '') => {
		const execution = startExecution(new TableInMemory());
		const output: INodeExecutionData[] = [];
		const parameters = { ...given, progress: 'given', maxRecords: undefined } as const;
		await runSync(taskOf(parameters, { ...place, checkpoint: state }, execution, output));
		if (execution.hints.some((hint) => hint.includes('Starting over'))) {
			throw new Error(`Sync does not accept ${state}`);
		}
		const { records = [] } = output[0]?.json ?? {};
		return (records as Array<{ version: string }>).map(({ version }) => version);
	};
}
