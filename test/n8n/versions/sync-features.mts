import { itemsOf } from '../rest.mts';
import { chain, dataNode, manualTrigger } from '../workflows.mts';
import { nodeName, orders, runFeature, workflowOf, type Feature } from './feature.mts';

const changes = {
	resource: 'sync',
	operation: 'getChanges',
	objectType: { __rl: true, mode: 'list', value: 'order' },
	outputAs: 'batch',
};

const kept = chain('Sync, kept', [
	manualTrigger(),
	dataNode({ ...changes, progress: 'confirmed' }),
	{ ...dataNode({ resource: 'sync', operation: 'confirm' }, { name: 'Confirm' }), credentials: {} },
]);

/** The resource Sync. */
export const syncFeatures: Feature[] = [
	runFeature(
		'Sync with a given checkpoint',
		workflowOf('Sync, given', { ...changes, progress: 'given', checkpoint: '' }),
		(execution) => {
			const { count, checkpoint } = itemsOf(execution, nodeName)[0]?.json ?? {};
			return count === orders && typeof checkpoint === 'string' ? undefined : `${String(count)}`;
		},
	),
	{
		name: 'Sync with progress kept in a data table, and Confirm Changes',
		mayDiffer: true,
		workflow: kept,
		attempt: async ({ run }) => {
			const counts: unknown[] = [];
			for (let time = 0; time < 2; time++) {
				const execution = await run(kept);
				const { status, error } = execution;
				if (status !== 'success') {
					return error?.description?.includes('set Progress to "Use My Own Checkpoint"')
						? 'an error says why, and to give the checkpoint instead'
						: `${error?.message} ${error?.description}`;
				}
				counts.push(itemsOf(execution, nodeName).map(({ json }) => json.count));
			}
			return JSON.stringify(counts) === `[[${orders}],[]]` ? undefined : JSON.stringify(counts);
		},
	},
];
