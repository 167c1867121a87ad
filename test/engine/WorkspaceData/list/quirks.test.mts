import { parse as parseCsv } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { PAGE_SIZES, USUAL_PAGE_SIZE } from '../../../../nodes/shared/lists/page-size.ts';
import { Readable } from 'node:stream';
import { startService } from '../../shared/client/small-service.mts';
import { filesOf, linesOf } from '../export/reading.mts';
import { hintsOf, jsonOf, useSandbox, type NodeRun } from '../../harness/support.mts';

const RECORDS = 2503;
const bench = useSandbox({ companies: RECORDS, deals: 1 });
const companies = { resource: 'company', operation: 'getAll' };

interface PageItem {
	data: { items: Array<{ id: string }> };
}

const pagesOf = (run: NodeRun): PageItem[] => jsonOf(run) as unknown as PageItem[];

// Unit tests in test/unit/shared/lists (page-size.test.mts, by-cursor.test.mts) check the search for the page size.
test('finds the page size of each list separately, so that a list with small pages does not slow down other lists', async () => {
	const refused = { method: 'POST', bodyHas: '"object_type":"deal"', status: 413 };
	bench.sandbox.addFault({ ...refused, times: 2 });
	const query = { resource: 'record', operation: 'query', objectType: 'company', returnAll: true };
	const limitsOf = async (objectType: string) => {
		bench.sandbox.clearRequests();
		await bench.succeed({ ...query, objectType });
		return bench.sandbox.requests.map(({ body }) => (body as { limit: number }).limit);
	};
	expect(await limitsOf('deal')).toEqual(PAGE_SIZES.slice(0, 3));
	expect(await limitsOf('company')).toEqual(
		Array(Math.ceil(RECORDS / PAGE_SIZES[0])).fill(PAGE_SIZES[0]),
	);
});

test('stops reading a response after 8 million characters while it tries a large page size', async () => {
	const records = 3 * PAGE_SIZES[1];
	const sent: Array<{ limit: number; bytes: number }> = [];
	const text = 'x'.repeat(100_000);
	const { url } = await startService((request, response) => {
		const limit = Number(new URL(request.url ?? '', 'http://localhost').searchParams.get('limit'));
		const answer = { limit, bytes: 0 };
		sent.push(answer);
		const page = function* () {
			yield '{"success":true,"data":{"items":[';
			for (let id = 0; id < Math.min(limit, records); id++) {
				answer.bytes += text.length;
				yield `${id === 0 ? '' : ','}{"id":${id},"text":"${text}"}`;
			}
			const next = limit < records ? ',"next_cursor":"c"' : '';
			yield `]},"meta":{"pagination":{"page":1,"page_size":${limit},"total":${records}${next}}}}`;
		};
		Readable.from(page()).pipe(response);
	});
	const credential = { ...bench.v2(), baseUrl: url };
	const run = await bench.run(
		{ ...companies, limit: records },
		{ credential, onError: 'continueRegularOutput' },
	);
	expect(jsonOf(run).length).toBeGreaterThan(0.9 * USUAL_PAGE_SIZE);
	const trials = sent.filter(({ limit }) => limit > USUAL_PAGE_SIZE);
	expect(trials.map(({ limit }) => limit)).toEqual([records, PAGE_SIZES[1]]);
	// The bound is higher than 8 million, because further bytes are in transit when the node stops reading.
	for (const { bytes } of trials) expect(bytes).toBeLessThan(17_000_000);
});

test.each(['items', 'pages', 'ndjson', 'csv'])(
	'names fields that no record has in one hint and in the log: Output As %s',
	async (outputAs) => {
		const options = {
			fields: ['ID', 'Domain', 'constructor', 'name'],
			pagination: { values: { pageSize: 100 } },
		};
		const run = await bench.run(
			{ ...companies, limit: 200, outputAs, options },
			{ items: [{}, {}] },
		);
		const message =
			'No record has the fields "ID", "Domain", "constructor". Names are case-sensitive.';
		const hints = hintsOf(run).filter((hint) => !/ in 2 files\.$/.test(hint));
		expect(hints).toEqual([message]);
		expect(run.logs.map(({ message }) => message)).toContain(`Workspace Data: ${message}`);
	},
);

test('does not report a missing field if records of another input item have it', async () => {
	const query = { resource: 'record', operation: 'query', objectType: 'company', limit: 1 };
	const objectType = { __rl: true, mode: 'name', value: '={{ $json.type }}' };
	const run = await bench.run(
		{ ...query, objectType, options: { fields: 'domain, stage, umsatz' } },
		{ items: [{ type: 'company' }, { type: 'deal' }] },
	);
	expect(run.outputs[0]).toHaveLength(2);
	expect(hintsOf(run)).toEqual(['No record has the field "umsatz". Names are case-sensitive.']);
});

test('returns fields in the order of the option Fields, in every kind of output', async () => {
	const names = ['name', 'id', 'domain'];
	const two = { ...companies, limit: 2, options: { fields: names.join(', ') } };
	const [page] = pagesOf(await bench.run({ ...two, outputAs: 'pages' }));
	const lines = linesOf(await filesOf(await bench.run({ ...two, outputAs: 'ndjson' })));
	const parsed = lines.map((line) => JSON.parse(line) as object);
	for (const record of [...jsonOf(await bench.run(two)), ...page.data.items, ...parsed])
		expect(Object.keys(record)).toEqual(names);
	const [csv] = await filesOf(await bench.run({ ...two, outputAs: 'csv' }));
	expect(csv.text).toMatch(/^name,id,domain\r\n/);
});

test('keeps unpaired UTF-16 surrogates in NDJSON, and replaces them with U+FFFD in CSV', async () => {
	const texts = ['＝1+1', '\\ud800', 'a\\udfffb', '\\ud83d\\ude9a'];
	const records = texts.map((text, id) => `{"id":${id},"text":"${text}","after":"x"}`);
	const meta = '{"pagination":{"page":1,"page_size":100,"total":4}}';
	const body = `{"success":true,"data":{"items":[${records.join()}]},"meta":${meta}}`;
	const answer = { path: '/v2/public/companies', status: 200, body };
	bench.sandbox.addFault({ ...answer, contentType: 'application/json', times: 2 });
	const ndjson = await filesOf(await bench.run({ ...companies, outputAs: 'ndjson' }));
	expect(linesOf(ndjson)).toEqual(records);
	const [csv] = await filesOf(await bench.run({ ...companies, outputAs: 'csv' }));
	expect(parseCsv(csv.text, { bom: true, from: 2 }).map(([, ...cells]) => cells)).toEqual(
		["'＝1+1", '\ufffd', 'a\ufffdb', '🚚'].map((text) => [text, 'x']),
	);
});
