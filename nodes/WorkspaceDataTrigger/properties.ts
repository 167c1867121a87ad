import type { INodeProperties } from 'n8n-workflow';

import { additionalParametersOption } from '../common/additional-parameters';
import { changesPageSizeOption, overlapOption } from '../common/changes-options';
import { fieldsOption } from '../common/fields';
import { objectTypeProperty } from '../common/object-type';
import { DEFAULT_READ_TIMEOUT_MS, DEFAULT_RECORDS_PER_POLL } from '../common/defaults';
import {
	ignoreTotalOption,
	maxRetriesOption,
	maxWaitOption,
	timeoutOption,
} from '../common/request-options';

const options: INodeProperties[] = [
	additionalParametersOption,
	{
		displayName: 'Fetch Test Event Shows',
		name: 'testShows',
		type: 'options',
		options: [
			{
				name: 'Newest Records',
				value: 'records',
				description: 'Up to ten of the newest records, as the active trigger would give them',
			},
			{
				name: 'Progress',
				value: 'progress',
				description: 'How far the active trigger has come with reading what exists already',
			},
		],
		default: 'records',
		description: 'What a test in the editor gives. It never changes what the active trigger does.',
	},
	fieldsOption,
	ignoreTotalOption,
	{
		displayName: 'Max Records per Poll',
		name: 'maxRecordsPerPoll',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: DEFAULT_RECORDS_PER_POLL,
		description:
			'The most records that start one run of the workflow. If there are more, the next poll goes on with them.',
	},
	maxRetriesOption,
	{
		...maxWaitOption,
		description:
			'How long a request may wait, in all, for a service that does not take it. A poll never waits longer than n8n gives it; the next one tries again.',
	},
	overlapOption('poll'),
	changesPageSizeOption,
	{
		displayName: 'Start Over',
		name: 'startOver',
		type: 'string',
		default: '',
		placeholder: 'e.g. 2026-11-30',
		description:
			'To make the trigger forget its place and begin again as Start From says, enter any text here that was not there before, and publish the workflow. It starts over once; nothing more happens as long as the text stays the same.',
	},
	timeoutOption(DEFAULT_READ_TIMEOUT_MS),
];

/** Every parameter of the Workspace Data Trigger, in the order of its panel; n8n adds the poll times. */
export const properties: INodeProperties[] = [
	{
		displayName: 'Event',
		name: 'event',
		type: 'options',
		options: [
			{
				name: 'Record Created',
				value: 'recordCreated',
				description: 'Starts the workflow with each new record',
			},
			{
				name: 'Record Created or Updated',
				value: 'recordUpdated',
				description: 'Starts the workflow with each new record and each changed one',
			},
		],
		default: 'recordUpdated',
		description: 'What starts the workflow',
	},
	objectTypeProperty('Which kind of records to watch'),
	{
		displayName: 'Start From',
		name: 'startFrom',
		type: 'options',
		options: [
			{
				name: 'Beginning',
				value: 'beginning',
				description:
					'First all records that exist, over as many polls as it takes, then the changes',
			},
			{
				name: 'Now',
				value: 'now',
				description: 'Only what is created or changed from the activation on',
			},
		],
		default: 'now',
		description:
			'Where to start when the workflow is activated for the first time. Later activations go on where the trigger stopped.',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options,
	},
];
