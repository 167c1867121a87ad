import type { INodeProperties } from 'n8n-workflow';

import { additionalParametersOption } from '../../common/additional-parameters';
import { changesPageSizeOption, overlapOption } from '../../common/changes-options';
import { fieldsOption } from '../../common/fields';
import {
	ignoreTotalOption,
	maxRetriesOption,
	maxWaitOption,
	timeoutOption,
} from '../../common/request-options';
import { objectTypeProperty } from '../../common/object-type';
import { csvFiles, fileOptions, ndjsonFiles } from '../export/properties';
import { kindOf } from '../operation';
import { rows } from '../operations';
import { forRows, optionsFor } from '../show';

const syncs = rows.filter((row) => kindOf(row) === 'changes');

const ownOptions: INodeProperties[] = [
	additionalParametersOption,
	fieldsOption,
	ignoreTotalOption,
	maxRetriesOption,
	maxWaitOption,
	{
		displayName: 'Max Records per Run',
		name: 'maxRecords',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 10_000,
		description:
			'The most records that one run gives. If there are more, the next run goes on with them. Without this option, each run reads to the end.',
	},
	overlapOption('run'),
	changesPageSizeOption,
	{
		displayName: 'Sync Name',
		name: 'syncName',
		type: 'string',
		default: '',
		placeholder: 'e.g. companies to the warehouse',
		displayOptions: { hide: { '/progress': ['given'] } },
		description:
			'What the progress is kept under. By default it belongs to this node, whatever the node is called; with a name, any node of this workflow that uses the name goes on with it, and a new name starts over.',
	},
];

/** Parameters of Get Changes. */
export const syncProperties: INodeProperties[] = [
	...forRows(syncs, objectTypeProperty('Which kind of records to read')),
	...forRows(syncs, {
		displayName: 'Event',
		name: 'event',
		type: 'options',
		options: [
			{
				name: 'Record Created',
				value: 'recordCreated',
				description: 'Gives each new record',
			},
			{
				name: 'Record Created or Updated',
				value: 'recordUpdated',
				description: 'Gives each new record and each changed one',
			},
		],
		default: 'recordUpdated',
		description: 'What counts as a change. The service does not tell which records were deleted.',
	}),
	...forRows(syncs, {
		displayName: 'Start From',
		name: 'startFrom',
		type: 'options',
		options: [
			{
				name: 'Beginning',
				value: 'beginning',
				description: 'The first run gives all records that exist, later ones what has changed',
			},
			{
				name: 'Now',
				value: 'now',
				description: 'Only what is created or changed after the first run',
			},
		],
		default: 'beginning',
		description:
			'Where the first run starts. Later runs go on where the one before them has come to.',
	}),
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
					'Nothing is lost when a later node fails: until Confirm Changes has run, the same changes come again',
			},
			{
				name: 'Kept, Moved When Read',
				value: 'read',
				description: 'Changes count as done once this node has read them, whatever follows',
			},
		],
		default: 'confirmed',
		description: 'How the sync remembers from one run to the next what it has given',
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
	...optionsFor(syncs, ({ timeoutMs }) => [
		...ownOptions,
		...fileOptions,
		timeoutOption(timeoutMs),
	]),
];
