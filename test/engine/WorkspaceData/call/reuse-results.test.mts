/** Tests Keep Results, which stores paid results in an n8n data table and reuses them. */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { sandboxCredentials } from '../../../sandbox/server.mts';
import { hintsOf, jsonOf, secretValues } from '../../harness/support.mts';
import { companies, domains, enrich, objectsIn, path, table, useReuse } from './reuse.mts';

const world = useReuse();
const { bench, run, asked, rows } = world;
const dayMs = 86_400_000;
const kept = (days: number) => ({ cache: { values: { days } } });
const ago = (days: number) => new Date(Date.now() - days * dayMs).toISOString();

test('stores every paid result before the node ends', async () => {
	world.dataTables.before = async () => await wait(100);
	await run(companies(0, 3), { maxConcurrent: 1 });
	expect(rows()).toHaveLength(3);
});

describe('a later execution', () => {
	test('applies the output options to a kept result in the same way as to a new result', async () => {
		const form = { outputFields: 'domain' };
		const beside = { includeInputFields: true };
		await run(companies(0, 2));
		world.dataTables.steps.length = 0;
		const reused = jsonOf(await run(companies(0, 2), form, {}, beside));
		expect(bench.sandbox.requests).toEqual([]);
		// A run that sends no call does not remove expired results.
		expect(world.dataTables.steps).toEqual(['table:list', 'row:get']);
		expect(reused).toEqual(
			jsonOf(await bench.run({ ...enrich, ...beside, options: form }, { items: companies(0, 2) })),
		);
	});

	test('finds kept results after n8n has transferred the data table to another user', async () => {
		await run(companies(0, 3));
		const { tables } = world.dataTables;
		tables.set(`${table} (Jane Doe <jane@example.com>)`, rows());
		tables.delete(table);
		await run(companies(2, 5));
		expect(asked()).toEqual(domains(3, 5));
		await run(companies(0, 6));
		expect(asked()).toEqual(domains(5, 6));
	});

	test('shares kept results between the keys of one credential, unless the key is an expression', async () => {
		const { v2Full, v2Regular } = sandboxCredentials;
		const byExpression = (key: string) => ({ ...bench.v2(), apiKey: `={{ "${key}" }}` });
		for (const [credential, calls] of [
			[bench.v2(), 1],
			[bench.v2(v2Regular), 0],
			[byExpression(v2Full), 1],
			[byExpression(v2Regular), 1],
			[byExpression(v2Full), 0],
		] as const) {
			await run(companies(0, 1), {}, { credential });
			expect(bench.sandbox.requests).toHaveLength(calls);
		}
	});
});

test.each<[object]>([
	[{ success: true, company: { domain: 'a.example' } }],
	[{ domain: 'a.example', meta: { ctx_id: 'c' } }],
])('keeps a response without the member "data", and reuses the response: %j', async (body) => {
	bench.sandbox.addFault({ path, times: 3, body });
	const first = await run(companies(0, 1));
	expect(jsonOf(first)).toEqual([body]);
	expect(hintsOf(first)).toEqual(['Sent 1 call (may be billed).']);
	const requiredFields = 'company' in body ? 'company.domain' : 'domain';
	const again = await run(companies(0, 1), { cache: { values: { requiredFields } } });
	expect(jsonOf(again)).toEqual([body]);
	expect(bench.sandbox.requests).toEqual([]);
});

