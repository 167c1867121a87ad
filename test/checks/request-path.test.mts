/** How far it is from a node's `execute` to the request: what a reader has to pass. */
import { expect, test } from 'vitest';

import { DEFAULT_RUNS, stepsOfRequest } from './request-path.mts';
import { purposeOf } from '../../tools/pictures/request-picture.mts';

const BOUNDS = {
	list: { functions: 12, files: 6 },
	sync: { functions: 15, files: 8 },
	call: { functions: 10, files: 5 },
};

test.each(Object.entries(BOUNDS))('from execute to the request of a %s', async (kind, most) => {
	const steps = await stepsOfRequest(DEFAULT_RUNS[kind as keyof typeof BOUNDS]);
	const files = new Set(steps.map(({ file }) => file));
	const path = steps.toReversed().map(({ name, file }) => `  ${name} in ${file}`);
	console.log(`${kind}: ${steps.length} functions in ${files.size} files\n${path.join('\n')}`);
	// A chain that breaks off shows less than there is.
	expect(steps.at(-1)).toEqual({ name: 'execute', file: 'nodes/WorkspaceData/execute.ts' });
	expect(steps[0]?.file).toBe('nodes/shared/session/transport.ts');
	expect(steps.length).toBeLessThanOrEqual(most.functions);
	expect(files.size).toBeLessThanOrEqual(most.files);
	const unsaid = steps.filter((step) => purposeOf(step) === '');
	expect(unsaid, 'without a name or a sentence of their own').toEqual([]);
});
