import { expect, test, vi } from 'vitest';

import { idsOf, useSandbox } from '../../harness/support.mts';

const RECORDS = 7_300;
const bench = useSandbox({ companies: RECORDS });

test('a service whose rate limit counts records takes no page of more than 500', async () => {
	bench.sandbox.setUnkind({ refusePageSizeAbove: { size: 500, status: 429 } });
	vi.spyOn(Math, 'random').mockReturnValue(0.02);
	const run = await bench.run({ resource: 'company', operation: 'getAll', returnAll: true });
	const sent = bench.sandbox.requests;
	expect(run.error).toBeUndefined();
	expect([run.outputs[0]?.length, new Set(idsOf(run)).size]).toEqual([RECORDS, RECORDS]);
	// Each size is tried once.
	expect(sent.map(({ status }) => status).filter((status) => status !== 200)).toEqual([429, 429]);
	const limits = sent.map(({ query }) => Number(query.limit));
	expect(limits.filter((limit) => limit > 500)).toEqual([expect.any(Number), 1_000]);
});
