import type { INodeProperties } from 'n8n-workflow';

import { outputOption } from './answer';
import { kindOf } from './operation';
import { rows } from './operations';
import { callProperties } from './call/properties';
import { listProperties } from './list/properties';
import { syncProperties } from './sync/properties';
import { maxRetriesOption, maxWaitOption, timeoutOption } from '../common/request-options';
import { resourceProperties } from './resource';
import { optionsFor } from './show';

/** Every parameter of the Workspace Data node, in the order of its panel. */
export const properties: INodeProperties[] = [
	...resourceProperties,
	...listProperties,
	...syncProperties,
	...callProperties,
	...optionsFor(
		rows.filter((row) => kindOf(row) === 'read'),
		({ timeoutMs }) => [maxRetriesOption, maxWaitOption, outputOption, timeoutOption(timeoutMs)],
	),
];
