import { describe, expect, test } from 'vitest';
import { useSandbox, type NodeRun } from '../../harness/support.mts';

const records = 100_000;
const bench = useSandbox({ companies: records });

const companies = { resource: 'company', operation: 'getAll', returnAll: true };

/** Only the hint on many items: another says that a list was read several times, or sums up what took long. */
const adviceOf = ({ hints }: NodeRun): unknown[] =>
	hints.filter(({ message }) => message.includes('NDJSON Files'));

describe('many items', () => {
	test('get a hint that points to files, once', async () => {
		const run = await bench.run(
			{ ...companies, returnAll: false, limit: '={{ $json.limit }}', options: { pageSize: 1000 } },
			{ items: [{ limit: 50_000 }, { limit: 1 }, { limit: 1 }] },
		);
		expect(run.outputs[0]).toHaveLength(50_002);
		expect(adviceOf(run)).toHaveLength(1);
	});

	test('up to 50,000 get none, and neither do files', async () => {
		const options = { pageSize: 1000 };
		const items = await bench.run({ ...companies, returnAll: false, limit: 50_000, options });
		const files = await bench.run({ ...companies, outputAs: 'ndjson', options });
		expect([...adviceOf(items), ...adviceOf(files)]).toEqual([]);
	});
});
