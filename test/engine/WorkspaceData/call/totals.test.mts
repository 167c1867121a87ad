import type { INodeType } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';
import { hintsOf, jsonOf, useSandbox } from '../../harness/support.mts';
import { WorkspaceData } from '../../../../nodes/WorkspaceData/WorkspaceData.node.ts';
import { sampleCases } from '../../../samples.mts';
import { NODE_TYPE } from '../../harness/harness.mts';

const bench = useSandbox({ companies: 5 });

const prospect = { resource: 'company', operation: 'prospect', dataToSend: 'autoMapInputData' };

/** Makes the service respond with `count` results and this pagination. */
function answerWith(count: number, pagination: Record<string, unknown> | undefined): void {
	const body = {
		success: true,
		data: { items: Array(count).fill({ name: 'a' }) },
		meta: { pagination },
	};
	bench.sandbox.clearFaults();
	bench.sandbox.addFault({ path: '/v2/prospect/companies', times: Infinity, status: 200, body });
}

describe('hints of Prospect about the number of results', () => {
	test.each<[number, Record<string, unknown>, object[], string]>([
		[1, { page: 1, page_size: 1, total: 4_000 }, [{}], 'found 4,000 results and returned 1. '],
		[
			5,
			{ page: 1, page_size: 5, total: 4_000, next_cursor: 'c' },
			[{ a: 1 }, { a: 2 }, { a: 3 }],
			'found 12,000 results and returned 15. ',
		],
	])(
		'shows the total in a hint if Prospect finds more companies than it returns (%j per call)',
		async (count, pagination, items, words) => {
			answerWith(count, pagination);
			const run = await bench.succeed(prospect, { items });
			expect(run.outputs[0]).toHaveLength(count * items.length);
			expect(run.hints).toHaveLength(2);
			expect(run.hints[1].message).toContain(words);
			expect(run.hints[1].message).toContain('To get more, ');
		},
	);

	test('shows in a hint how many items have no result', async () => {
		answerWith(0, { page: 1, page_size: 5, total: 0 });
		const parameters = { ...prospect, includeInputFields: true };
		const run = await bench.succeed(parameters, { items: [{ a: 1 }, { a: 2 }] });
		expect(run.outputs[0]).toEqual([]);
		expect(run.hints[1].message).toBe('Prospect returned no result for 2 of 2 items (HTTP 200).');
	});

	test('shows no hint about the total if all results were returned, or if the response has no total', async () => {
		for (const pagination of [
			{ page: 1, page_size: 5, total: 5 },
			{ next_cursor: 'c' },
			undefined,
		]) {
			answerWith(5, pagination);
			expect(hintsOf(await bench.run(prospect))).toEqual(['Sent 1 call (may be billed).']);
		}
	});
});

test.each(sampleCases.filter(({ gives }) => gives !== 'one'))(
	'tells an AI model that $name found nothing',
	async ({ parameters, title, requests }) => {
		const meta = { pagination: { page: 1, page_size: 100, total: 0 } };
		const path = requests.v2?.path;
		bench.sandbox.addFault({ path, times: 9, body: { success: true, data: { items: [] }, meta } });
		const type = `${NODE_TYPE}Tool`;
		const tool = { type, extraNodeTypes: { [type]: new WorkspaceData() as INodeType } };
		const run = await bench.succeed(parameters, tool);
		expect(jsonOf(run)).toEqual([{ result: `${title} found nothing` }]);
		expect((await bench.succeed(parameters)).outputs[0]).toEqual([]);
	},
);
