import { describe, expect, test } from 'vitest';
import { DataTables } from '../../../data-tables.mts';
import { idsHeld } from '../../../n8n/service.mts';
import { exactText, filesOf, linesOf } from '../export/reading.mts';
import { hintsOf, jsonOf, useSandbox, type NodeRun } from '../../harness/support.mts';

const bench = useSandbox({ companies: 2_503, deals: 25, orders: 0 });

const changes = {
	resource: 'sync',
	operation: 'getChanges',
	outputAs: 'batch',
	progress: 'given',
	options: { pagination: { values: { pageSize: 500 } } },
};

const NO_CHANGES = expect.stringMatching(/^No changes since \d+ \w+ 20\d\d, \d\d:\d\d \(.+\)\.$/);

interface Batch {
	records: Array<Record<string, unknown>>;
	count: number;
	hasMore: boolean;
	checkpoint: string;
}

const batchOf = (run: NodeRun): Batch | undefined => {
	expect(run.error).toBeUndefined();
	const items = jsonOf(run);
	expect(items.length, 'items').toBeLessThanOrEqual(1);
	return items[0] as unknown as Batch | undefined;
};

/** Runs Get Changes from a checkpoint. Returns the batch, or undefined if there are no changes. */
async function get(
	checkpoint: unknown = '',
	parameters: Record<string, unknown> = {},
): Promise<Batch | undefined> {
	return batchOf(await bench.run({ ...changes, checkpoint, ...parameters }));
}

const idsOf = (batch: Batch | undefined): string[] =>
	(batch?.records ?? []).map(({ id }) => String(id)).toSorted();
const existing = (): string[] => idsHeld(bench.sandbox).toSorted();

describe('Progress: Use My Own Checkpoint', () => {
	test('returns all records or as many as Limit in the first run, and each later change once', async () => {
		const first = await get();
		expect(idsOf(first)).toEqual(existing());
		expect(first).toMatchObject({ count: existing().length, hasMore: false });
		const few = await get('', { options: { maxRecords: 10 } });
		expect(few).toMatchObject({ count: 10, hasMore: true });
		bench.sandbox.clearRequests();
		expect(await get(first?.checkpoint)).toBeUndefined();
		// The checkpoint of the first run remembers up to 2,000 records, which the second run reads again.
		expect(bench.sandbox.requests.length, 'requests').toBeLessThanOrEqual(2_000 / 500 + 1);

		const [one = '', two = ''] = existing();
		bench.sandbox.update('company', [one, two]);
		const created = bench.sandbox.create('company', 2);
		const second = await get(first?.checkpoint);
		expect(idsOf(second)).toEqual([one, two, ...created].toSorted());
		bench.sandbox.clearRequests();
		expect(await get(second?.checkpoint)).toBeUndefined();
		// The node reads the page with the changes, and the page before it, which is within the lookback window.
		expect(bench.sandbox.requests.length, 'requests').toBeLessThanOrEqual(2);
		// A run from the first checkpoint still returns the same changes.
		expect(idsOf(await get(first?.checkpoint))).toEqual(idsOf(second));
	});

	test('writes records to NDJSON files exactly as the service sent them, and marks the last file', async () => {
		const options = { recordsPerFile: 700 };
		const run = await bench.run({ ...changes, outputAs: 'ndjson', options });
		expect(jsonOf(run).map(({ hasMore }) => hasMore)).toEqual([true, true, true, false]);
		// File names contain the time of the run, so that files sort by time.
		const name = /^company-20\d\d-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-0001\.ndjson$/;
		expect(jsonOf(run)[0]?.fileName).toMatch(name);
		const texts = new Set([...bench.sandbox.records('company')].map((record) => exactText(record)));
		for (const line of linesOf(await filesOf(run))) expect(texts.delete(line)).toBe(true);
		expect(texts.size).toBe(0);
	});

	test('returns only the fields in the option Fields, in every kind of output', async () => {
		const options = { fields: 'name', pagination: { values: { pageSize: 1_000 } } };
		const batch = await get('', { options });
		expect(Object.keys(batch?.records[0] ?? {})).toEqual(['name']);
		const run = await bench.run({ ...changes, outputAs: 'csv', options });
		expect((await filesOf(run))[0].text).toMatch(/^name\r\n/);
		const other = await bench.run({ ...changes, options: { fields: 'Domain' } });
		expect(hintsOf(other)).toEqual([
			expect.stringMatching(/^Starting from the beginning ..company../),
			'No record has the field "Domain". Names are case-sensitive.',
		]);
	});

	test('accepts a checkpoint that is an object instead of text, as from a JSON column of a database', async () => {
		const first = await get();
		const checkpoint = `={{ ${first?.checkpoint} }}`;
		expect(await get(checkpoint)).toBeUndefined();
	});

	test('returns only a checkpoint in the first run with Start From: Now, and then every later change', async () => {
		const first = await get('', { startFrom: 'now' });
		expect(first).toMatchObject({ records: [], count: 0, hasMore: false });
		const files = await bench.run({ ...changes, startFrom: 'now', outputAs: 'ndjson' });
		expect(jsonOf(files)).toMatchObject([{ records: 0, hasMore: false }]);
		const created = bench.sandbox.create('company', 3);
		for (const checkpoint of [first?.checkpoint, jsonOf(files)[0]?.checkpoint]) {
			expect(idsOf(await get(checkpoint, { startFrom: 'now' }))).toEqual(created.toSorted());
		}
	});

	test('continues from a checkpoint even if the service rejects the saved cursor', async () => {
		const { checkpoint } = (await get()) ?? {};
		const path = '/v2/public/records/query';
		bench.sandbox.addFault({ path, status: 403 });
		const run = await bench.run({ ...changes, checkpoint });
		expect(batchOf(run)).toBeUndefined();
		expect(hintsOf(run)).toEqual([expect.stringContaining('HTTP 403'), NO_CHANGES]);
		const next = await bench.run({ ...changes, checkpoint });
		expect(batchOf(next)).toBeUndefined();
		expect(hintsOf(next)).toEqual([NO_CHANGES]);
	});

	test('starts over for a different object type, continues by date from a damaged checkpoint, and reports both', async () => {
		const first = await get('', { objectType: 'deal' });
		const state = JSON.parse(first?.checkpoint ?? '') as Record<string, unknown>;
		const damaged = JSON.stringify({ ...state, futile: 'x' });
		for (const [parameters, count, message] of [
			[{ checkpoint: first?.checkpoint }, existing().length, /'Object Type' or the event/],
			[{ checkpoint: damaged, objectType: 'deal' }, 0, /^Continued from .* is damaged, or from/],
		] as const) {
			const run = await bench.run({ ...changes, ...parameters });
			// The run returns a new checkpoint even if there are no records.
			expect(batchOf(run)).toMatchObject({ count, checkpoint: expect.any(String) });
			expect(hintsOf(run)[0]).toMatch(message);
			expect(run.logs.map((line) => line.message).join()).toContain(run.hints[0]?.message);
		}
		const lost = await bench.run({ ...changes, checkpoint: '{"version":1}' });
		expect(lost.error).toMatchObject({
			message: 'The saved progress of this checkpoint cannot be read',
			description: expect.stringContaining("leave 'Checkpoint' empty"),
		});
	});
});

