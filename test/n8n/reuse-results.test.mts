/** Cache Results in a real n8n: over several executions, after a kill, and where n8n's data tables are full. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { dataTables, keptResults, routeOfDataTables } from './data-tables.mts';
import { useOwnN8n } from './lab.mts';
import { waitUntil } from './poll.mts';
import { fieldsOf } from './rest.mts';
import { companiesNamed, domainsOf } from './service.mts';
import { hintOf } from './sync-workflows.mts';
import {
	chain,
	dataNode,
	enrichNode,
	items,
	manualTrigger,
	n8nNode,
	startName,
} from './workflows.mts';

const node = 'Workspace Data';
/** Bytes of all data tables together: some thousand results. */
const mostBytes = 5_000_000;

function enrich(
	input: Array<{ domain: string }>,
	options: Record<string, unknown> = {},
	beside: Record<string, unknown> = {},
) {
	const node = enrichNode({ cache: { values: { days: 30 } }, ...options });
	Object.assign(node.parameters, beside);
	return chain('Enrich', [manualTrigger(), items(input), node]);
}

const chosen = {
	cache: { values: { days: 30, requiredFields: 'domain, name' } },
	deduplicateBy: 'domain',
	maxConcurrent: 1,
};
/** As docs/reliability.md shows it. */
const countOfToday = n8nNode(
	'Results of today',
	'dataTable',
	1.1,
	{
		resource: 'row',
		operation: 'get',
		dataTableId: { __rl: true, mode: 'name', value: 'workspace_data_results' },
		matchType: 'allConditions',
		filters: {
			conditions: [
				{
					keyName: 'createdAt',
					condition: 'gte',
					keyValue: '={{ $now.minus({ days: 1 }).toISO() }}',
				},
			],
		},
		returnAll: false,
		limit: 2,
	},
	{ alwaysOutputData: true },
);
const isBelowLimit = n8nNode(
	'If',
	'if',
	2.2,
	{
		conditions: {
			options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
			combinator: 'and',
			conditions: [
				{
					id: 'below',
					leftValue: "={{ $('Results of today').all().length }}",
					rightValue: 2,
					operator: { type: 'number', operation: 'lt' },
				},
			],
		},
		options: {},
	},
	{ executeOnce: true },
);
const killed = companiesNamed('killed', 500);
const workflows = {
	first: enrich(companiesNamed('company', 20)),
	second: enrich(companiesNamed('company', 20, 10)),
	preview: enrich(companiesNamed('company', 25, 10), {}, { previewOnly: true }),
	killed: enrich(killed, { maxConcurrent: 10 }),
	full: enrich(companiesNamed('full', 5)),
	chosen: chain('Chosen fields', [
		manualTrigger(),
		n8nNode('Items', 'code', 2, {
			jsCode: `return ['acme.example', ' Acme.EXAMPLE', 'slow.example']
				.map((domain) => ({ json: { domain, asked_at: $execution.id } }));`,
		}),
		enrichNode(chosen),
		dataNode(
			{
				resource: 'company',
				operation: 'enrich',
				dataToSend: 'json',
				jsonBody: '={{ ({ domain: "other-" + $itemIndex + ".example" }) }}',
			},
			{ name: 'Once more' },
		),
	]),
	limit: chain('A limit per day', [manualTrigger(), countOfToday, isBelowLimit]),
};

const lab = useOwnN8n({
	name: 'reuse-results',
	sandbox: { companies: 1 },
	workflows: () => Object.values(workflows),
});

const paid = () => domainsOf(lab.sandbox.calls.enrich).toSorted();

test('20 calls; then, of 20 items of which 10 are new, 10 calls; then none', async () => {
	const first = await lab.succeed(workflows.first);
	expect(paid()).toEqual(domainsOf(companiesNamed('company', 20)));

	lab.sandbox.clearRequests();
	const second = await lab.succeed(workflows.second);
	expect(paid()).toEqual(domainsOf(companiesNamed('company', 10, 20)));
	expect(fieldsOf(second).slice(0, 10)).toEqual(fieldsOf(first).slice(10));
	expect(domainsOf(fieldsOf(second))).toEqual(domainsOf(companiesNamed('company', 20, 10)));
	expect(hintOf(second, node)).toContain(
		'Sent 10 calls (may be billed). 10 items used a kept result.',
	);

	lab.sandbox.clearRequests();
	expect(fieldsOf(await lab.succeed(workflows.preview))).toMatchObject([
		{ uniqueRequests: 25, keptResults: 20, wouldBeSent: 5 },
	]);
	expect(fieldsOf(await lab.succeed(workflows.second))).toEqual(fieldsOf(second));
	expect(lab.sandbox.requests).toEqual([]);
	// The small workflows that reach the data table are no executions that anybody sees.
	expect(await lab.client.listExecutions(workflows.second.id)).toHaveLength(2);
	expect(await keptResults(lab.client)).toHaveLength(30);
	expect(await dataTables(lab.client)).toHaveLength(1);
});

