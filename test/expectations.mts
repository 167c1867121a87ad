/** What a person sees for an operation. Written by hand: the node's own code is not asked. */
export interface Look {
	/** Labels from Resource down to Options, as shown when the operation was just chosen. */
	parameters: string[];
	/** Names under "Add option". */
	options: string[];
}

/** How `visibleParameters` calls a notice, which has no label. */
const noticeLabel = '(notice)';

const listParameters = ['Resource', 'Operation', 'Return All', 'Limit', 'Output As', 'Options'];
const callParameters = [
	'Resource',
	'Operation',
	noticeLabel,
	'Data to Send',
	'Fields to Send',
	'Options',
];

/** Of all that asks the service. */
const requestOptions = [
	'Max Requests per Minute',
	'Max Retries',
	'Max Wait (Seconds)',
	'Timeout (Ms)',
];

const listOptions = [
	'Additional Parameters',
	'Changed After',
	'Changed Before',
	'Field Names or IDs',
	'Ignore Total',
	'Order',
	'Page Size',
	'Pagination',
	'Sort',
	'Start Cursor',
	...requestOptions,
].sort();

/** Of calls that may be billed. */
const callOptions = [
	'Identify By',
	'Include Input Fields',
	'Max Calls',
	'Max Concurrent',
	'Output',
	'Preview Only',
	'Reuse Results For (Days)',
	'Send Identical Once',
	...requestOptions,
].sort();

const changesOptions = [
	'Additional Parameters',
	'Field Names or IDs',
	'Ignore Total',
	'Max Records per Run',
	'Overlap (Seconds)',
	'Page Size',
	'Start Over',
	'Sync Name',
	...requestOptions,
].sort();

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
		options: ['Output', ...requestOptions].sort(),
	},
} satisfies Record<string, Look>;
