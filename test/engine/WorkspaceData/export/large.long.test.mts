import { describe, expect, test } from 'vitest';
import { cellFor, exactText, filesOf, idOf, linesOf, rowsOf } from './reading.mts';
import { useSandbox } from '../../harness/support.mts';

const records = 100_000;
const bench = useSandbox({ companies: records });

const companies = { resource: 'company', operation: 'getAll', returnAll: true };

describe('100,000 records', () => {
	test('NDJSON has each of them once, to the letter', async () => {
		const options = { pageSize: 1000, recordsPerFile: 30_000 };
		const run = await bench.run({ ...companies, outputAs: 'ndjson', options });
		expect(run.error).toBeUndefined();
		const files = await filesOf(run);
		expect(files.map(({ facts }) => facts.records)).toEqual([30_000, 30_000, 30_000, 10_000]);
		const lines = new Map(linesOf(files).map((line) => [idOf(line), line]));
		expect(lines.size).toBe(records);
		let different = 0;
		for (const record of bench.sandbox.records('company')) {
			if (lines.get(String(record.id)) !== exactText(record)) different++;
		}
		expect(different).toBe(0);
	}, 120_000);

	test('CSV has each of them once, in two parsers', async () => {
		const run = await bench.run({ ...companies, outputAs: 'csv', options: { pageSize: 1000 } });
		expect(run.error).toBeUndefined();
		const files = await filesOf(run);
		expect(files.map(({ facts }) => facts.records)).toEqual([50_000, 50_000]);
		const rows = new Map(files.flatMap(rowsOf).map((row) => [row.id, row]));
		expect(rows.size).toBe(records);
		let different = 0;
		for (const record of bench.sandbox.records('company')) {
			const row = rows.get(String(record.id)) ?? {};
			const same = Object.entries(row).every(([name, cell]) => cell === cellFor(record[name]));
			if (!same || Object.keys(record).some((name) => !(name in row))) different++;
		}
		expect(different).toBe(0);
	}, 120_000);
});

describe('many items', () => {
	test('get a hint that points to files, once', async () => {
		const run = await bench.run(
			{ ...companies, returnAll: false, limit: '={{ $json.limit }}', options: { pageSize: 1000 } },
			{ items: [{ limit: 50_000 }, { limit: 1 }, { limit: 1 }] },
		);
		expect(run.outputs[0]).toHaveLength(50_002);
		// Another one says that the same list was read several times.
		const advice = run.hints.filter(({ message }) => message.includes('NDJSON Files'));
		expect(advice).toHaveLength(1);
	});

	test('up to 50,000 get none, and neither do files', async () => {
		const options = { pageSize: 1000 };
		const items = await bench.run({ ...companies, returnAll: false, limit: 50_000, options });
		const files = await bench.run({ ...companies, outputAs: 'ndjson', options });
		expect([...items.hints, ...files.hints]).toEqual([]);
	});
});
