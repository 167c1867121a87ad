import { expect, test } from 'vitest';
import { filesOf, idOf, linesOf } from './reading.mts';
import { useSandbox } from '../../harness/support.mts';

const records = 200_000;
const bench = useSandbox({ companies: records });

const companies = { resource: 'company', operation: 'getAll', returnAll: true };

/** Uses so many records that the stack would overflow if the code passed each record as an argument to a function. */
test.each([5_000, 200_000])('returns 200,000 records as items, %i per page', async (pageSize) => {
	const run = await bench.succeed({
		...companies,
		options: { pagination: { values: { pageSize } } },
	});
	expect(new Set(run.outputs[0]?.map(({ json }) => json.id)).size).toBe(records);
	expect(run.outputs[0]).toHaveLength(records);
});

test('writes 200,000 records of one page to one file', async () => {
	const options = {
		pagination: { values: { page: 1, pageSize: records } },
		recordsPerFile: records,
	};
	const run = await bench.run({ ...companies, outputAs: 'ndjson', options });
	expect(run.error).toBeUndefined();
	const files = await filesOf(run);
	expect(files.map(({ facts }) => facts.records)).toEqual([records]);
	expect(new Set(linesOf(files).map(idOf)).size).toBe(records);
});
