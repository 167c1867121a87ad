/** What a person sees for an operation. Written by hand: the node's own code is not asked. */
export interface Look {
	/** Labels from Resource down to Options, as shown when the operation was just chosen. */
	parameters: string[];
	/** Names under "Add option". */
	options: string[];
}

/** How `visibleParameters` calls a notice, which has no label. */
export const noticeLabel = '(notice)';

const listParameters = ['Resource', 'Operation', 'Return All', 'Limit', 'Output As', 'Options'];
const callParameters = [
	'Resource',
	'Operation',
	noticeLabel,
	'Data to Send',
	'Fields to Send',
	'Options',
];

const listOptions = [
	'Additional Parameters',
	'Changed After',
	'Field Names or IDs',
	'Ignore Total',
	'Max Retries',
	'Max Wait (Seconds)',
	'Order',
	'Page Size',
	'Pagination',
	'Sort',
	'Start Cursor',
	'Timeout (Ms)',
];

/** Of pages and files, which are always put out oldest first. */
const pagesOptions = listOptions.filter((name) => name !== 'Order');

const ndjsonOptions = [
	...pagesOptions,
	'File Name',
	'Put Output File in Field',
	'Records per File',
].sort();

const csvOptions = ['CSV Format', 'Escape Formulas', 'Line End', ...ndjsonOptions].sort();

/** Of calls that may be billed. */
const callOptions = [
	'Include Input Fields',
	'Max Calls',
	'Max Concurrent',
	'Max Retries',
	'Max Wait (Seconds)',
	'Output',
	'Preview Only',
	'Reuse Results For (Days)',
	'Send Identical Once',
	'Timeout (Ms)',
];

const changesOptions = [
	'Additional Parameters',
	'Field Names or IDs',
	'Ignore Total',
	'Max Records per Run',
	'Max Retries',
	'Max Wait (Seconds)',
	'Overlap (Seconds)',
	'Page Size',
	'Start Over',
	'Sync Name',
	'Timeout (Ms)',
];

/** The looks that operations have; test/samples.mts says which has which. */
export const looks = {
	list: { parameters: listParameters, options: listOptions },
	listOfType: { parameters: listParameters.toSpliced(2, 0, 'Object Type'), options: listOptions },
	call: { parameters: callParameters, options: callOptions },
	callByMethod: { parameters: callParameters, options: ['HTTP Method', ...callOptions] },
	changes: {
		parameters: [
			'Resource',
			'Operation',
			'Object Type',
			'Event',
			'Start From',
			'Output As',
			'Progress',
			noticeLabel,
			'Options',
		],
		options: changesOptions,
	},
	confirm: { parameters: ['Resource', 'Operation', noticeLabel], options: [] },
	read: {
		parameters: ['Resource', 'Operation', 'Options'],
		options: ['Max Retries', 'Max Wait (Seconds)', 'Output', 'Timeout (Ms)'],
	},
} satisfies Record<string, Look>;

/** Options of Get Many and Query, by what Output As says. */
export const optionsByOutput: Record<string, string[]> = {
	Items: listOptions,
	Pages: pagesOptions,
	'NDJSON Files': ndjsonOptions,
	'CSV Files': csvOptions,
};

/** What Enrich, Score and Prospect ask for besides, by what Data to Send says. */
export const parametersByDataToSend: Record<string, string[]> = {
	'Define Below for Each Field': ['Fields to Send'],
	'Auto-Map Input Data to Fields': [],
	JSON: ['JSON'],
};
