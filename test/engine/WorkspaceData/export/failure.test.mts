import { describe, expect, test, vi } from 'vitest';
import { filesOf, idOf, linesOf } from './reading.mts';
import { startService } from '../../shared/client/small-service.mts';
import { container, n8nCore, startRuntime } from '../../harness/runtime.mts';
import { jsonOf, useSandbox } from '../../harness/support.mts';

const bench = useSandbox({ companies: 2503 });

const path = '/v2/public/companies';
const companies = { resource: 'company', operation: 'getAll', returnAll: true, outputAs: 'ndjson' };
const quick = {
	recordsPerFile: 500,
	requests: { values: { retryFor: 0 } },
	pagination: { values: { pageSize: 100 } },
};

function expectEachOnce(ids: string[]): void {
	expect([ids.length, new Set(ids).size]).toEqual([2503, 2503]);
}

describe('a failed export', () => {
	test('returns no file if the list fails before the first record', async () => {
		bench.sandbox.addFault({ path, status: 500, times: Infinity });
		const run = await bench.run(
			{ ...companies, options: quick },
			{ onError: 'continueRegularOutput' },
		);
		expect(jsonOf(run)).toHaveLength(1);
		expect(await filesOf(run)).toEqual([]);
	});
});

test('stores no unfinished file and shows no hint if an export is cancelled', async () => {
	bench.sandbox.addFault({ path, skip: 7, action: 'delay', delayMs: 5000 });
	const run = await bench.run(
		{ ...companies, options: quick },
		{ cancelWhen: () => bench.sandbox.requests.length > 7, onError: 'continueRegularOutput' },
	);
	expect(run.status).toBe('canceled');
	expect(run.outputs.flat().filter(({ binary }) => binary !== undefined)).toEqual([]);
	expect(JSON.stringify([run.hints, run.logs])).not.toContain('stopped after');
});

test.each(['stopWorkflow', 'continueRegularOutput'] as const)(
	'fails if a CSV file would need more than 16,384 columns, with On Error: %s',
	async (onError) => {
		// Each record has 2,000 new fields, so eight records fit into one file.
		const { url, requests } = await startService((_request, response, id) => {
			const names = Array.from({ length: 2_000 }, (_, place) => [`f${id}_${place}`, place]);
			const items = [{ id, ...Object.fromEntries(names) }];
			const pagination = { page: 1, page_size: 1, total: 20_000, next_cursor: `c${id}` };
			response.end(JSON.stringify({ success: true, data: { items }, meta: { pagination } }));
		});
		const credential = { ...bench.v2(), baseUrl: url };
		const parameters = {
			...companies,
			outputAs: 'csv',
			options: { pagination: { values: { pageSize: 1 } } },
		};
		const run = await bench.run(parameters, { credential, onError });
		expect(requests.length, 'requests').toBeLessThanOrEqual(10);
		const message = /^A CSV file can have at most 16,384 columns/;
		const files = (await filesOf(run)).flatMap(({ facts }) => [facts.records, facts.nextCursor]);
		expect(files).toEqual(onError === 'stopWorkflow' ? [] : [8, 'c8']);
		expect(run.error?.message ?? jsonOf(run).at(-1)?.error).toMatch(message);
	},
);

describe('a file that n8n cannot store', () => {
	/** Simulates a full disk after n8n has stored this number of files. */
	async function fillDiskAfter(files: number): Promise<void> {
		await startRuntime();
		const service = container.get(n8nCore.BinaryDataService);
		const store = service.store.bind(service);
		let stored = 0;
		vi.spyOn(service, 'store').mockImplementation(async (...parameters) => {
			if (stored++ >= files) throw new Error('ENOSPC: no space left on device');
			return await store(...parameters);
		});
	}

	test('does not try to store an unfinished file if the list fails and the node stops on errors', async () => {
		await fillDiskAfter(0);
		bench.sandbox.addFault({ path, skip: 2, status: 500, times: Infinity });
		const run = await bench.run({ ...companies, options: quick });
		expect(run.error?.message).toMatch(/HTTP 500/);
	});

	test('returns the files that n8n could store, with the cursor to continue from in the last of these files', async () => {
		await fillDiskAfter(2);
		const onError = 'continueRegularOutput';
		const failed = await bench.run({ ...companies, options: quick }, { onError });
		vi.restoreAllMocks();
		const files = await filesOf(failed);
		expect(files.map(({ facts }) => facts.records)).toEqual([500, 500]);
		const { error, message } = jsonOf(failed).at(-1) as Record<string, string>;
		expect(error).toBe('n8n could not store the file "company-0003.ndjson"');
		expect(message).toContain('no space left on device');
		const startCursor = files[1]?.facts.nextCursor;
		const rest = await bench.run({
			...companies,
			options: { ...quick, pagination: { values: { startCursor, pageSize: 100 } } },
		});
		expectEachOnce([...linesOf(files), ...linesOf(await filesOf(rest))].map(idOf));
	});

	test.each([0, 2])(
		'names only the file that could not be stored if the node stops after %i files',
		async (files) => {
			await fillDiskAfter(files);
			const run = await bench.run({ ...companies, options: quick });
			expect(run.error?.message).toBe(
				`n8n could not store the file "company-000${files + 1}.ndjson"`,
			);
			expect(run.error?.description).toMatch(/or use fewer 'Records per File'\.$/);
		},
	);
});
