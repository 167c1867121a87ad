/** What limits spending: Limit Calls, Preview Only, and the hint that says what was spent. */
import { describe, expect, test } from 'vitest';
import { companiesNamed } from '../../../n8n/service.mts';
import {
	hintsOf,
	jsonOf,
	useSandbox,
	type NodeRun,
	type RunOptions,
} from '../../harness/support.mts';

const bench = useSandbox({ companies: 5, orders: 5, items: 5, deals: 5 });

const enrich = { resource: 'company', operation: 'enrich', dataToSend: 'autoMapInputData' };
const items = companiesNamed('company', 50);
const identical = items.map((_, index) => items[index % 20]);

function run(
	options: Record<string, unknown>,
	more: Partial<RunOptions> = {},
	previewOnly: unknown = false,
): Promise<NodeRun> {
	return bench.run({ ...enrich, options, previewOnly }, { items, ...more });
}

describe('Limit Calls 10 of 50 items', () => {
	test('Continue: 10 requests, 10 results, and 40 error items that say how many are left', async () => {
		const result = await run({ maxCalls: 10 }, { onError: 'continueRegularOutput' });
		expect(bench.sandbox.requests).toHaveLength(10);
		expect(jsonOf(result)).toEqual([
			...items.slice(0, 10).map(({ domain }) => expect.objectContaining({ domain })),
			...items.slice(10).map(() => ({
				error: "'Limit Calls' (10) skipped 40 items",
				message: "To send more, raise 'Limit Calls' in this node or remove it.",
				details: {},
			})),
		]);
		expect(result.outputs[0].map(({ pairedItem }) => pairedItem)).toEqual(
			items.map((_, item) => ({ item })),
		);
		expect(hintsOf(result)).toEqual([
			'Sent 10 calls (may be billed). Limit Calls skipped 40 items.',
		]);
	});

	test('Stop: no request, since n8n would keep no result, and an error that says so', async () => {
		const { error } = await run({ maxCalls: 10 });
		expect(bench.sandbox.requests).toEqual([]);
		expect(error).toMatchObject({
			message: "'Limit Calls' (10) would skip 40 items",
			description:
				"To send more, raise 'Limit Calls' in this node or remove it. Nothing was sent now, because this node stops on errors. To send the other items all the same, set On Error to Continue in its settings.",
			context: { itemIndex: 10 },
		});
	});
});

test('what n8n itself blocks is not counted as sent', async () => {
	const elsewhere = { allowedHttpRequestDomains: 'domains', allowedDomains: 'elsewhere.example' };
	const credential = { ...bench.v2(), ...elsewhere };
	const more = { credential, items: items.slice(0, 3), onError: 'continueRegularOutput' } as const;
	const result = await run({}, more);
	expect(bench.sandbox.requests).toEqual([]);
	expect(hintsOf(result)).toEqual([]);
});

