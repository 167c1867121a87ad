import type { INodeProperties } from 'n8n-workflow';

import { FIRST_PAGE_SIZE } from '../client/page-size';
import { fieldsOption } from '../common/fields';
import {
	DEFAULT_OVERLAP_SECONDS,
	DEFAULT_RECORDS_PER_POLL,
	MOST_PER_PAGE_OF_TRIGGER,
} from '../common/defaults';

const options: INodeProperties[] = [
	fieldsOption,
	{
		displayName: 'Max Records per Poll',
		name: 'maxRecordsPerPoll',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: DEFAULT_RECORDS_PER_POLL,
		description:
			'The most records that start one run of the workflow. If there are more, the next poll goes on with them.',
	},
	{
		displayName: 'Overlap (Seconds)',
		name: 'overlapSeconds',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: DEFAULT_OVERLAP_SECONDS,
		description:
			'How late a change may show up and still be noticed: every poll looks again at what is this much older than the newest record, by the dates of the service',
	},
	{
		displayName: 'Page Size',
		name: 'pageSize',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MOST_PER_PAGE_OF_TRIGGER },
		default: FIRST_PAGE_SIZE,
		description:
			'How many records to ask for per request. Without this option the node finds the size that the service allows and that is quick.',
	},
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
	{
		displayName: 'Object Type',
		name: 'objectType',
		type: 'string',
		default: 'company',
		required: true,
		placeholder: 'e.g. company',
		description: 'Which kind of records to watch, by the name that the service gives it',
	},
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
