import { expect, test } from 'vitest';

import { stepsOfRequest } from './request-path.mts';

test('a list passes at most twelve functions in seven files before a request leaves, no two with one name', async () => {
	const steps = await stepsOfRequest();
	// Both ends are seen, so nothing between them is missing.
	expect(steps[0]?.file).toBe('nodes/client/transport.ts');
	expect(steps.at(-1)).toEqual({
		name: 'execute',
		file: 'nodes/WorkspaceData/WorkspaceData.node.ts',
	});
	expect(steps.length).toBeLessThanOrEqual(12);
	expect(new Set(steps.map(({ file }) => file)).size).toBeLessThanOrEqual(7);
	const names = steps.map(({ name }) => name).filter((name) => name !== '');
	expect(names).toEqual([...new Set(names)]);
});