describe('a failure of Get Changes', () => {
	test('returns the records read before a failed request, and continues there in the next run', async () => {
		// Two pages arrive before the failure.
		const path = '/v2/public/records/query';
		bench.sandbox.addFault({ path, skip: 2, status: 404, times: Infinity });
		const run = await bench.run(changes);
		const first = batchOf(run);
		expect(first).toMatchObject({ count: 1_000, hasMore: true });
		expect(hintsOf(run).join()).toMatch(
			/A request failed \(HTTP 404\)\. The records read before it are returned/,
		);
		bench.sandbox.clearFaults();
		const second = await get(first?.checkpoint);
		expect([...idsOf(first), ...idsOf(second)].toSorted()).toEqual(existing());
	});

	test('fails if the first request of the run fails', async () => {
		bench.sandbox.addFault({ path: '/v2/public/records/query', status: 404, times: Infinity });
		const run = await bench.run(changes);
		expect(run.error?.message).toMatch(/^Object type "company" not found/);
		expect(jsonOf(run)).toEqual([]);
	});

	test('stops reading if the user cancels the execution', async () => {
		bench.sandbox.setLatency(50);
		const run = await bench.run(
			{ ...changes, options: { pagination: { values: { pageSize: 1 } } } },
			{ cancelWhen: () => bench.sandbox.requests.length > 5 },
		);
		expect(run.status).toBe('canceled');
		expect(bench.sandbox.requests.length, 'requests').toBeLessThan(existing().length);
	});
});

test('runs a separate sync for each input item', async () => {
	const items = [{ type: 'deal' }, { type: 'company' }, { type: 'order' }];
	const run = await bench.succeed({ ...changes, objectType: '={{ $json.type }}' }, { items });
	// The third sync has no record, and still returns a checkpoint.
	expect(run.outputs[0]?.map(({ json, pairedItem }) => [json.count, pairedItem])).toEqual([
		[25, { item: 0 }],
		[existing().length, { item: 1 }],
		[0, { item: 2 }],
	]);
});

describe('errors before any request', () => {
	test('rejects a v1 access token without sending a request', async () => {
		const run = await bench.run(changes, { credential: bench.v1() });
		expect(run.error?.message).toContain('Sync: Get Changes needs a developer API key (v2)');
		expect(run.error?.description).toContain("set 'API Version' to V2");
		expect(bench.sandbox.requests).toHaveLength(0);
	});

	test.each(['given', 'confirmed'])(
		'rejects a Start Date in the future and stores no checkpoint (progress: %s)',
		async (progress) => {
			const dataTables = new DataTables();
			const start = { startFrom: 'date', startDate: '2999-01-01', progress };
			const run = await bench.run({ ...changes, ...start }, { dataTables });
			expect(run.error?.message).toBe("'Start Date' is in the future");
			expect(jsonOf(run)).toEqual([]);
			expect(bench.sandbox.requests).toHaveLength(0);
			expect([...dataTables.tables.values()].flat()).toEqual([]);
		},
	);

	test('fails if n8n has no data table to store progress, and suggests Use My Own Checkpoint', async () => {
		const run = await bench.run({ ...changes, progress: 'confirmed' });
		expect(run.error?.message).toContain('could not use the data table');
		expect(run.error?.description).toContain('Use My Own Checkpoint');
		expect(bench.sandbox.requests).toHaveLength(0);
		const dataTables = new DataTables();
		dataTables.before = () => Promise.reject(new Error('the module is disabled'));
		const off = await bench.run({ ...changes, progress: 'confirmed' }, { dataTables });
		expect(off.error?.description).toMatch(/^Remove data-table from N8N_DISABLED_MODULES/);
	});
});
