import { afterEach, describe, expect, test } from 'vitest';

import { idsOf, useSandbox, type NodeRun } from '../../harness/support.mts';

const RECORDS = 7_300;
const bench = useSandbox({ companies: RECORDS });
const all = { resource: 'company', operation: 'getAll', returnAll: true };

afterEach(() => {
	bench.sandbox.setUnkind({});
});

const limits = (): number[] => bench.sandbox.requests.map(({ query }) => Number(query.limit));
const failed = (): unknown[] =>
	bench.sandbox.requests.map(({ status }) => status).filter((status) => status !== 200);

/** Every record once, and no error. */
function expectAll(run: NodeRun): void {
	expect(run.error).toBeUndefined();
	expect([run.outputs[0]?.length, new Set(idsOf(run)).size]).toEqual([RECORDS, RECORDS]);
}

describe('without the option Page Size', () => {
	test('a service that never answers for more than 500 is waited for once for each larger size', async () => {
		bench.sandbox.setUnkind({ hangPageSizeAbove: 500 });
		const run = await bench.run({ ...all, options: { timeout: 700 } });
		expectAll(run);
		expect(failed()).toEqual(['dropped', 'dropped']);
		expect(limits().filter((limit) => limit > 500)).toEqual([expect.any(Number), 1_000]);
	});

	test('a service that answers success: false to a larger size', async () => {
		bench.sandbox.addFault({ path: '/v2/public/companies', skip: 1, transform: 'successFalse' });
		expectAll(await bench.run(all));
	});

	test('a 429 says nothing about the size', async () => {
		const headers = { 'retry-after': '0' };
		bench.sandbox.addFault({ path: '/v2/public/companies', skip: 1, status: 429, headers });
		expectAll(await bench.run(all));
		expect(limits().slice(0, 4)).toEqual([100, expect.any(Number), 1_000, 1_000]);
	});

	test('what one input has found out is known to the next', async () => {
		bench.sandbox.setUnkind({ refusePageSizeAbove: { size: 500, status: 413 } });
		const run = await bench.run(all, { items: [{}, {}] });
		expect(run.outputs[0]).toHaveLength(2 * RECORDS);
		expect(failed()).toEqual([413, 413]);
		expect(limits().slice(-2)).toEqual([500, 500]);
	});
});
