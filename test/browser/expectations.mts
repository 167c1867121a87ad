/** What a person sees for one resource and operation. Written by hand: the node's own code is not asked. */
export interface PanelExpectation {
	resource: string;
	operation: string;
	/** Labels from Resource down to Options, as shown when the operation was just chosen. */
	parameters: string[];
	/** Names under "Add option". */
	options: string[];
}

const listParameters = ['Resource', 'Operation', 'Return All', 'Limit', 'Output As', 'Options'];
const callParameters = ['Resource', 'Operation', 'Data to Send', 'Fields to Send', 'Options'];

const listOptions = [
	'Fields',
	'Max Retries',
	'Max Wait (Seconds)',
	'Page',
	'Page Size',
	'Pagination',
	'Sort',
	'Sort Key',
	'Start Cursor',
	'Timeout (Ms)',
];

const ndjsonOptions = [
	'Fields',
	'File Name',
	'Max Retries',
	'Max Wait (Seconds)',
	'Page',
	'Page Size',
	'Pagination',
	'Put Output File in Field',
	'Records per File',
	'Sort',
	'Sort Key',
	'Start Cursor',
	'Timeout (Ms)',
];

const csvOptions = ['Byte Order Mark', 'Escape Formulas', ...ndjsonOptions];

const callOptions = [
	'Include Input Fields',
	'Max Concurrent',
	'Max Retries',
	'Max Wait (Seconds)',
	'Result Field',
	'Send Identical Once',
	'Timeout (Ms)',
];

function list(resource: string): PanelExpectation {
	return { resource, operation: 'Get Many', parameters: listParameters, options: listOptions };
}

function call(resource: string, operation: string): PanelExpectation {
	return { resource, operation, parameters: callParameters, options: callOptions };
}

/** Every resource and operation, in the order of the panel's lists. */
export const panels: PanelExpectation[] = [
	call('Company', 'Enrich'),
	list('Company'),
	{ ...call('Company', 'Prospect'), options: ['HTTP Method', ...callOptions] },
	call('Company', 'Score'),
	call('Deal', 'Score'),
	list('Item'),
	list('Order'),
	{
		resource: 'Record',
		operation: 'Query',
		parameters: [
			'Resource',
			'Operation',
			'Object Type',
			'Return All',
			'Limit',
			'Output As',
			'Options',
		],
		options: listOptions,
	},
	{
		resource: 'Workspace',
		operation: 'Who Am I',
		parameters: ['Resource', 'Operation', 'Options'],
		options: ['Max Retries', 'Max Wait (Seconds)', 'Timeout (Ms)'],
	},
];

/** The operation that a resource starts with when it is chosen. */
export const firstOperations: Record<string, string> = {
	Company: 'Get Many',
	Deal: 'Score',
	Item: 'Get Many',
	Order: 'Get Many',
	Record: 'Query',
	Workspace: 'Who Am I',
};

/** Options of Get Many and Query, by what Output As says. */
export const optionsByOutput: Record<string, string[]> = {
	Items: listOptions,
	Pages: listOptions,
	'NDJSON Files': ndjsonOptions,
	'CSV Files': csvOptions,
};

/** What Enrich, Score and Prospect ask for besides, by what Data to Send says. */
export const parametersByDataToSend: Record<string, string[]> = {
	'Define Below for Each Field': ['Fields to Send'],
	'Auto-Map Input Data to Fields': [],
	JSON: ['JSON'],
};
