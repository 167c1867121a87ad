/** Reuse Results: what was paid for is kept in a data table of n8n, and used in place of a call. */
import { beforeEach, describe, expect, test } from 'vitest';
import { DataTables } from '../../../data-tables.mts';
import { sandboxCredentials } from '../../../sandbox/server.mts';
import type { RunOptions } from '../../harness/harness.mts';
import { jsonOf, secretValues, useSandbox, type NodeRun } from '../../harness/support.mts';

const bench = useSandbox({ companies: 5, orders: 5, items: 5, deals: 5 });

const path = '/v2/enrich';
const table = 'workspace_data_results';
const enrich = { resource: 'company', operation: 'enrich', dataToSend: 'autoMapInputData' };
const onError = 'continueRegularOutput';
const dayMs = 86_400_000;

let dataTables: DataTables;
beforeEach(() => {
	dataTables = new DataTables();
});

/** Companies from one number to another. */
const companies = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, index) => ({ domain: `company-${from + index}.example` }));

async function run(
	items: object[],
	options: Record<string, unknown> = {},
	more: Partial<RunOptions> = {},
): Promise<NodeRun> {
	bench.sandbox.clearRequests();
	return await bench.run(
		{ ...enrich, options: { reuseResultsFor: 30, ...options } },
		{ items, dataTables, ...more },
	);
}

/** The domains of the requests of the last run, in order of their names. */
const asked = () =>
	bench.sandbox.requests.map(({ body }) => (body as { domain: string }).domain).toSorted();
const domainsOf = (items: Array<{ domain: string }>) =>
	items.map(({ domain }) => domain).toSorted();
const hintsOf = ({ hints }: NodeRun) => hints.map(({ message }) => message);
const rows = () => dataTables.tables.get(table) ?? [];

/** Changes what is kept, as time does. */
function age(change: Record<string, unknown>): void {
	for (const row of rows()) Object.assign(row, change);
}

