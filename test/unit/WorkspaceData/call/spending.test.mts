import { expect, it } from 'vitest';

import { addBilledCalls } from '../../../../nodes/WorkspaceData/call/spending.ts';

it('does nothing where n8n has no such data, or none in this place', () => {
	const throwing = {
		get customData(): never {
			throw new Error('runExecutionData is not available in this context');
		},
	};
	for (const context of [{}, throwing])
		expect(() => addBilledCalls(context as never, 1)).not.toThrow();
});
