import type { INodeProperties } from 'n8n-workflow';

import { DEFAULT_READ_TIMEOUT_MS } from '../parameters/defaults';
import { callProperties } from './call';
import { listProperties } from './list';
import { maxRetriesOption, maxWaitOption, timeoutOption } from './request-options';
import { resourceProperties } from './resource';
import { showFor } from './show';

/** Every parameter of the Workspace Data node, in the order of its panel. */
export const properties: INodeProperties[] = [
	...resourceProperties,
	...listProperties,
	...callProperties,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: showFor((row) => row.kind === 'read'),
		options: [maxRetriesOption, maxWaitOption, timeoutOption(DEFAULT_READ_TIMEOUT_MS)],
	},
];
