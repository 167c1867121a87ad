import type { INodeProperties } from 'n8n-workflow';

import { DEFAULT_CALL_TIMEOUT_MS } from '../parameters/defaults';
import { maxRetriesOption, timeoutOption } from './request-options';
import { showFor } from './show';

const isCall = (row: { kind: string }): boolean => row.kind === 'call';

const prospectMethodOption: INodeProperties = {
	displayName: 'HTTP Method',
	name: 'httpMethod',
	type: 'options',
	displayOptions: { show: { '/operation': ['prospect'] } },
	options: [
		{ name: 'GET', value: 'GET', description: 'Sends the fields in the address' },
		{ name: 'POST', value: 'POST', description: 'Sends the fields as a JSON body' },
	],
	default: 'POST',
	description:
		"Which HTTP method your service takes for Prospect; the service's specification does not say",
};

/** Parameters of Enrich, Score and Prospect (design section 4, "Call operations"). */
export const callProperties: INodeProperties[] = [
	{
		displayName: 'Data to Send',
		name: 'dataToSend',
		type: 'options',
		options: [
			{
				name: 'Auto-Map Input Data to Fields',
				value: 'autoMapInputData',
				description: 'Send all fields of the input item as they are',
			},
			{
				name: 'Define Below for Each Field',
				value: 'defineBelow',
				description: 'Name each field to send and give its value',
			},
			{
				name: 'JSON',
				value: 'json',
				description: 'Write the body as a JSON object',
			},
		],
		default: 'defineBelow',
		displayOptions: showFor(isCall),
		description: 'Where the data for the service comes from',
	},
	{
		displayName: 'Fields to Send',
		name: 'fields',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Field',
		default: {},
		displayOptions: showFor(isCall, { dataToSend: ['defineBelow'] }),
		description: 'The fields that the service gets, for example domain with example.com',
		options: [
			{
				displayName: 'Field',
				name: 'values',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. domain',
						description: 'Name of the field, as the service knows it',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: 'e.g. example.com',
						description:
							'Value of the field. The result of an expression keeps its type: number, boolean, list or object.',
					},
				],
			},
		],
	},
	{
		displayName: 'JSON',
		name: 'jsonBody',
		type: 'json',
		default: '{}',
		displayOptions: showFor(isCall, { dataToSend: ['json'] }),
		description: 'The body to send, as a JSON object',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: showFor(isCall),
		options: [prospectMethodOption, maxRetriesOption, timeoutOption(DEFAULT_CALL_TIMEOUT_MS)],
	},
];
