/** Tests Preview Only, which reports what a run would send, and sends nothing. */
import { describe, expect, test } from 'vitest';
import { companiesNamed } from '../../../n8n/service.mts';
import { jsonOf } from '../../harness/support.mts';
import { enrich, useEnrich } from './enriching.mts';

const items = companiesNamed('company', 50);
const identical = items.map((_, index) => items[index % 20]);
const { bench, run } = useEnrich(items);

describe('Preview Only', () => {
	test('returns one item with counts and a sample of a request, and sends nothing', async () => {
		const result = await run({}, {}, { previewOnly: true });
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
	])(
		'reports the same counts as a real run with the options %j',
		async (options, sent, shared, skipped) => {
			const counts = { wouldBeSent: sent, sharedDuplicates: shared, skippedByLimit: skipped };
			const more = { items: identical, onError: 'continueRegularOutput' } as const;
			const preview = jsonOf(await run(options, more, { previewOnly: true }));
			expect(preview).toMatchObject([{ items: 50, uniqueRequests: 20, ...counts }]);
			expect(bench.sandbox.requests).toEqual([]);

			const result = await run(options, more);
			expect(bench.sandbox.requests).toHaveLength(sent);
			expect(jsonOf(result).filter((json) => 'error' in json)).toHaveLength(skipped);
		},
	);

	const stops =
		'this node stops on errors. To send 1 call anyway, set On Error to Continue in its settings.';
	const raise = "To send more, raise 'Limit Calls' in this node or remove it.";
	const both = "1 item would be refused and 'Limit Calls' (1) would skip 1 item";

	test.each<[string[], Record<string, unknown>, string]>([
		[['a', 'b'], { maxCalls: 1 }, `'Limit Calls' (1) would skip 1 item, and ${stops} ${raise}`],
		[['a', ''], {}, `1 item would be refused, and ${stops}`],
		[['a', '', 'b'], { maxCalls: 1 }, `${both}, and ${stops} ${raise}`],
	])(
		'explains why a run with On Error: Stop would send nothing for the domains %j and options %j',
		async (domains, options, why) => {
			const previewWith = async (onError?: 'continueRegularOutput') => {
				const asked = domains.map((domain) => ({ domain }));
				return jsonOf(await run(options, { items: asked, onError }, { previewOnly: true }))[0];
			};
			const stopping = await previewWith();
			expect(Object.keys(stopping)[0]).toBe('wouldBeSent');
			expect(stopping).toMatchObject({ wouldBeSent: 0, nothingIsSentBecause: why });
			const continuing = await previewWith('continueRegularOutput');
			expect(continuing).toMatchObject({ wouldBeSent: 1, items: domains.length });
			expect(continuing).not.toHaveProperty('nothingIsSentBecause');
		},
	);

	test('reports for each field how many of the items to send have no value in this field', async () => {
		const bodies = [
			{ domain: 'a', name: ' ' },
			{ name: 'b', tags: [] },
			{ domain: null, name: 'c' },
		];
		const [preview] = jsonOf(await run({}, { items: bodies }, { previewOnly: true }));
		expect(preview.withoutField).toEqual({ domain: 2, name: 1, tags: 3 });
	});

	test('previews the whole run if one item turns on Preview Only, and lists invalid items with reasons', async () => {
		const result = await run(
			{},
			{ items: [{ domain: 'a.example', city: ' ' }, { domain: '' }, { id: 2 ** 60 }] },
			{ previewOnly: '={{ $itemIndex === 1 }}' },
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

	test('reports only once that no item has a value for a field, and names the input fields', async () => {
		const sheet = ['a', 'b', 'c'].map((name) => ({ Company: name, Webseite: `${name}.example` }));
		const field = { id: 'a', name: 'domain', type: 'string', value: '={{ $json.domain }}' };
		const data = { dataToSend: 'defineBelow', fields: { assignments: [field] } };
		const parameters = { ...enrich, ...data, previewOnly: true };
		const [preview] = jsonOf(await bench.run(parameters, { items: sheet }));
		expect(preview).toMatchObject({
			wouldBeSent: 0,
			refused: 3,
			refusedItems: [
				{
					count: 3,
					itemIndexes: [0, 1, 2],
					error: 'No item has a value for "domain"',
					message: expect.stringMatching(
						/^Correct the values under 'Fields to Send': .* The input items have: "Company", "Webseite"\.$/,
					),
				},
			],
			inputFields: ['Company', 'Webseite'],
		});
		expect(preview.refusedItems).toHaveLength(1);
	});

	test('shows the query of a GET request in the sample of a preview', async () => {
		const result = await bench.run(
			{ ...enrich, operation: 'prospect', previewOnly: true, options: { httpMethod: 'GET' } },
			{ items: [{ industry: 'Energy' }] },
		);
		expect(jsonOf(result)).toMatchObject([
			{ sample: { method: 'GET', query: '{"industry":"Energy"}' } },
		]);
	});
});
