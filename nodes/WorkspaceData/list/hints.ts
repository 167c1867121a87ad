// nodes/WorkspaceData/list/: operations that read records page by page: Get Many and Query, as items or pages.

import type { NodeHint } from 'n8n-workflow';

import { rows } from '../operations';

const lists = rows
	.filter(({ input }) => input === 'list')
	.map(({ resource, operation }) => `${resource}:${operation}`);

/** Said before the node runs with several input items. */
export const listHints: NodeHint[] = [
	{
		message:
			'This node reads the list once for each of its input items. If you want the records once, turn on <b>Execute Once</b> in the settings of this node.',
		type: 'info',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: `={{ $input.all().length > 1 && ${JSON.stringify(lists)}.includes($parameter.resource + ":" + $parameter.operation) }}`,
	},
];
