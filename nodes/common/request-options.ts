import type { INodeProperties } from 'n8n-workflow';

import { DEFAULT_MAX_RETRIES, DEFAULT_MAX_WAIT_SECONDS } from './defaults';

/** How often to try again after a fault; an option of every operation, like the others here. */
export const maxRetriesOption: INodeProperties = {
	displayName: 'Max Retries',
	name: 'maxRetries',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: DEFAULT_MAX_RETRIES,
	description:
		'How often a request is tried again after a passing fault. What may have been billed, created, changed or deleted is never sent twice.',
};

/** How long to wait for a service that takes no requests. */
export const maxWaitOption: INodeProperties = {
	displayName: 'Max Wait (Seconds)',
	name: 'maxWait',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: DEFAULT_MAX_WAIT_SECONDS,
	description:
		'How long a request may wait, in all, for a service that does not accept it because of a rate limit. For a connection that cannot be made it waits a minute at most. The time starts again whenever the service accepts another request of the run. After that it fails, and so do the remaining items.',
};

/** For services that only estimate how many records a list has; an option of everything that reads lists. */
export const ignoreTotalOption: INodeProperties = {
	displayName: 'Ignore Total',
	name: 'ignoreTotal',
	type: 'boolean',
	default: false,
	description:
		"Whether to ignore the service's total. Without this option, a list that ends before as many records came as its total says is an error. Turn it on only if the total is an estimate.",
};

/** The timeout option, with the operation's default in ms. */
export function timeoutOption(defaultMs: number): INodeProperties {
	return {
		displayName: 'Timeout (Ms)',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: defaultMs,
		description: 'How long to wait for the answer to one request, in milliseconds',
	};
}
