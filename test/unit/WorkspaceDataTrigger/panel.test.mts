import { describe, expect, it } from 'vitest';

import { WorkspaceDataTrigger } from '../../../nodes/WorkspaceDataTrigger/WorkspaceDataTrigger.node.ts';
import { editorOf } from '../WorkspaceData/panel.mts';

const trigger = new WorkspaceDataTrigger();

/** What the canvas shows under the name of a trigger with these parameters. */
function subtitleOf(parameters: object): unknown {
	const { node, expression } = editorOf(trigger, parameters);
	const { subtitle = '' } = trigger.description;
	return expression.getSimpleParameterValue(node, subtitle, 'internal', {});
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
