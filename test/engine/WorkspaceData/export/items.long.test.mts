import { describe, expect, test } from 'vitest';
import { filesOf, idOf, linesOf } from './reading.mts';
import { useSandbox } from '../../harness/support.mts';

const records = 200_000;
const bench = useSandbox({ companies: records });

const companies = { resource: 'company', operation: 'getAll', returnAll: true };

/** One page of so many records overflows the stack of a node that hands them all to one function call. */
describe('200,000 records', () => {
	test.each([5_000, 200_000])(
		'as items, %i per page',
		async (pageSize) => {
			const run = await bench.run({ ...companies, options: { pageSize } });
			expect(run.error).toBeUndefined();
			expect(new Set(run.outputs[0]?.map(({ json }) => json.id)).size).toBe(records);
			expect(run.outputs[0]).toHaveLength(records);
			expect(run.hints).toHaveLength(1);
		},
		120_000,
	);

	test('in one page, divided into files', async () => {
		const options = { pagination: 'page', pageSize: records };
		const run = await bench.run({ ...companies, outputAs: 'ndjson', options });
		expect(run.error).toBeUndefined();
		const files = await filesOf(run);
		expect(files.map(({ facts }) => facts.records)).toEqual(Array(4).fill(50_000));
		expect(new Set(linesOf(files).map(idOf)).size).toBe(records);
	}, 120_000);
});
