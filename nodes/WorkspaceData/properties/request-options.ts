import type { INodeProperties } from 'n8n-workflow';

import { DEFAULT_MAX_RETRIES } from '../parameters/defaults';

/** Options of every operation that sends requests. */
export const maxRetriesOption: INodeProperties = {
	displayName: 'Max Retries',
	name: 'maxRetries',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: DEFAULT_MAX_RETRIES,
	description:
		'How often a request is tried again after a rate limit or a passing fault. What may have been billed, created, changed or deleted is never sent twice.',
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
