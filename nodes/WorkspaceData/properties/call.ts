import type { INodeProperties } from 'n8n-workflow';

import {
	DEFAULT_CALL_TIMEOUT_MS,
	DEFAULT_MAX_CONCURRENT,
	MOST_CONCURRENT,
} from '../parameters/defaults';
import { maxRetriesOption, maxWaitOption, timeoutOption } from './request-options';
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

const manyItemsOptions: INodeProperties[] = [
	{
		displayName: 'Include Input Fields',
		name: 'includeInputFields',
		type: 'boolean',
		default: false,
		description:
			'Whether to keep the fields and files of the input item and add the result to them',
	},
	{
		displayName: 'Max Concurrent',
		name: 'maxConcurrent',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MOST_CONCURRENT },
		default: DEFAULT_MAX_CONCURRENT,
		description:
			'How many requests may be under way at once. The node uses fewer while the service refuses some for their rate.',
	},
];

const resultFieldOption: INodeProperties = {
	displayName: 'Result Field',
	name: 'resultField',
	type: 'string',
	default: '',
	placeholder: 'e.g. result',
	description:
		"With Include Input Fields: the field that gets the result. Empty uses the operation's name; a field of that name in the input is replaced.",
};

const sendIdenticalOnceOption: INodeProperties = {
	displayName: 'Send Identical Once',
	name: 'sendIdenticalOnce',
	type: 'boolean',
	default: false,
	description:
		'Whether items with the same data to send share one request and its result, so that it is billed once',
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
				description: 'Send all fields of the input item as they are, empty ones too',
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
							'Value of the field. The result of an expression keeps its type: number, boolean, list or object. A field whose value is empty is not sent; to send empty text or null, set Data to Send to JSON.',
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
		description:
			'The body to send, as a JSON object. Empty text and null are sent as written, and long numbers keep all their digits.',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: showFor(isCall),
		options: [
			prospectMethodOption,
			...manyItemsOptions,
			maxRetriesOption,
			maxWaitOption,
			resultFieldOption,
			sendIdenticalOnceOption,
			timeoutOption(DEFAULT_CALL_TIMEOUT_MS),
		],
	},
];
