import { Workflow, type INodeTypes } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { WorkspaceDataTrigger } from '../../../nodes/WorkspaceDataTrigger/WorkspaceDataTrigger.node.ts';

const trigger = new WorkspaceDataTrigger();

/** What the canvas shows under the name of a trigger with these parameters. */
function subtitleOf(parameters: object): unknown {
	const node = {
		id: '1',
		name: 'Trigger',
		type: 'workspaceDataTrigger',
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters: { ...parameters },
	};
	const nodeTypes = { getByNameAndVersion: () => trigger } as unknown as INodeTypes;
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const { subtitle = '' } = trigger.description;
	return workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {});
}

describe('the subtitle', () => {
	const chosen = { __rl: true, mode: 'list', value: 'company', cachedResultName: 'Company' };

	it.each([
		[{ objectType: chosen, event: 'recordUpdated' }, 'Company: created or updated'],
		[{ objectType: { ...chosen, mode: 'name', value: 'deal' } }, 'Deal: created or updated'],
		[{ objectType: 'item', event: 'recordCreated' }, 'Item: created'],
	])('of %j is %j', (parameters, expected) => {
		expect(subtitleOf(parameters)).toBe(expected);
	});
});
