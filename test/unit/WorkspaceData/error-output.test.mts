import { NodeOperationError, type IExecuteFunctions, type INode } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { markForErrorOutput } from '../../../nodes/WorkspaceData/task.ts';

const json = { error: 'It failed', message: 'Do this', details: { httpCode: '500' } };

/** The item of an error, marked for a node with this setting. */
function mark(onError: INode['onError'], source: unknown = { main: [{ previousNode: 'Items' }] }) {
	const node = { id: '1', name: 'a', onError } as INode;
	const context = { getNode: () => node, getExecuteData: () => ({ source }) };
	const item = { json: { ...json }, pairedItem: { item: 3 } };
	const error = new NodeOperationError(node, 'It failed');
	return markForErrorOutput(item, error, context as unknown as IExecuteFunctions);
}

describe('markForErrorOutput', () => {
	it('gives the item an error to be routed by, which its copy at the error output does not have', () => {
		const item = mark('continueErrorOutput');
		expect(item.error?.message).toBe('It failed');
		expect({ ...item }).toStrictEqual({ json, pairedItem: { item: 3 } });
		expect('error' in { ...item }).toBe(false);
	});

	it('leaves the item alone where n8n would keep it and replace its json', () => {
		expect(mark('continueRegularOutput').error).toBeUndefined();
		expect(mark('continueErrorOutput', null).error).toBeUndefined();
	});
});
