/** Tests Limit Calls, which limits the cost of a run, and the reported number of calls. */
import { describe, expect, test } from 'vitest';
import { companiesNamed } from '../../../n8n/service.mts';
import { hintsOf, jsonOf, type NodeRun } from '../../harness/support.mts';
import { path, useEnrich } from './enriching.mts';

const items = companiesNamed('company', 50);
const { bench, run } = useEnrich(items);

describe('Limit Calls = 10 for 50 items', () => {
	test('returns 10 results and 40 errors for 50 items with Limit Calls = 10 and On Error: Continue', async () => {
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

	test('sends nothing with On Error: Stop if Limit Calls is too low, because n8n would keep no result', async () => {
		const { error } = await run({ maxCalls: 10 });
		expect(bench.sandbox.requests).toEqual([]);
		expect(error).toMatchObject({
			message: "'Limit Calls' (10) would skip 40 items",
			description:
				"Nothing was sent now, because this node stops on errors. To send the other items anyway, set On Error to Continue in its settings.<br>To send more, raise 'Limit Calls' in this node or remove it.",
			context: { itemIndex: 10 },
		});
	});
});

test('does not count calls that n8n blocks because of the allowed domains of the credential', async () => {
	const elsewhere = { allowedHttpRequestDomains: 'domains', allowedDomains: 'elsewhere.example' };
	const credential = { ...bench.v2(), ...elsewhere };
	const more = { credential, items: items.slice(0, 3), onError: 'continueRegularOutput' } as const;
	const result = await run({}, more);
	expect(bench.sandbox.requests).toEqual([]);
	expect(hintsOf(result)).toEqual([]);
});

describe('execution data', () => {
	const noted = ({ run: { data } }: NodeRun) => data.resultData.metadata;

	test('stores the number of calls that may be billed in the execution data, even if the node fails', async () => {
		bench.sandbox.addFault({ path, skip: 2, status: 500 });
		const result = await run({ maxConcurrent: 1 });
		expect(result.status).toBe('error');
		expect(noted(result)).toEqual({ workspaceDataCalls: '3' });
	});

	test('adds nothing to the execution data if no call that may be billed was sent', async () => {
		const whoAmI = { resource: 'workspace', operation: 'whoAmI' };
		for (const result of [await run({}, {}, { previewOnly: true }), await bench.run(whoAmI)]) {
			expect(result.status).toBe('success');
			expect(noted(result)).toBeUndefined();
		}
	});
});