test('what makes two calls the same and a result one is chosen, over executions; each says what it has sent', async () => {
	const callsOf = async ({ id }: { id: string }) => {
		const route = `/executions/${id}`;
		return (await lab.client.request<{ customData: object }>('GET', route)).customData;
	};
	lab.sandbox.addFault({ path: '/v2/enrich', skip: 1, body: { job_id: 5, status: 'processing' } });
	const first = await lab.succeed(workflows.chosen);
	expect(domainsOf(lab.sandbox.calls.enrich)).toContain('acme.example');
	expect(hintOf(first, node)).toContain('1 result not kept: no value in domain, name');
	// Two of the first node, three of the second.
	expect(await callsOf(first)).toEqual({ workspaceDataCalls: '5' });

	lab.sandbox.clearRequests();
	const second = await lab.succeed(workflows.chosen);
	expect(lab.sandbox.requests[0]?.body).toMatchObject({ domain: 'slow.example' });
	expect(fieldsOf(second).slice(0, 2)).toEqual(fieldsOf(first).slice(0, 2));
	expect(await callsOf(second)).toEqual({ workspaceDataCalls: '4' });
});

test('the results of a day can be counted to answer 429 past a limit, as docs/reliability.md says', async () => {
	const execution = await lab.succeed(workflows.limit);
	expect(fieldsOf(execution, 'If', 0)).toEqual([]);
	expect(fieldsOf(execution, 'If', 1)).toHaveLength(1);
});

test(
	'n8n is killed in the middle of 500 calls: started again, what was under way is paid for twice',
	{ timeout: 300_000 },
	async () => {
		const latencyMs = 100;
		lab.sandbox.setLatency(latencyMs);
		await lab.client.startWorkflow(workflows.killed.id, startName);
		await waitUntil('250 calls', () => lab.sandbox.requests.length >= 250, 60_000);
		const killedAt = Date.now();
		await lab.n8n.kill();
		await wait(2 * latencyMs);
		const before = lab.sandbox.requests.map(({ at, body }) => ({
			at,
			domain: domainsOf([body])[0],
		}));
		await lab.n8n.startAgain({ N8N_DATA_TABLES_MAX_SIZE_BYTES: String(mostBytes) });
		lab.sandbox.setLatency(0);
		lab.sandbox.clearRequests();

		const execution = await lab.succeed(workflows.killed);
		expect(domainsOf(fieldsOf(execution))).toEqual(domainsOf(killed));
		const again = paid();
		const twice = before.filter(({ domain }) => again.includes(domain));
		console.log(
			`killed after ${before.length} of ${killed.length} calls; ${twice.length} were sent twice`,
		);
		expect(before.length, 'before').toBeLessThan(400);
		expect(again).toHaveLength(killed.length - before.length + twice.length);
		// Those that were not answered, and those whose answers came in the second before the kill.
		const oldest = Math.max(...twice.map(({ at }) => killedAt - latencyMs - at));
		expect(oldest, 'ms before the kill, of the oldest answer that was lost').toBeLessThan(1_000);
	},
);

test('n8n takes no more rows: all results come out, and a hint says that they are not kept', async () => {
	const route = await routeOfDataTables(lab.client);
	const columns = [{ name: 'text', type: 'string' }];
	const other = await lab.client.request<{ id: string }>('POST', route, { name: 'other', columns });
	await lab.client.request('POST', `${route}/${other.id}/insert`, {
		data: [{ text: 'x'.repeat(mostBytes) }],
	});
	const execution = await lab.succeed(workflows.full);
	expect(fieldsOf(execution)).toHaveLength(5);
	expect(hintOf(execution, node)).toMatch(
		/5 results not kept: n8n could not write to its data table .* \(.*Data table size limit exceeded/,
	);
	// What is kept is used all the same.
	lab.sandbox.clearRequests();
	await lab.succeed(workflows.second);
	expect(lab.sandbox.requests).toEqual([]);
});
