import { NodeOperationError, type IExecuteFunctions, type INode } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { markForErrorOutput } from '../../../nodes/WorkspaceData/task.ts';

it('does not set `error` on an error item in the first node of a workflow, because n8n would replace its json', () => {
	const node = { id: '1', name: 'a', onError: 'continueErrorOutput' } as INode;
	const error = new NodeOperationError(node, 'It failed');
	const mark = (source: unknown) => {
		const context = { getNode: () => node, getExecuteData: () => ({ source }) };
		return markForErrorOutput({ json: {} }, error, context as unknown as IExecuteFunctions);
	};
	expect(mark(null).error).toBeUndefined();
	expect(mark({ main: [{ previousNode: 'Items' }] }).error?.message).toBe('It failed');
});
