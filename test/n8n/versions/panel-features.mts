import { itemsOf } from '../rest.mts';
import { features, nodeName, orders, runFeature, workflowOf, type Feature } from './features.mts';

const changes = {
	resource: 'sync',
	operation: 'getChanges',
	objectType: { __rl: true, mode: 'list', value: 'order' },
	outputAs: 'batch',
};
const kept = workflowOf('Sync, kept', { ...changes, progress: 'read' });

/** What the panel asks for in ways that came to n8n over the years. */
const panelFeatures: Feature[] = [
	runFeature(
		'Object Type from a list, Fields as several choices',
		workflowOf('Object Type', {
			resource: 'record',
			operation: 'query',
			objectType: { __rl: true, mode: 'list', value: 'order' },
			returnAll: true,
			options: { fields: ['total_amount'] },
		}),
		(execution) => {
			const records = itemsOf(execution, nodeName).map(({ json }) => Object.keys(json).length);
			return records.length === orders && Math.max(...records) === 2
				? undefined
				: `${records.length} records of ${Math.max(...records)} fields`;
		},
	),
	runFeature(
		'Order: Newest First',
		workflowOf('Newest', {
			resource: 'order',
			operation: 'getAll',
			limit: 30,
			options: { order: 'newestFirst' },
		}),
		(execution, { sandbox }) => {
			const dates = itemsOf(execution, nodeName).map(({ json }) => String(json.updated_at));
			const newest = [...sandbox.records('order')].map(({ updated_at }) => String(updated_at));
			const expected = newest.toSorted().toReversed().slice(0, 30);
			return dates.join() === expected.join() ? undefined : `dates ${dates.join()}`;
		},
	),
	runFeature(
		'Output: Whole Response',
		workflowOf('Response', {
			resource: 'workspace',
			operation: 'whoAmI',
			options: { output: 'response' },
		}),
		(execution) =>
			itemsOf(execution, nodeName)[0]?.json.success === true ? undefined : 'no envelope',
	),
	runFeature(
		'Sync with a given checkpoint',
		workflowOf('Sync, given', { ...changes, progress: 'given', checkpoint: '' }),
		(execution) => {
			const { count, checkpoint } = itemsOf(execution, nodeName)[0]?.json ?? {};
			return count === orders && typeof checkpoint === 'string' ? undefined : `${String(count)}`;
		},
	),
	{
		name: 'Sync with progress kept in a data table',
		mayDiffer: true,
		workflow: kept,
		attempt: async ({ run }) => {
			const { status, error } = await run(kept);
			return status === 'success' ? undefined : String(error?.message);
		},
	},
];

/** Everything that is tried, in the order of the table. */
export const allFeatures: Feature[] = [...features, ...panelFeatures];
