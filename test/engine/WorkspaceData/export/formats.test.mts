import { describe, expect, test } from 'vitest';
import { exactText, filesOf, idOf, linesOf } from './reading.mts';
import { jsonOf, useSandbox } from '../../harness/support.mts';

const bench = useSandbox({ companies: 2503, deals: 25, orders: 0 });

const companies = { resource: 'company', operation: 'getAll', returnAll: true };

/** Returns the exact text of each company in the sandbox, by id. */
function served(): Map<string, string> {
	const texts = new Map<string, string>();
	for (const record of bench.sandbox.records('company')) {
		texts.set(String(record.id), exactText(record));
	}
	return texts;
}

describe('NDJSON files of 2,503 records', () => {
	test.each([
		{ recordsPerFile: 1000, pageSize: 100, sizes: [1000, 1000, 503] },
		{ recordsPerFile: 1050, pageSize: 500, sizes: [1000, 1000, 503] },
		{ recordsPerFile: 50_000, pageSize: 1000, sizes: [2503] },
		{ recordsPerFile: 2503, pageSize: 100, sizes: [2503] },
	])(
		'writes each record once, as the service sent it: $recordsPerFile per file, $pageSize per page',
		async ({ sizes, pageSize, recordsPerFile }) => {
			const options = { recordsPerFile, pagination: { values: { pageSize } } };
			const run = await bench.succeed({ ...companies, outputAs: 'ndjson', options });
			const files = await filesOf(run);
			const facts = files.map((file) => file.facts);
			expect(facts.map(({ records }) => records)).toEqual(sizes);
			expect(facts.map(({ fileName }) => fileName)).toEqual(
				sizes.map((_, index) => `company-000${index + 1}.ndjson`),
			);
			expect(facts.map(({ isLast }) => isLast)).toEqual(
				sizes.map((_, i) => i === sizes.length - 1),
			);
			// Each file starts at the next cursor of the previous file.
			expect(facts.map(({ firstCursor }) => firstCursor)).toEqual([
				null,
				...facts.slice(0, -1).map(({ nextCursor }) => nextCursor),
			]);
			expect(facts.at(-1)?.nextCursor).toBeNull();
			const parts = facts.map(({ part, recordsLeftOut }) => [part, recordsLeftOut]);
			expect(parts).toEqual(sizes.map((_, index) => [index + 1, 0]));

			const expected = served();
			const lines = linesOf(files);
			expect(lines).toHaveLength(2503);
			for (const line of lines) {
				expect(line).toBe(expected.get(idOf(line)));
				expected.delete(idOf(line));
			}
			expect(expected.size).toBe(0);
		},
	);

	test('pairs each file with its input item, and sets file name, extension and MIME type for n8n', async () => {
		const run = await bench.run(
			{ ...companies, returnAll: false, limit: '={{ $json.limit }}', outputAs: 'ndjson' },
			{ items: [{ limit: 3 }, { limit: 5 }] },
		);
		const items = run.outputs[0] ?? [];
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(jsonOf(run).map(({ records }) => records)).toEqual([3, 5]);
		expect(items[0]?.binary?.data).toMatchObject({
			fileName: 'company-0001.ndjson',
			fileExtension: 'ndjson',
			mimeType: 'application/x-ndjson',
		});
	});

	test('names the files of Record: Query after the object type', async () => {
		const query = { resource: 'record', operation: 'query', objectType: 'deal', returnAll: true };
		const run = await bench.run({ ...query, outputAs: 'ndjson' });
		expect(jsonOf(run)).toMatchObject([
			{ fileName: 'deal-0001.ndjson', records: 25, isLast: true },
		]);
	});
});

test.each([
	['comma', 'csv', 'text/csv', 'id,external_number\r\n'],
	['tab', 'tsv', 'text/tab-separated-values', 'id\texternal_number\r\n'],
	['excel', 'csv', 'text/csv', '\ufeffid,external_number\r\n'],
	['excelDecimalComma', 'csv', 'text/csv', '\ufeffid;external_number\r\n'],
])(
	'writes files of CSV Format %s with the extension %s',
	async (csvFormat, extension, mimeType, header) => {
		const options = { fields: 'id, external_number', recordsPerFile: 2000 };
		const run = await bench.succeed(
			{ ...companies, outputAs: 'csv', csvFormat, options },
			{ items: [{}, {}] },
		);
		const files = await filesOf(run);
		expect(files.map(({ text }) => text.startsWith(header))).toEqual([true, true, true, true]);
		for (const { json, binary } of run.outputs[0] ?? []) {
			expect(json.fileName).toMatch(new RegExp(`^company-.*\\.${extension}$`));
			expect(binary?.data).toMatchObject({ fileExtension: extension, mimeType });
		}
	},
);
