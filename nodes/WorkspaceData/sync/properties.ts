import type { INodeProperties } from 'n8n-workflow';

import { changesOptions, eventProperty, startProperties } from '../../common/changes-options';
import { objectTypeProperty } from '../../common/object-type';
import { csvFiles, fileOptions, ndjsonFiles } from '../export/properties';
import { operationKind } from '../operation';
import { operations } from '../operations';
import { forRows, optionsFor } from '../show';

const syncs = operations.filter((row) => operationKind(row) === 'changes');

const ownOptions: INodeProperties[] = [
	{
		displayName: 'Max Records per Run',
		name: 'maxRecords',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 10_000,
		description:
			'Maximum records per run; the rest follow in the next run. Without this option, each run reads to the end.',
	},
	{
		displayName: 'Sync Name',
		name: 'syncName',
		type: 'string',
		default: '',
		placeholder: 'e.g. companies to the warehouse',
		displayOptions: { hide: { '/progress': ['given'] } },
		description:
			'Name for the saved progress, shared by all nodes of this workflow that use it. Without a name the progress belongs to this node, whatever the node is called.',
	},
];

/** Parameters of Get Changes. */
export const syncProperties: INodeProperties[] = [
	...forRows(syncs, objectTypeProperty('Which kind of records to read')),
	...forRows(syncs, eventProperty),
	...startProperties('beginning', 'run').flatMap((property) =>
		forRows(syncs, property, property.displayOptions?.show),
	),
	...forRows(syncs, {
		displayName: 'Output As',
		name: 'outputAs',
		type: 'options',
		options: [
			{
				name: 'Batch',
				value: 'batch',
				description: 'One item with all records of the run in it',
			},
			csvFiles,
			{
				name: 'Items',
				value: 'items',
				description: 'One item per record',
			},
			ndjsonFiles,
		],
		default: 'items',
		description: 'What each output item holds. When nothing has changed, no item comes out.',
	}),
	...forRows(syncs, {
		displayName: 'Progress',
		name: 'progress',
		type: 'options',
		options: [
			{
				name: 'Given as a Checkpoint',
				value: 'given',
				description:
					'You keep it: give the last checkpoint with each run, and store the new one that comes out with the batch or file',
			},
			{
				name: 'Kept, Moved by Confirm Changes',
				value: 'confirmed',
				description:
					'Add Confirm Changes as the last step. Until it runs, the next run returns the same changes.',
			},
		],
		default: 'confirmed',
		description: 'When the next run may skip what this run returned',
	}),
	...forRows(
		syncs,
		{
			displayName: 'Checkpoint',
			name: 'checkpoint',
			type: 'string',
			default: '',
			placeholder: 'e.g. {{ $json.checkpoint }}',
			description:
				'The checkpoint of the last batch or file that has arrived. Leave it empty to start.',
		},
		{ progress: ['given'] },
	),
	...optionsFor(syncs, () => [...changesOptions('run'), ...ownOptions, ...fileOptions]),
];
