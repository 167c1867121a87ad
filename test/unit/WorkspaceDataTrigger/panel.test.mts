import { describe, expect, it } from 'vitest';

import { WorkspaceDataTrigger } from '../../../nodes/WorkspaceDataTrigger/WorkspaceDataTrigger.node.ts';
import { subtitleOf } from '../WorkspaceData/panel.mts';

const trigger = new WorkspaceDataTrigger();

describe('the subtitle of the trigger', () => {
	const chosen = { __rl: true, mode: 'list', value: 'company', cachedResultName: 'Company' };

	it.each([
		[{ objectType: chosen, event: 'recordUpdated' }, 'Company: created or updated'],
		[{ objectType: { ...chosen, mode: 'name', value: 'deal' } }, 'Deal: created or updated'],
		[{ objectType: 'item', event: 'recordCreated' }, 'Item: created'],
	])('shows the parameters %j as the subtitle %j', (parameters, expected) => {
		expect(subtitleOf(trigger, parameters)).toBe(expected);
	});
});
