import type { INodeProperties } from 'n8n-workflow';

import type { HttpMethod } from '../../shared/client/api';
import { namedRows } from '../../shared/panel/additional-parameters';
import {
	choice,
	group,
	link,
	NOT_IN_TOOLS,
	notice,
	number,
	text,
	yesOrNo,
	type Choices,
} from '../../shared/panel/parameter-builders';
import type { Operation } from '../operation-row';
import { operations, operationsOf } from '../operations';
import { requestOptions } from '../../shared/panel/request-options';
import { displayEach, displayFor, optionsFor } from '../display';

export const DEFAULT_MAX_CONCURRENT = 5;
export const MAX_CONCURRENT = 100;
export const DEFAULT_DAYS_KEPT = 30;

const calls = operationsOf('call');
const billed = operations.filter(({ repeat }) => repeat === 'billed');
const callsWithData = calls.filter(({ sendsData }) => sendsData);

/** Option Full API Response, for calls and for Who Am I. */
export const fullResponseOption = yesOrNo('Full API Response', 'fullResponse', {
	description:
		'Whether to return one item with the full API response, such as request ID and total',
});

const outputFieldsOption = text('Output Fields (Columns)', 'outputFields', {
	placeholder: 'e.g. domain, industry, employees',
	description:
		'Returns only these fields of the result, for example to keep answers for an AI agent short. Separate names by commas. For a field inside another, write address.city.',
});

/** Returns the option HTTP Method, for operations whose method the service's specification does not name. */
export function methodOption(methods: readonly HttpMethod[], { endpoints, name }: Operation) {
	return choice('HTTP Method', 'httpMethod', {
		choices: Object.fromEntries(methods.map((method) => [method, [method]])) as Choices<HttpMethod>,
		default: Object.values(endpoints)[0]?.method ?? methods[0],
		description: `HTTP method that your service accepts for ${name}. Its specification names none. GET sends the fields as query parameters, POST as a JSON body.`,
	});
}

function describeFields({ exampleField: [name, value] = ['name', 'value'] }: Operation) {
	const description = `Fields of the request, for example ${name} with the value ${value}`;
	return { displayName: 'Fields to Send', name: 'fields', default: {}, description };
}

/** Returns the parameter Fields to Send, with rows of name, type and value as in n8n's Edit Fields node. */
function assignedFields(row: Operation): INodeProperties {
	const { description, ...rest } = describeFields(row);
	return {
		...rest,
		type: 'assignmentCollection',
		displayOptions: { show: { dataToSend: ['defineBelow'], '@tool': [false] } },
		description: `${description}. Each value must have the type of its row. In a row of type String, an expression keeps its own type. Empty fields are not sent. To send empty text or null, set Data to Send to JSON.`,
	};
}

/** Returns Fields to Send for AI tools. With the rows of `assignedFields`, a model could set one value for all rows. */
function namedFields(row: Operation): INodeProperties {
	return namedRows(
		{
			...describeFields(row),
			displayOptions: { show: { dataToSend: ['defineBelow'], '@tool': [true] } },
		},
		'Field',
		row.exampleField ?? ['name', 'value'],
		"Value of the field. With the stars button, the model fills in the value: enter a name and a description, such as {{ $fromAI('domain', 'Domain of the company, such as acme.com') }}. An expression keeps its own type. Empty fields are not sent.",
	);
}

/** Returns notices about Fields to Send. They are not hints, because n8n shows no hint for this type of parameter. */
function noticesOnFields({ fieldsNotice, exampleField }: Operation): INodeProperties[] {
	const [name = 'name'] = exampleField ?? [];
	const show = { dataToSend: ['defineBelow'] };
	const example = `For example <b>${name}</b> with the expression <b>{{ $json.${name} }}</b>. Your service decides which fields it needs: ask its support. Only empty values are refused: text such as n/a is sent, and may be billed.`;
	return [
		// Hide the example in AI tools, because a tool has no input item.
		notice('fieldsExample', example, { displayOptions: { show: { ...show, '@tool': [false] } } }),
		...(fieldsNotice ? [notice('fieldsNotice', fieldsNotice, { displayOptions: { show } })] : []),
	];
}

const cacheOption = group('Keep Results (Cache, Reuse)', 'cache', [
	number('Days', 'days', {
		minValue: 1,
		default: DEFAULT_DAYS_KEPT,
		description:
			'How many days to keep results in a data table of n8n. During this time, a kept result is used instead of a new call with the same data. Results of runs without this option are not kept.',
	}),
	text('Required Fields', 'requiredFields', {
		placeholder: 'e.g. employees, address.city',
		description:
			'Keep a result only if these fields have a value, such as employees. Separate names by commas. Other results are returned, but not kept: a later run sends their calls again.',
	}),
]);

