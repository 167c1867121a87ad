import type { INodeProperties } from 'n8n-workflow';

import { changesOptions, eventProperty, startProperties } from '../common/panel/changes-options';
import { objectTypeProperty } from '../common/panel/choices';
import { number, optionsProperty } from '../common/panel/fields';
import { DEFAULT_RECORDS_PER_POLL } from './parameters';

const ownOptions: INodeProperties[] = [
	...changesOptions('poll'),
	number('Limit (Records per Poll)', 'maxRecordsPerPoll', {
		minValue: 1,
		default: DEFAULT_RECORDS_PER_POLL,
		description: 'Maximum records per run of the workflow; the rest follow with the next poll',
	}),
];

/** Every parameter of the Workspace Data Trigger, in the order of its panel; n8n adds the poll times. */
export const properties: INodeProperties[] = [
	eventProperty('poll'),
	objectTypeProperty('Type of the records to watch'),
	...startProperties('poll'),
	optionsProperty(ownOptions),
];
