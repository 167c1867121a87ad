import { expect, test } from 'vitest';

import { useSandbox } from '../../harness/support.mts';

const RECORDS = 7_300;
const bench = useSandbox({ companies: RECORDS });

// What a list finds out is in test/unit/lists/limit.test.mts and by-cursor.test.mts.
test('without the option Page Size, what one input has found out is known to the next', async () => {
	bench.sandbox.setUnkind({ refusePageSizeAbove: { size: 500, status: 413 } });
	const list = { resource: 'company', operation: 'getAll', returnAll: true };
	const run = await bench.succeed(list, { items: [{}, {}] });
	bench.sandbox.setUnkind({});
	expect(run.outputs[0]).toHaveLength(2 * RECORDS);
	const sent = bench.sandbox.requests;
	expect(sent.map(({ status }) => status).filter((status) => status !== 200)).toEqual([413, 413]);
	expect(sent.slice(-2).map(({ query }) => query.limit)).toEqual(['500', '500']);
});
