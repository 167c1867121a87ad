import { expect, it } from 'vitest';

import { addBilledCalls } from '../../../../nodes/WorkspaceData/call/spending.ts';

it('adds to what other nodes and runs of the execution have sent', () => {
	const stored = new Map<string, string>();
	const customData = {
		get: (key: string) => stored.get(key),
		set: (key: string, value: string) => stored.set(key, value),
	};
	for (const count of [3, 4, -1]) addBilledCalls({ customData } as never, count);
	expect([...stored]).toEqual([['workspaceDataCalls', '6']]);
});

it('does nothing where n8n has no such data, or none in this place', () => {
	const throwing = {
		get customData(): never {
			throw new Error('runExecutionData is not available in this context');
		},
	};
	for (const context of [{}, throwing])
		expect(() => addBilledCalls(context as never, 1)).not.toThrow();
});
