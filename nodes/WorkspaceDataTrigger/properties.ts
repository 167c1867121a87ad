import type { INodeProperties } from 'n8n-workflow';

import { changesOptions, eventProperty, startProperties } from '../common/changes-options';
import { DEFAULT_RECORDS_PER_POLL } from './parameters';
import { objectTypeProperty } from '../common/object-type';

const options: INodeProperties[] = [
	...changesOptions('poll'),
	{
		displayName: 'Max Records per Poll',
		name: 'maxRecordsPerPoll',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: DEFAULT_RECORDS_PER_POLL,
		description: 'Maximum records per run of the workflow; the rest follow with the next poll',
	},
];

/** Every parameter of the Workspace Data Trigger, in the order of its panel; n8n adds the poll times. */
export const properties: INodeProperties[] = [
	{ ...eventProperty, description: 'What starts the workflow' },
	objectTypeProperty('Which kind of records to watch'),
	...startProperties('now', 'poll'),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: options.sort((one, other) => one.displayName.localeCompare(other.displayName)),
	},
];
