import type { INodeProperties } from 'n8n-workflow';

import {
	changesOptions,
	eventProperty,
	readChangesParameters,
	startProperties,
} from '../shared/panel/changes-options';
import { objectTypeProperty } from '../shared/panel/object-type';
import { number, optionsProperty } from '../shared/panel/parameter-builders';
import { readOptions, wholeNumber, type GetParameter } from '../shared/panel/read-parameters';

/** Default of the option Limit (Records per Poll). */
export const DEFAULT_RECORDS_PER_POLL = 1_000;

const ownOptions: INodeProperties[] = [
	...changesOptions('poll'),
	number('Limit (Records per Poll)', 'maxRecordsPerPoll', {
		minValue: 1,
		default: DEFAULT_RECORDS_PER_POLL,
		description: 'Maximum records per run of the workflow. The next poll returns the rest.',
	}),
];

/** Parameters of the Workspace Data Trigger, in the order of its panel. n8n adds the poll times. */
export const properties: INodeProperties[] = [
	eventProperty('poll'),
	objectTypeProperty('Type of the records to watch'),
	...startProperties('poll'),
	optionsProperty(ownOptions),
];

export type TriggerParameters = ReturnType<typeof readTriggerParameters>;

/** Reads and checks the parameters of the trigger. Throws InputProblem if a parameter is invalid. */
export function readTriggerParameters(get: GetParameter, timezone: string) {
	const options = readOptions(get);
	const { maxRecordsPerPoll = DEFAULT_RECORDS_PER_POLL } = options;
	return {
		...readChangesParameters(get, options, 'poll', timezone),
		maxRecordsPerPoll: wholeNumber(maxRecordsPerPoll, 'Limit', 1),
	};
}