describe('Keep Results in one run', () => {
	const identical = [...companies(0, 5), ...companies(0, 5)];

	test('sends one call for identical items, but no call if their result is already kept', async () => {
		const first = await run(identical);
		expect(asked()).toEqual(domains(0, 5));
		for (const secret of secretValues) expect(JSON.stringify(rows())).not.toContain(secret);
		const second = await run([...identical, ...companies(5, 6)]);
		expect(asked()).toEqual(domains(5, 6));
		expect(jsonOf(second).slice(0, 10)).toEqual(jsonOf(first));
		expect(hintsOf(second)).toEqual(['Sent 1 call (may be billed). 10 items used a kept result.']);
	});

	// A later node can change one item at any depth. This change must not affect another item.
	test.each([
		['a call', { deduplicateBy: '*' }, 0],
		['a call whose result is kept', {}, 0],
		['a kept result', {}, 1],
	])('returns independent copies to items that share %s', async (_what, options, runsBefore) => {
		for (let runs = 0; runs < runsBefore; runs++) await run(identical, options);
		const objects = objectsIn(jsonOf(await run(identical, options)));
		expect(objects.length).toBeGreaterThan(identical.length);
		expect(new Set(objects).size).toBe(objects.length);
	});

	test('does not count kept results towards Limit Calls', async () => {
		await run(companies(0, 10));
		const result = await run(companies(5, 20), { maxCalls: 10 });
		expect(result.error).toBeUndefined();
		expect(asked()).toEqual(domains(10, 20));
		const { error } = await run(companies(0, 31), { maxCalls: 10 });
		expect(error?.message).toBe("'Limit Calls' (10) would skip 1 item");
		expect(bench.sandbox.requests).toEqual([]);
	});

	test('counts kept results in a preview, and does not change the data table', async () => {
		await run(companies(0, 5));
		world.dataTables.steps.length = 0;
		const onError = 'continueRegularOutput';
		const options = { maxCalls: 10 };
		const preview = await run(companies(0, 16), options, { onError }, { previewOnly: true });
		expect(jsonOf(preview)).toMatchObject([
			{ items: 16, uniqueRequests: 16, wouldBeSent: 10, keptResults: 5, skippedByLimit: 1 },
		]);
		expect(world.dataTables.steps).toEqual(['table:list', 'row:get']);
		expect(bench.sandbox.requests).toEqual([]);
	});

	test('looks up the kept results of 601 items with two queries', async () => {
		await run(companies(0, 600), { maxConcurrent: 50 });
		world.dataTables.steps.length = 0;
		await run(companies(0, 601));
		expect(asked()).toEqual(domains(600, 601));
		// Two queries look up results, and one query finds expired results.
		expect(world.dataTables.steps.filter((step) => step === 'row:get')).toHaveLength(3);
	});

	test('stores the first result at once, and later results four times a second', async () => {
		const sent: number[] = [];
		world.dataTables.before = (step) => {
			if (step === 'row:insert') sent.push(bench.sandbox.requests.length);
		};
		bench.sandbox.setLatency(40);
		await run(companies(0, 40), { maxConcurrent: 2 });
		expect(rows()).toHaveLength(40);
		expect(sent[0], 'requests').toBeLessThanOrEqual(4);
		expect(sent.length, 'sent').toBeGreaterThanOrEqual(4);
		expect(sent.length, 'sent').toBeLessThan(20);
	});
});

describe('an expired result', () => {
	const removals = () => world.dataTables.steps.filter((step) => step === 'row:deleteRows');

	test('does not use an expired result, and removes it from the data table', async () => {
		await run(companies(0, 3));
		for (const row of rows()) row.expires = ago(1);
		await run(companies(0, 1));
		expect(asked()).toEqual(domains(0, 1));
		expect(rows()).toHaveLength(1);
		await run(companies(0, 1));
		expect(asked()).toEqual([]);
	});

	test('does not use a kept result that is older than Days, but leaves it in the table for other nodes', async () => {
		await run(companies(0, 1));
		for (const row of rows()) row.createdAt = ago(3);
		await run(companies(0, 1), kept(4));
		expect(asked()).toEqual([]);
		await run(companies(0, 1), kept(2));
		expect(asked()).toEqual(domains(0, 1));
		expect(rows()).toHaveLength(2);
	});

	test('removes only expired results from the data table', async () => {
		const valid = Array.from({ length: 20 }, (_, index) => ({
			key: `valid ${index}`,
			answer: '1',
			expires: ago(-1),
		}));
		for (const row of valid)
			world.dataTables.insert(table, [row, { ...row, key: 'old', expires: ago(1) }]);
		await run(companies(0, 1));
		expect(rows().slice(0, -1)).toMatchObject(valid);
	});

	test('removes 1,200 expired results in three requests', async () => {
		world.dataTables.insert(table, Array(1_200).fill({ answer: '1', expires: ago(1) }));
		await run(companies(0, 1));
		expect(rows()).toHaveLength(1);
		expect(removals()).toHaveLength(3);
	});

	test('stops after 20 removals of expired results, even if new expired results appear', async () => {
		const old = { answer: '1', expires: ago(1) };
		world.dataTables.before = (step) => {
			if (step === 'row:get') world.dataTables.insert(table, [old]);
		};
		world.dataTables.insert(table, []);
		await run(companies(0, 1));
		expect(removals()).toHaveLength(20);
	});
});