describe('a later execution', () => {
	test('pays only for what is new, and puts out the same', async () => {
		const first = await run(companies(0, 20));
		expect(asked()).toEqual(domainsOf(companies(0, 20)));
		expect(hintsOf(first)).toEqual(['Sent 20 calls (may be billed).']);
		const second = await run(companies(10, 30));
		expect(asked()).toEqual(domainsOf(companies(20, 30)));
		expect(jsonOf(second).slice(0, 10)).toEqual(jsonOf(first).slice(10));
		expect(second.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual(
			companies(10, 30).map((_, item) => ({ item })),
		);
		expect(hintsOf(second)).toEqual([
			'Sent 10 calls (may be billed). 10 items used a kept result.',
		]);
		await run(companies(0, 30));
		expect(asked()).toEqual([]);
	});

	test.each([
		['the whole response', { output: 'response' }],
		[
			'some fields, beside the input',
			{ output: 'selected', outputFields: 'domain', includeInputFields: true },
		],
	])('puts out %s as a call would', async (_name, form) => {
		await run(companies(0, 2));
		const kept = jsonOf(await run(companies(0, 2), form));
		expect(bench.sandbox.requests).toEqual([]);
		const called = jsonOf(await run(companies(0, 2), { ...form, reuseResultsFor: undefined }));
		const withoutIds = (json: unknown) => JSON.stringify(json).replaceAll(/"ctx_id":"[^"]+"/g, '');
		expect(kept.map(withoutIds)).toEqual(called.map(withoutIds));
	});

	test('finds what was asked for in another order of fields, and nothing that differs', async () => {
		await run([{ domain: 'a.example', country: 'DE' }]);
		await run([{ country: 'DE', domain: 'a.example' }]);
		expect(bench.sandbox.requests).toEqual([]);
		await run([{ domain: 'a.example', country: 'de' }]);
		expect(bench.sandbox.requests).toHaveLength(1);
	});

	test('with another key, another service or another operation pays itself', async () => {
		await run(companies(0, 1));
		await run(companies(0, 1), {}, { credential: bench.v2(sandboxCredentials.v2Regular) });
		expect(bench.sandbox.requests).toHaveLength(1);
		const baseUrl = bench.sandbox.url.replace('127.0.0.1', 'localhost');
		await run(companies(0, 1), {}, { credential: { ...bench.v2(), baseUrl } });
		expect(bench.sandbox.requests).toHaveLength(1);
		for (const resource of ['company', 'deal']) {
			bench.sandbox.clearRequests();
			await bench.run(
				{ ...enrich, resource, operation: 'score', options: { reuseResultsFor: 30 } },
				{ items: companies(0, 1), dataTables },
			);
			expect(bench.sandbox.requests).toHaveLength(1);
		}
	});

	test('without the option keeps and looks up nothing', async () => {
		await run(companies(0, 2), { reuseResultsFor: undefined });
		await run(companies(0, 2), { reuseResultsFor: undefined });
		expect(bench.sandbox.requests).toHaveLength(2);
		expect(dataTables.steps).toEqual([]);
	});

	test('reads no key and no data in the table', async () => {
		await run(companies(0, 1));
		expect(rows()).toHaveLength(1);
		expect(Object.keys(rows()[0] ?? {}).toSorted()).toEqual(
			['answer', 'createdAt', 'expires', 'id', 'key'].toSorted(),
		);
		expect(rows()[0]?.key).toMatch(/^[0-9a-f]{64}$/);
		for (const secret of secretValues) expect(JSON.stringify(rows())).not.toContain(secret);
	});
});

describe('one run', () => {
	const twins = [...companies(0, 5), ...companies(0, 5)];

	test('pays once for identical items, kept or not', async () => {
		const first = await run(twins);
		expect(asked()).toEqual(domainsOf(companies(0, 5)));
		const second = await run([...twins, ...companies(5, 6)]);
		expect(asked()).toEqual(domainsOf(companies(5, 6)));
		expect(jsonOf(second).slice(0, 10)).toEqual(jsonOf(first));
		// A later node that changes one item must not change its twin.
		expect(new Set(jsonOf(second)).size).toBe(11);
		expect(hintsOf(second)).toEqual(['Sent 1 call (may be billed). 10 items used a kept result.']);
	});

	test('counts no kept result towards Max Calls', async () => {
		await run(companies(0, 10));
		const result = await run(companies(5, 20), { maxCalls: 10 });
		expect(result.error).toBeUndefined();
		expect(asked()).toEqual(domainsOf(companies(10, 20)));
		const { error } = await run(companies(0, 31), { maxCalls: 10 });
		expect(error?.message).toBe('Max Calls (10) would skip 1 item');
		expect(bench.sandbox.requests).toEqual([]);
	});

	test('that is a preview counts kept results, and writes nothing', async () => {
		const preview = { previewOnly: true, maxCalls: 10 };
		expect(jsonOf(await run(companies(0, 8), preview))).toMatchObject([
			{ wouldBeSent: 8, keptResults: 0 },
		]);
		expect(dataTables.steps).toEqual(['table:list']);
		await run(companies(0, 5));
		dataTables.steps.length = 0;
		expect(jsonOf(await run(companies(0, 16), preview))).toMatchObject([
			{ items: 16, uniqueRequests: 16, wouldBeSent: 10, keptResults: 5, skippedByMaxCalls: 1 },
		]);
		expect(dataTables.steps).toEqual(['table:list', 'row:get']);
		expect(bench.sandbox.requests).toEqual([]);
	});

	test('looks up and writes in bulk', async () => {
		await run(companies(0, 1_200), { maxConcurrent: 50 });
		dataTables.steps.length = 0;
		await run(companies(0, 1_201));
		expect(asked()).toEqual(domainsOf(companies(1_200, 1_201)));
		expect(dataTables.steps.filter((step) => step === 'row:get')).toHaveLength(4);
	});

	test('writes the first answer at once, and then all that came four times a second', async () => {
		const sent: number[] = [];
		dataTables.before = (step) => {
			if (step === 'row:insert') sent.push(bench.sandbox.requests.length);
		};
		bench.sandbox.setLatency(40);
		await run(companies(0, 40), { maxConcurrent: 2 });
		bench.sandbox.setLatency(0);
		expect(rows()).toHaveLength(40);
		expect(sent[0]).toBeLessThanOrEqual(4);
		expect(sent.length).toBeGreaterThanOrEqual(4);
		expect(sent.length).toBeLessThan(20);
	});
});

describe('only what the service has answered is kept', () => {
	test.each([
		['HTTP 500', { status: 500 }],
		['HTTP 404', { status: 404 }],
		['success: false', { body: { success: false, message: 'no' } }],
		['a connection that breaks', { action: 'resetAfterHandling' }],
	] as const)('not %s', async (_name, fault) => {
		bench.sandbox.addFault({ path, ...fault });
		await run(companies(0, 3), {}, { onError });
		expect(rows()).toHaveLength(2);
		await run(companies(0, 3));
		expect(bench.sandbox.requests).toHaveLength(1);
	});

	test('On Error: Stop loses no result that was paid for', async () => {
		bench.sandbox.addFault({ path, skip: 7, status: 500 });
		const { error } = await run(companies(0, 20), { maxConcurrent: 1 });
		expect(error?.description).toContain(
			'Calls answered before that: 7. Their results are kept for the next execution.',
		);
		await run(companies(0, 20));
		expect(asked()).toEqual(domainsOf(companies(7, 20)));
	});

	test('Retry On Fail uses what an earlier try knows, and keeps it once', async () => {
		bench.sandbox.addFault({ path, status: 500 });
		const retryOnFail = { maxTries: 3, waitBetweenTriesMs: 1 };
		const result = await run(companies(0, 5), { maxConcurrent: 1 }, { retryOnFail, onError });
		expect(asked()).toEqual(domainsOf(companies(0, 5)));
		expect(rows()).toHaveLength(4);
		expect(hintsOf(result)).toEqual([
			'Sent 5 calls (may be billed), 5 of them in earlier tries. 5 items were answered from an earlier try, without a new call.',
		]);
	});
});

describe('what is too old', () => {
	test('is not used once its time is over, and is removed', async () => {
		await run(companies(0, 3));
		age({ expires: new Date(Date.now() - 1).toISOString() });
		await run(companies(0, 1));
		expect(asked()).toEqual(domainsOf(companies(0, 1)));
		expect(rows()).toHaveLength(1);
		await run(companies(0, 1));
		expect(asked()).toEqual([]);
	});

	test('is not used where this node wants it younger, and stays for others', async () => {
		await run(companies(0, 1));
		age({ createdAt: new Date(Date.now() - 3 * dayMs).toISOString() });
		await run(companies(0, 1), { reuseResultsFor: 4 });
		expect(asked()).toEqual([]);
		await run(companies(0, 1), { reuseResultsFor: 2 });
		expect(asked()).toEqual(domainsOf(companies(0, 1)));
		expect(rows()).toHaveLength(2);
	});

	test('is removed in parts, thousands in one run', async () => {
		const expires = new Date(Date.now() - dayMs).toISOString();
		const old = Array.from({ length: 2_500 }, (_, key) => ({
			key: `${key}`,
			answer: '1',
			expires,
		}));
		dataTables.insert(table, old);
		await run(companies(0, 1));
		expect(rows()).toHaveLength(1);
		expect(dataTables.steps.filter((step) => step === 'row:deleteRows')).toHaveLength(5);
	});

	test('is not removed by a run that sends nothing', async () => {
		await run(companies(0, 1));
		dataTables.steps.length = 0;
		await run(companies(0, 1));
		expect(dataTables.steps).toEqual(['table:list', 'row:get']);
	});
});

test('of two results of one call the newer one counts, and one that is no JSON is none', async () => {
	await run(companies(0, 2));
	const [one, other] = rows();
	dataTables.insert(table, [{ ...one, answer: '{"success":true,"data":{"newer":true}}' }]);
	Object.assign(other ?? {}, { answer: '{"data":' });
	expect(jsonOf(await run(companies(0, 2)))).toEqual([
		{ newer: true },
		expect.objectContaining({ domain: 'company-1.example' }),
	]);
	expect(asked()).toEqual(domainsOf(companies(1, 2)));
});

test('a table whose name has this one in it is left alone', async () => {
	dataTables.insert(`my_${table}_of_2025`, []);
	await run(companies(0, 1));
	dataTables.insert(`${table}_copy`, []);
	await run(companies(0, 2));
	expect(asked()).toEqual(domainsOf(companies(1, 2)));
	expect(rows()).toHaveLength(2);
});

test('two executions that begin together make one table', async () => {
	let isMade = false;
	dataTables.before = (step) => {
		if (step === 'table:create' && !isMade) dataTables.insert(table, []);
		isMade ||= step === 'table:create';
	};
	await run(companies(0, 1));
	expect(rows()).toHaveLength(1);
});

describe('a result that cannot be kept fails no call', () => {
	const fails = (step: string, words: string) => {
		dataTables.before = (found) => {
			if (found === step) throw new Error(words);
		};
	};

	test('where the tables are full', async () => {
		fails('row:insert', 'Data table size limit exceeded: 200MB used, limit is 200MB');
		const result = await run(companies(0, 3));
		expect(result.error).toBeUndefined();
		expect(jsonOf(result)).toHaveLength(3);
		expect(hintsOf(result)).toEqual([
			'Sent 3 calls (may be billed).',
			'3 results not kept: n8n could not write to its data table "workspace_data_results" (Data table size limit exceeded: 200MB used, limit is 200MB). A later execution pays for them again.',
		]);
	});

	test('where the table cannot be made', async () => {
		fails('table:create', 'read-only');
		const result = await run(companies(0, 1));
		expect(jsonOf(result)).toHaveLength(1);
		expect(hintsOf(result)[1]).toContain('1 result not kept: n8n could not write');
	});

	test('where old ones cannot be removed', async () => {
		dataTables.insert(table, [{ key: 'old', answer: '1', expires: new Date(0).toISOString() }]);
		fails('row:deleteRows', 'locked');
		const result = await run(companies(0, 1));
		expect(result.error).toBeUndefined();
		expect(rows()).toHaveLength(2);
	});

	test('where it is too long, as few are', async () => {
		const answer = { success: true, data: { text: 'x'.repeat(100_000) } };
		bench.sandbox.addFault({ path, body: answer });
		const result = await run(companies(0, 2), { maxConcurrent: 1 });
		expect(jsonOf(result)[0]).toEqual(answer.data);
		expect(hintsOf(result)[1]).toBe(
			'1 result not kept: longer than 100,000 characters. A later execution pays for them again.',
		);
		expect(rows()).toHaveLength(1);
	});

	test('and an error tells how many are not', async () => {
		fails('row:insert', 'full');
		bench.sandbox.addFault({ path, skip: 3, status: 500 });
		const { error } = await run(companies(0, 5), { maxConcurrent: 1 });
		expect(error?.description).toContain(
			'Calls answered before that: 3. Their results are kept for the next execution, except 3.',
		);
	});
});

describe('where n8n cannot look up what was paid for, nothing is sent', () => {
	test.each([
		['its database is down', () => (dataTables.before = () => Promise.reject(new Error('down')))],
		['it has no data tables', () => (dataTables = undefined as never)],
	])('%s', async (_name, breakIt) => {
		await run(companies(0, 1));
		breakIt();
		const stopped = await run(companies(0, 2));
		expect(stopped.error?.message).toBe(
			'Reuse Results For (Days) cannot look up what was paid for',
		);
		const continued = await run(companies(0, 2), {}, { onError });
		expect(jsonOf(continued).map(({ error }) => error)).toEqual(
			companies(0, 2).map(() => 'Reuse Results For (Days) cannot look up what was paid for'),
		);
		const preview = await run(companies(0, 2), { previewOnly: true });
		expect(jsonOf(preview)).toMatchObject([{ wouldBeSent: 0, refused: 2 }]);
		expect(bench.sandbox.requests).toEqual([]);
	});
});

test.each([0, 1.5, -1, '', 'many', null])('%j is no number of days', async (days) => {
	const { error } = await run(companies(0, 1), { reuseResultsFor: days });
	expect(error?.message).toBe('Reuse Results For (Days) must be a whole number of at least 1');
	expect(bench.sandbox.requests).toEqual([]);
});

test('any number of days gives a date', async () => {
	await run(companies(0, 1), { reuseResultsFor: Number.MAX_SAFE_INTEGER });
	await run(companies(0, 1), { reuseResultsFor: Number.MAX_SAFE_INTEGER });
	expect(bench.sandbox.requests).toEqual([]);
	expect(Date.parse(String(rows()[0]?.expires))).toBeGreaterThan(Date.now());
});
