import { expect, it } from 'vitest';

import { planCalls } from '../../../../nodes/WorkspaceData/call/plan.ts';
import { addBilledCalls } from '../../../../nodes/WorkspaceData/call/call-hints.ts';
import { panel, nodeRunOf } from '../parameters-support.mts';
import { jsonOf } from './read-call.mts';

const CREDENTIAL = { baseUrl: 'https://api.example.com', apiVersion: 'v2', apiKey: 'fake-key' };

it('lets n8n do other work after every 250 input items while the node plans its calls', async () => {
	const get = panel(jsonOf({ domain: 'a.example' }));
	const nodeRun = nodeRunOf({
		getInputData: () => Array(1_000).fill({ json: {} }),
		getCredentials: async () => ({ ...CREDENTIAL, sameForAllItems: true }),
		getNodeParameter: (name: string, _index: number, fallback: unknown) => get(name, fallback),
	});
	let turns = 0;
	let others: NodeJS.Immediate;
	const takeTurn = (): void => {
		turns += 1;
		others = setImmediate(takeTurn);
	};
	others = setImmediate(takeTurn);
	const plan = await planCalls(nodeRun);
	clearImmediate(others);
	expect(plan.calls).toHaveLength(1_000);
	expect(turns, 'turns').toBeGreaterThanOrEqual(3);
});

it('skips the count of billed calls without an error if n8n does not keep execution data', () => {
	const throwing = {
		get customData(): never {
			throw new Error('runExecutionData is not available in this context');
		},
	};
	for (const context of [{}, throwing])
		expect(() => addBilledCalls(context as never, 1)).not.toThrow();
});
