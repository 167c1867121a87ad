/** Limits the number of functions between a node's `execute` and its request, so that readers can follow the path. */
import { expect, test } from 'vitest';

import { DEFAULT_RUNS, stepsOfRequest } from './request-path.mts';
import { purposeOf } from '../../tools/pictures/request-picture.mts';

const MAXIMUMS = {
	list: { functions: 12, files: 6 },
	sync: { functions: 15, files: 8 },
	call: { functions: 10, files: 5 },
};

test.each(Object.entries(MAXIMUMS))(
	'calls only a limited number of functions between execute() and the HTTP request of a %s',
	async (kind, maximum) => {
		const steps = await stepsOfRequest(DEFAULT_RUNS[kind as keyof typeof MAXIMUMS]);
		const files = new Set(steps.map(({ file }) => file));
		const path = steps.toReversed().map(({ name, file }) => `  ${name} in ${file}`);
		console.log(`${kind}: ${steps.length} functions in ${files.size} files\n${path.join('\n')}`);
		// Check both ends of the path, because an incomplete stack trace would look like a short path.
		expect(steps.at(-1)).toEqual({ name: 'execute', file: 'nodes/WorkspaceData/execute.ts' });
		expect(steps[0]?.file).toBe('nodes/shared/session/transport.ts');
		expect(steps.length).toBeLessThanOrEqual(maximum.functions);
		expect(files.size).toBeLessThanOrEqual(maximum.files);
		const undescribed = steps.filter((step) => purposeOf(step) === '');
		expect(undescribed, 'functions without a name or a first sentence').toEqual([]);
	},
);