describe('Preview Only', () => {
	test('one item with the numbers and a sample; no request', async () => {
		const result = await run({}, {}, true);
		expect(jsonOf(result)).toEqual([
			{
				items: 50,
				uniqueRequests: 50,
				wouldBeSent: 50,
				keptResults: 0,
				sharedDuplicates: 0,
				skippedByLimit: 0,
				withoutField: {},
				refused: 0,
				refusedItems: [],
				inputFields: ['domain'],
				sample: { method: 'POST', path: '/v2/enrich', body: '{"domain":"company-000.example"}' },
			},
		]);
		expect(bench.sandbox.requests).toEqual([]);
	});

	test.each([
		[{ maxCalls: 10 }, 10, 0, 40],
		[{ deduplicateBy: '*', maxCalls: 10 }, 10, 20, 20],
	])('counts with %j as the run itself would', async (options, sent, shared, skipped) => {
		const counts = { wouldBeSent: sent, sharedDuplicates: shared, skippedByLimit: skipped };
		const more = { items: identical, onError: 'continueRegularOutput' } as const;
		const preview = jsonOf(await run(options, more, true));
		expect(preview).toMatchObject([{ items: 50, uniqueRequests: 20, ...counts }]);
		expect(bench.sandbox.requests).toEqual([]);

		const result = await run(options, more);
		expect(bench.sandbox.requests).toHaveLength(sent);
		expect(jsonOf(result).filter((json) => 'error' in json)).toHaveLength(skipped);
	});

	const stops =
		'this node stops on errors. To send 1 call all the same, set On Error to Continue in its settings.';
	const raise = "To send more, raise 'Limit Calls' in this node or remove it.";
	const both = "1 item would be refused and 'Limit Calls' (1) would skip 1 item";

	test.each<[string[], Record<string, unknown>, string]>([
		[['a', 'b'], { maxCalls: 1 }, `'Limit Calls' (1) would skip 1 item, and ${stops} ${raise}`],
		[['a', ''], {}, `1 item would be refused, and ${stops}`],
		[['a', '', 'b'], { maxCalls: 1 }, `${both}, and ${stops} ${raise}`],
	])('of %j with %j: a run that stops would send nothing', async (domains, options, why) => {
		const previewWith = async (onError?: 'continueRegularOutput') => {
			const asked = domains.map((domain) => ({ domain }));
			return jsonOf(await run(options, { items: asked, onError }, true))[0];
		};
		const stopping = await previewWith();
		expect(Object.keys(stopping)[0]).toBe('wouldBeSent');
		expect(stopping).toMatchObject({ wouldBeSent: 0, nothingIsSentBecause: why });
		const continuing = await previewWith('continueRegularOutput');
		expect(continuing).toMatchObject({ wouldBeSent: 1, items: domains.length });
		expect(continuing).not.toHaveProperty('nothingIsSentBecause');
	});

	test('counts the items that would be sent without a field that one of them names', async () => {
		const bodies = [
			{ domain: 'a', name: ' ' },
			{ name: 'b', tags: [] },
			{ domain: null, name: 'c' },
		];
		const [preview] = jsonOf(await run({}, { items: bodies }, true));
		expect(preview.withoutField).toEqual({ domain: 2, name: 1, tags: 3 });
	});

	test('of one item is of the whole run, and names the items that would be refused, and why', async () => {
		const result = await run(
			{},
			{ items: [{ domain: 'a.example', city: ' ' }, { domain: '' }, { id: 2 ** 60 }] },
			'={{ $itemIndex === 1 }}',
		);
		expect(jsonOf(result)).toMatchObject([
			{
				items: 3,
				wouldBeSent: 0,
				nothingIsSentBecause: expect.stringMatching(/^2 items would be refused, .* send 1 call /),
				withoutField: { city: 1 },
				refused: 2,
				refusedItems: [
					{ itemIndexes: [1], error: '[item 1] has no values to send' },
					{ itemIndexes: [2], error: expect.stringContaining('too large to be sent') },
				],
			},
		]);
	});

	test('a field that no item has is one reason for all of them, beside the fields that there are', async () => {
		const sheet = ['a', 'b', 'c'].map((name) => ({ Company: name, Webseite: `${name}.example` }));
		const field = { id: 'a', name: 'domain', type: 'string', value: '={{ $json.domain }}' };
		const data = { dataToSend: 'defineBelow', fields: { assignments: [field] } };
		const parameters = { ...enrich, ...data, previewOnly: true };
		const [preview] = jsonOf(await bench.run(parameters, { items: sheet }));
		expect(preview).toMatchObject({
			wouldBeSent: 0,
			refused: 3,
			refusedItems: [
				{ count: 3, itemIndexes: [0, 1, 2], message: expect.stringContaining('blank') },
			],
			inputFields: ['Company', 'Webseite'],
		});
		expect(preview.refusedItems).toHaveLength(1);
	});

	test('shows what GET would put into the address', async () => {
		const result = await bench.run(
			{ ...enrich, operation: 'prospect', previewOnly: true, options: { httpMethod: 'GET' } },
			{ items: [{ industry: 'Energy' }] },
		);
		expect(jsonOf(result)).toMatchObject([
			{ sample: { method: 'GET', query: '{"industry":"Energy"}' } },
		]);
	});
});

describe('what is wrong with the options of the first item is told of it alone', () => {
	const first = (wrong: string, right: string) => `={{ $itemIndex === 0 ? ${wrong} : ${right} }}`;

	test.each([
		['maxConcurrent', first('"many"', '1'), "'Parallel Requests' must be a whole number"],
		[
			'maxConcurrent',
			first('undefined', '1'),
			"The expression of 'Parallel Requests (Batch Size)' returns nothing",
		],
		['maxConcurrent', first('$json.a.b.c', '1'), ''],
		['fullResponse', first('"ja"', 'false'), "'Full API Response' must be true or false"],
	])('%s: %s', async (option, value, says) => {
		const some = items.slice(0, 6);
		bench.sandbox.setLatency(20);
		const options = { [option]: value };
		const result = await run(options, { items: some, onError: 'continueRegularOutput' });
		const [refused, ...others] = jsonOf(result);
		expect(refused.error).toEqual(expect.stringContaining(says));
		expect(others).toMatchObject(some.slice(1).map(({ domain }) => ({ domain })));
		expect(bench.sandbox.requests).toHaveLength(5);
		const most = Math.max(...bench.sandbox.requests.map(({ inFlight }) => inFlight));
		if (option === 'maxConcurrent') expect(most).toBe(1);
	});
});