const deduplicateByOption = text('Deduplicate By', 'deduplicateBy', {
	default: '*',
	placeholder: 'e.g. domain, address.city',
	description:
		'Items with equal values in these fields share one call and its result. Keep Results compares the same fields. Separate names by commas: letter case and surrounding spaces in these fields are ignored. * compares all data that are sent, exactly as they are sent.',
});

export const dataToSend = choice('Data to Send', 'dataToSend', {
	choices: {
		autoMapInputData: [
			'Auto-Map Input Data to Fields',
			'Send all fields of the input item unchanged, including empty fields',
			NOT_IN_TOOLS,
		],
		defineBelow: ['Define Below for Each Field', 'Name each field to send and give its value'],
		json: ['JSON', 'Write the body as a JSON object'],
	},
	default: 'defineBelow',
	description: 'Where the data to send comes from',
});

const jsonBody: INodeProperties = {
	displayName: 'JSON',
	name: 'jsonBody',
	type: 'json',
	default: '{}',
	displayOptions: { show: { dataToSend: ['json'] } },
	description:
		'Request body as a JSON object. Empty text and null are sent as written. Long numbers keep all their digits.',
};

const ownProperties = (row: Operation): INodeProperties[] =>
	(row.parameters ?? []).map(({ name, displayName, description, placeholder, ifEmpty }) =>
		text(displayName, name, { required: ifEmpty !== undefined, placeholder, description }),
	);

const billedNotices = [
	notice(
		'billedNotice',
		`Each call may be billed. ${link('usage.md#knowing-and-limiting-what-you-spend', 'How to avoid duplicate charges and set a limit')}`,
		{ displayOptions: NOT_IN_TOOLS },
	),
	notice(
		'billedNotice',
		`Each call may be billed. ${link('ai.md#what-it-may-cost', 'How to limit an agent')}`,
		{ displayOptions: { show: { '@tool': [true] } } },
	),
];

/** Returns parameters that the panel shows above Options, because users should find them without opening Options. */
function propertiesBeforeOptions({ resultField, operation }: Operation): INodeProperties[] {
	return [
		yesOrNo('Include Input Fields', 'includeInputFields', {
			default: false,
			displayOptions: NOT_IN_TOOLS,
			description: `Whether to return the fields and files of the input item too, with the result in the field ${resultField ?? operation}. An input field of that name is replaced, and in error items also error, message and details.`,
		}),
		yesOrNo('Preview Only (Dry Run)', 'previewOnly', {
			default: false,
			displayOptions: NOT_IN_TOOLS,
			description:
				'Whether to send nothing and return one item that shows the number of calls, the first call, and the items that would be refused',
		}),
	];
}

const callOptions = (row: Operation): INodeProperties[] => [
	...(row.methods ? [methodOption(row.methods, row)] : []),
	...(row.sendsData ? [deduplicateByOption] : []),
	...(row.repeat === 'billed' ? [cacheOption] : []),
	fullResponseOption,
	number('Limit Calls (Budget)', 'maxCalls', {
		displayOptions: NOT_IN_TOOLS,
		minValue: 0,
		default: 100,
		description: `Maximum calls per run of this node${row.result === 'items' ? ' (not the number of companies)' : ''}. With On Error: Continue, items beyond this limit become error items. With Stop Workflow, a run with more items sends nothing. Without this option, there is no limit.`,
	}),
	outputFieldsOption,
	number('Parallel Requests (Batching)', 'maxConcurrent', {
		displayOptions: NOT_IN_TOOLS,
		minValue: 1,
		maxValue: MAX_CONCURRENT,
		default: DEFAULT_MAX_CONCURRENT,
		description:
			'Maximum number of parallel requests for the whole run. With an expression, the value for the first item is used. The node starts with at most 5, and slows down if the service reports too many requests.',
	}),
	requestOptions(row.timeoutMs),
];

/** Parameters of all calls, in the order of the panel. The notice on costs comes first. */
export const callProperties: INodeProperties[] = [
	...displayFor(billed, ...billedNotices),
	...displayEach(calls, ownProperties),
	...displayFor(callsWithData, dataToSend),
	...displayEach(callsWithData, (row) => [
		assignedFields(row),
		namedFields(row),
		...noticesOnFields(row),
	]),
	...displayFor(callsWithData, jsonBody),
	...displayEach(calls, propertiesBeforeOptions),
	...optionsFor(calls, callOptions),
];
