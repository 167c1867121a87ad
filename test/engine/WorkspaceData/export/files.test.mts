import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { cellFor, exactText, filesOf, idOf, linesOf, rowsOf } from './reading.mts';
import { loadDescriptions } from '../../harness/harness.mts';
import { n8nWorkflow } from '../../harness/runtime.mts';
import { jsonOf, useSandbox } from '../../harness/support.mts';

const bench = useSandbox({ companies: 2503, deals: 25, orders: 0 });

const companies = { resource: 'company', operation: 'getAll', returnAll: true };

/** The records as the sandbox serves them, by id. */
function served(): Map<string, string> {
	const texts = new Map<string, string>();
	for (const record of bench.sandbox.records('company')) {
		texts.set(String(record.id), exactText(record));
	}
	return texts;
}

describe('NDJSON of 2,503 records', () => {
	test.each([
		{ recordsPerFile: 1000, pageSize: 100, sizes: [1000, 1000, 503] },
		{ recordsPerFile: 1050, pageSize: 500, sizes: [1050, 1050, 403] },
		{ recordsPerFile: 50_000, pageSize: 1000, sizes: [2503] },
		{ recordsPerFile: 2503, pageSize: 100, sizes: [2503] },
	])('$recordsPerFile per file, $pageSize per page', async ({ sizes, ...options }) => {
		const run = await bench.run({ ...companies, outputAs: 'ndjson', options });
		expect(run.error).toBeUndefined();
		const files = await filesOf(run);
		const facts = files.map((file) => file.facts);
		expect(facts.map(({ records }) => records)).toEqual(sizes);
		expect(facts.map(({ fileName }) => fileName)).toEqual(
			sizes.map((_, index) => `company-000${index + 1}.ndjson`),
		);
		expect(facts.map(({ isLast }) => isLast)).toEqual(sizes.map((_, i) => i === sizes.length - 1));
		// Each file begins where the one before it says to go on.
		expect(facts.map(({ firstCursor }) => firstCursor)).toEqual([
			null,
			...facts.slice(0, -1).map(({ nextCursor }) => nextCursor),
		]);
		expect(facts.at(-1)?.nextCursor).toBeNull();

		const expected = served();
		const lines = linesOf(files);
		expect(lines).toHaveLength(2503);
		for (const line of lines) {
			expect(line).toBe(expected.get(idOf(line)));
			expected.delete(idOf(line));
		}
		expect(expected.size).toBe(0);
	});

	test('each file is paired with its input and described for n8n', async () => {
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

	test('Fields keeps the text of those values', async () => {
		const options = { fields: 'external_number, name' };
		const run = await bench.run({ ...companies, outputAs: 'ndjson', options });
		const lines = linesOf(await filesOf(run));
		for (const record of bench.sandbox.records('company')) {
			const { id, external_number, name } = record;
			const kept = external_number === undefined ? { id, name } : { id, external_number, name };
			expect(lines).toContain(exactText(kept));
		}
		expect(lines.filter((line) => line.includes('"external_number":90071992547')).length).toBe(125);
	});

	test('Record: Query names the files after the object type', async () => {
		const query = { resource: 'record', operation: 'query', objectType: 'deal', returnAll: true };
		const run = await bench.run({ ...query, outputAs: 'ndjson' });
		expect(jsonOf(run)).toMatchObject([
			{ fileName: 'deal-0001.ndjson', records: 25, isLast: true },
		]);
	});

	test('page pagination gives the same records, without cursors', async () => {
		const options = { pagination: 'page', pageSize: 400, recordsPerFile: 1000 };
		const run = await bench.run({ ...companies, outputAs: 'ndjson', options });
		const files = await filesOf(run);
		expect(files.map(({ facts }) => facts.records)).toEqual([1000, 1000, 503]);
		expect(files.flatMap(({ facts }) => [facts.firstCursor, facts.nextCursor])).toEqual(
			Array(6).fill(null),
		);
		expect(new Set(linesOf(files).map(idOf)).size).toBe(2503);
	});
});

describe('CSV of 2,503 records', () => {
	test('each cell is the value of its record, in two parsers', async () => {
		const run = await bench.run({
			...companies,
			outputAs: 'csv',
			options: { recordsPerFile: 900 },
		});
		expect(run.error).toBeUndefined();
		const files = await filesOf(run);
		expect(files.map(({ facts }) => facts.records)).toEqual([900, 900, 703]);
		expect(new Set(files.map(({ text }) => text.split('\r\n')[0])).size).toBe(1);
		const rows = new Map(files.flatMap(rowsOf).map((row) => [row.id, row]));
		expect(rows.size).toBe(2503);
		for (const record of bench.sandbox.records('company')) {
			const row = rows.get(String(record.id)) ?? {};
			expect(Object.keys(row)).toEqual(expect.arrayContaining(Object.keys(record)));
			for (const [name, cell] of Object.entries(row)) expect(cell).toBe(cellFor(record[name]));
		}
	});

	test('a field that appears later widens the header of the file under way, with every value in it', async () => {
		// With four records per page, the first external_number comes on a later page.
		const run = await bench.run({ ...companies, outputAs: 'csv', options: { pageSize: 4 } });
		const files = await filesOf(run);
		expect(files).toHaveLength(1);
		expect(files[0]?.text.split('\r\n', 1)[0]).toMatch(/^id,.*,external_number$/);
		const rows = files.flatMap(rowsOf);
		expect(new Set(rows.map(({ id }) => id)).size).toBe(2503);
		const numbers = rows.map((row) => row.external_number ?? '').filter((cell) => cell !== '');
		const expected = [...bench.sandbox.records('company')]
			.map((record) => record.external_number)
			.filter((number) => number !== undefined);
		expect(numbers.sort()).toEqual(expected.map(String).sort());
	});

	test('Fields gives the columns and their order, and one header for all files', async () => {
		const options = { fields: 'name, external_number, missing', pageSize: 4, recordsPerFile: 2000 };
		const run = await bench.run({ ...companies, outputAs: 'csv', options });
		const files = await filesOf(run);
		expect(files.map(({ facts }) => facts.records)).toEqual([2000, 503]);
		for (const { text } of files) {
			expect(text.split('\r\n')[0]).toBe('id,name,external_number,missing');
		}
	});

	test('formulas are made safe unless the option is off', async () => {
		const formula = '=SUM(A1:A9) was pasted from a spreadsheet';
		const notesWith = async (options: Record<string, unknown>): Promise<Set<string>> => {
			const run = await bench.run({ ...companies, outputAs: 'csv', options });
			return new Set((await filesOf(run)).flatMap(rowsOf).map(({ notes }) => notes));
		};
		const safe = await notesWith({});
		expect([safe.has(`'${formula}`), safe.has(formula)]).toEqual([true, false]);
		const exact = await notesWith({ escapeFormulas: false });
		expect([exact.has(`'${formula}`), exact.has(formula)]).toEqual([false, true]);
	});

	test('a byte order mark on request', async () => {
		const options = { byteOrderMark: true, recordsPerFile: 2000 };
		const run = await bench.run({ ...companies, outputAs: 'csv', options });
		for (const item of run.outputs[0] ?? []) {
			expect((await run.binary(item)).subarray(0, 5).toString('hex')).toBe('efbbbf6964');
		}
		expect((await filesOf(run)).flatMap(rowsOf)).toHaveLength(2503);
	});
});

describe('Delimiter and Line End', () => {
	test.each([
		['semicolon', ';', 'crlf', '\r\n'],
		['tab', '\t', 'lf', '\n'],
		['comma', ',', 'lf', '\n'],
	])('%s (%j) and %s: every value comes back', async (delimiter, character, lineEnd, end) => {
		const fields = 'name, notes';
		const run = await bench.run({
			...companies,
			outputAs: 'csv',
			options: { delimiter, lineEnd, fields, escapeFormulas: false },
		});
		const [file] = await filesOf(run);
		const parsed = Papa.parse<string[]>(file?.text.slice(0, -end.length) ?? '', {
			delimiter: character,
			newline: end as '\n',
		});
		expect(parsed.errors).toEqual([]);
		const [header, ...rows] = parsed.data;
		expect(header).toEqual(['id', 'name', 'notes']);
		const records = [...bench.sandbox.records('company')];
		const expected = new Map(
			records.map(({ id, name, notes }) => [id, [id, name, notes].map((each) => each ?? '')]),
		);
		expect(rows).toHaveLength(records.length);
		for (const row of rows) expect(row).toEqual(expected.get(String(row[0])));
	});
});

test('6 first pages that each bring a field give one file, one header and every value', async () => {
	const pages = Array.from({ length: 8 }, (_, page) =>
		Array.from({ length: 3 }, (_record, index) => ({
			id: `${page}-${index}`,
			// From the seventh page on nothing new comes.
			...Object.fromEntries(
				Array.from({ length: Math.min(page + 1, 6) }, (_field, n) => [
					`f${n}`,
					`${page}${index}${n}`,
				]),
			),
		})),
	);
	for (const [page, items] of pages.entries()) {
		const isLast = page === pages.length - 1;
		const pagination = { page: 1, page_size: 3, total: 24 };
		const next = isLast ? {} : { next_cursor: `after-${page}` };
		bench.sandbox.addFault({
			path: '/v2/public/companies',
			status: 200,
			body: { success: true, data: { items }, meta: { pagination: { ...pagination, ...next } } },
		});
	}
	const run = await bench.run({ ...companies, outputAs: 'csv', options: { pageSize: 3 } });
	expect(run.error).toBeUndefined();
	const files = await filesOf(run);
	expect(files).toHaveLength(1);
	expect(files[0]?.text.split('\r\n')[0]).toBe('id,f0,f1,f2,f3,f4,f5');
	const empty = { f0: '', f1: '', f2: '', f3: '', f4: '', f5: '' };
	expect(files.flatMap(rowsOf)).toEqual(pages.flat().map((record) => ({ ...empty, ...record })));
});

describe('a list without records', () => {
	test.each([
		['ndjson', {}, ''],
		['csv', {}, '""\r\n'],
		['csv', { fields: 'id, number' }, 'id,number\r\n'],
	])('%s %o gives one file, so that the workflow goes on', async (outputAs, options, text) => {
		const orders = { resource: 'order', operation: 'getAll', returnAll: true };
		const run = await bench.run({ ...orders, outputAs, options });
		expect(run.error).toBeUndefined();
		expect(jsonOf(run)).toMatchObject([{ records: 0, part: 1, isLast: true }]);
		expect((await filesOf(run))[0]?.text).toBe(text);
	});
});

test('File Name and the name of the binary field are the user’s', async () => {
	const options = {
		fileName: "all 'companies'.csv",
		binaryPropertyName: 'export',
	};
	const run = await bench.run({ ...companies, outputAs: 'csv', options });
	expect(jsonOf(run)[0]?.fileName).toBe("all 'companies'-0001.csv");
	expect(run.outputs[0]?.[0]?.binary?.export?.fileName).toBe("all 'companies'-0001.csv");
	expect(await filesOf(run, 'export')).toHaveLength(1);
});

describe('bad options are refused by name before any request', () => {
	test.each([
		[{ recordsPerFile: 0 }, /Records per File must be a whole number of at least 1/],
		[{ recordsPerFile: '={{ "all" }}' }, /Records per File/],
		[{ fileName: 'exports/companies.csv' }, /File Name has a character/],
		[{ fileName: '={{ 5 }}' }, /File Name must be text/],
		[{ binaryPropertyName: ' ' }, /Put Output File in Field/],
		[{ escapeFormulas: '={{ "no" }}' }, /Escape Formulas must be true or false/],
		[{ byteOrderMark: '={{ 1 }}' }, /Byte Order Mark must be true or false/],
		[{ delimiter: '={{ "," }}' }, /Delimiter has a value that does not exist/],
		[{ lineEnd: '={{ "cr" }}' }, /Line End has a value that does not exist/],
	])('%o', async (options, message) => {
		const run = await bench.run({ ...companies, outputAs: 'csv', options });
		expect(run.error?.message).toMatch(message);
		expect(run.error?.description).toMatch(/^It is /);
		expect(bench.sandbox.requests).toHaveLength(0);
	});

	test('an output that does not exist', async () => {
		const run = await bench.run({ ...companies, outputAs: '={{ "xlsx" }}' });
		expect(run.error?.description).toContain('items, pages, ndjson, csv');
		expect(bench.sandbox.requests).toHaveLength(0);
	});
});

describe('the panel shows options only where they matter', () => {
	const forFiles = ['binaryPropertyName', 'fileName', 'recordsPerFile'];
	const forCsv = ['byteOrderMark', 'escapeFormulas'];

	test.each([
		['items', [], [...forFiles, ...forCsv]],
		['pages', [], [...forFiles, ...forCsv]],
		['ndjson', forFiles, forCsv],
		['csv', [...forFiles, ...forCsv], []],
	])('%s', async (outputAs, shown, hidden) => {
		const { node } = await loadDescriptions();
		const collection = node.properties.find(
			({ name, displayOptions }) =>
				name === 'options' && displayOptions?.show?.operation?.includes('getAll'),
		);
		const values = { resource: 'company', operation: 'getAll', outputAs, options: {} };
		const visible = (collection?.options ?? [])
			.filter((option) =>
				n8nWorkflow.NodeHelpers.displayParameter({}, option as never, null, node, values),
			)
			.map(({ name }) => name);
		expect(visible).toEqual(expect.arrayContaining([...shown, 'fields', 'pageSize']));
		for (const name of hidden) expect(visible).not.toContain(name);
	});
});