describe('Output Fields that no result has', () => {
	const output = (outputFields: string) => ({ outputFields });

	test('leave the result whole, and a hint says so', async () => {
		const whole = jsonOf(await run({}, { items: items.slice(0, 2) }));
		const result = await run(output('Domain, umsatz'), { items: items.slice(0, 2) });
		const withoutDate = (all: object[]) => all.map((one) => ({ ...one, enriched_at: 0 }));
		expect(withoutDate(jsonOf(result))).toEqual(withoutDate(whole));
		expect(hintsOf(result)).toEqual([
			'Sent 2 calls (may be billed).',
			"2 results have none of the 'Output Fields', so they came out whole.",
			'No record has the fields "Domain", "umsatz". Names are case-sensitive.',
		]);
	});

	test('are named where others are there', async () => {
		const result = await run(output('domain, umsatz'), { items: items.slice(0, 1) });
		expect(jsonOf(result)).toEqual([{ domain: items[0].domain }]);
		expect(hintsOf(result)[1]).toBe('No record has the field "umsatz". Names are case-sensitive.');
	});
});

describe('what a run should know that nobody watches is in the log, too', () => {
	const mode = 'trigger' as const;
	const some = items.slice(0, 2).map((item) => ({ ...item, vat_id: ' ', city: null }));
	const warnings = ({ logs }: NodeRun) =>
		logs.filter(({ level }) => level === 'warn').map(({ message }) => message);
	const field = (name: string) => ({ name, value: `={{ $json.${name} }}` });
	const values = ['domain', 'vatId', 'name'].map(field);

	test.each<[string, object, object, string]>([
		[
			'Preview Only',
			{ previewOnly: true },
			{ items: items.slice(0, 2), mode },
			"Nothing was sent: turn off 'Preview Only' in this node to send the calls.",
		],
		[
			'Output Fields',
			{ options: { outputFields: 'umsatz, domain' } },
			{ items: items.slice(0, 2), mode },
			'No record has the field "umsatz". Names are case-sensitive.',
		],
		[
			'fields of items that are empty',
			{},
			{ items: some },
			'No item has a value for the fields "vat_id", "city". Check the data to send.',
		],
		[
			'fields to send that are misspelt',
			{ dataToSend: 'defineBelow', fields: { values } },
			{ items: [{ ...items[0], name: 'a' }, items[1]] },
			'No item has a value for the field "vatId". Check the data to send.',
		],
	])('%s', async (_name, parameters, more, message) => {
		const result = await bench.run({ ...enrich, ...parameters }, more);
		expect(result.error).toBeUndefined();
		expect(warnings(result)).toEqual([`Workspace Data: ${message}`]);
		expect(hintsOf(result)).toContain(message);
	});

	test('a person who looks at a preview need not be told', async () => {
		const result = await run({}, {}, true);
		expect([...warnings(result), ...hintsOf(result)]).toEqual([]);
	});

	test('nor of fields that one item fills in, or where nothing was sent', async () => {
		const one = await run({}, { items: [{ ...some[0], vat_id: 'a', city: 'b' }, some[1]] });
		const none = await run({ maxCalls: 0 }, { items: some, onError: 'continueRegularOutput' });
		expect([...warnings(one), ...warnings(none)]).toEqual([]);
	});
});

describe('the execution says how many calls may be billed', () => {
	const path = '/v2/enrich';
	const noted = ({ run: { data } }: NodeRun) => data.resultData.metadata;

	test('where an error ends the node, too', async () => {
		bench.sandbox.addFault({ path, skip: 2, status: 500 });
		const result = await run({ maxConcurrent: 1 });
		expect(result.status).toBe('error');
		expect(noted(result)).toEqual({ workspaceDataCalls: '3' });
	});

	test('nothing is written where no call is sent, or none can be billed', async () => {
		const whoAmI = { resource: 'workspace', operation: 'whoAmI' };
		for (const result of [await run({}, {}, true), await bench.run(whoAmI)]) {
			expect(result.status).toBe('success');
			expect(noted(result)).toBeUndefined();
		}
	});
});