test.each([
	['invalid JSON', '{"data":'],
	['empty text', ''],
	['null, as in an emptied cell', null],
])(
	'uses the newer of two kept results, and ignores a kept result that is %s',
	async (_what, answer) => {
		await run(companies(0, 2));
		const [one, other] = rows();
		world.dataTables.insert(table, [{ ...one, answer: '{"success":true,"data":{"newer":true}}' }]);
		Object.assign(other ?? {}, { answer });
		expect(jsonOf(await run(companies(0, 2)))).toEqual([
			{ newer: true },
			expect.objectContaining({ domain: 'company-001.example' }),
		]);
		expect(asked()).toEqual(domains(1, 2));
	},
);

test('ignores data tables whose name only contains the name of the table for kept results', async () => {
	world.dataTables.insert(`my_${table}_of_2025`, []);
	await run(companies(0, 1));
	world.dataTables.insert(`${table}_copy`, []);
	await run(companies(0, 2));
	expect(asked()).toEqual(domains(1, 2));
	expect(rows()).toHaveLength(2);
});

test('creates only one data table if two executions start at the same time', async () => {
	let isMade = false;
	world.dataTables.before = (step) => {
		if (step === 'table:create' && !isMade) world.dataTables.insert(table, []);
		isMade ||= step === 'table:create';
	};
	await run(companies(0, 1));
	expect(rows()).toHaveLength(1);
});

describe('hint that Keep Results compares all fields of an item', () => {
	const byJson = { dataToSend: 'json', jsonBody: '={{ { domain: $json.domain } }}' };
	const row = { name: 'domain', value: '={{ $json.domain }}', type: 'string' };
	const byFields = { dataToSend: 'defineBelow', fields: { assignments: [row] } };
	test.each<[boolean, string, object, object, object]>([
		[true, 'a row number', { row_number: 2 }, {}, {}],
		[true, 'an event ID', { body_event_id: 'e-1' }, {}, {}],
		[true, 'fields of any name', { synced: '2026-11-01' }, {}, {}],
		[false, 'a single field', {}, {}, {}],
		[false, 'Deduplicate By', { row_number: 2 }, { deduplicateBy: 'domain' }, {}],
		[false, 'Deduplicate By with *', { row_number: 2 }, { deduplicateBy: '*' }, {}],
		[false, 'a node without Keep Results', { row_number: 2 }, { cache: undefined }, {}],
		[false, 'JSON', { row_number: 2 }, {}, byJson],
		[false, 'Fields to Send', { row_number: 2 }, {}, byFields],
	])(
		'shows the hint that Keep Results compares all fields (expected: %s) for %s',
		async (isShown, _what, more, options, beside) => {
			const items = companies(0, 2).map((company) => ({ ...company, ...more }));
			const done = await run(items, { ...options }, {}, { ...beside });
			const said = '<b>Keep Results</b> compares all fields of an item';
			expect(hintsOf(done).filter((hint) => hint.startsWith(said))).toHaveLength(isShown ? 1 : 0);
		},
	);
});

test('stores an expiry date in the future even if Keep Results has a very large number of days', async () => {
	await run(companies(0, 1), kept(Number.MAX_SAFE_INTEGER));
	expect(Date.parse(String(rows()[0]?.expires))).toBeGreaterThan(Date.now());
});
