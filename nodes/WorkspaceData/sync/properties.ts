import type { INodeProperties } from 'n8n-workflow';

import { changesOptions, eventProperty, startProperties } from '../../common/changes-options';
import { objectTypeProperty } from '../../common/object-type';
import { csvFiles, fileOptions, ndjsonFiles } from '../export/properties';
import { operationKind } from '../operation';
import { operations } from '../operations';
import { displayFor, optionsFor } from '../display';
import { WHERE_TO_CONFIRM } from './confirm';

const GUIDE = 'https://n8n-nodes-workspace-data.example/docs/sync.md#where-confirm-changes-belongs';
const LINK = `<a href="${GUIDE}" target="_blank">Show me</a>`;

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
			'Name for the saved progress. Change it to start over; use the same name to share it with other nodes of this workflow. Without a name, each node has its own.',
	},
];

const timedFileOptions = fileOptions.map((option) =>
	option.name === 'fileName'
		? {
				...option,
				description:
					'Name of the files, such as companies.csv. A number is added to each, as in companies-0001.csv. Defaults to the object type and the time of the run, so that no run replaces the files of another.',
			}
		: option,
);

/** Parameters of Get Changes. */
export const syncProperties: INodeProperties[] = [
	...displayFor(syncs, objectTypeProperty('Which kind of records to read')),
	...displayFor(syncs, eventProperty),
	...startProperties('beginning', 'run').flatMap((property) =>
		displayFor(syncs, property, property.displayOptions?.show),
	),
	...displayFor(syncs, {
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
	...displayFor(syncs, {
		displayName: 'Progress',
		name: 'progress',
		type: 'options',
		options: [
			{
				name: 'Advance After Confirm Changes (Safest)',
				value: 'confirmed',
				description:
					'Add Confirm Changes as the last step. Until it runs, the next run returns the same changes.',
			},
			{
				name: 'Use My Own Checkpoint',
				value: 'given',
				description:
					'You store the checkpoint that comes with each batch or file, and enter it in the next run',
			},
		],
		default: 'confirmed',
		description: 'When the next run may skip what this run returned',
	}),
	...displayFor(
		syncs,
		{
			displayName: `Add <b>Confirm Changes</b> as the last step of this workflow. Until it runs, the next run returns the same changes. ${LINK}`,
			name: 'confirmNotice',
			type: 'notice',
			default: '',
		},
		{ progress: ['confirmed'] },
	),
	...displayFor(
		syncs,
		{
			displayName: 'Checkpoint',
			name: 'checkpoint',
			type: 'string',
			default: '',
			placeholder: 'e.g. {{ $json.checkpoint }}',
			description:
				'The checkpoint of the last batch or file that was stored. Leave it empty to start.',
		},
		{ progress: ['given'] },
	),
	...optionsFor(syncs, () => [...changesOptions('run'), ...ownOptions, ...timedFileOptions]),
	...displayFor(
		operations.filter((row) => operationKind(row) === 'confirm'),
		{
			displayName: `Put this step last, ${WHERE_TO_CONFIRM}. ${LINK}`,
			name: 'placeNotice',
			type: 'notice',
			default: '',
		},
	),
];
