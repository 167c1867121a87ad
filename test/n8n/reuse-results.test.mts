/**
 * Tests Keep Results in a real n8n: across several executions, in parallel, and after n8n is killed. Also tests which
 * calls a stopped execution reports.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { dataTables, keptResults, routeOfDataTables } from './data-tables.mts';
import { useOwnN8n } from './lab.mts';
import { poll, waitUntil } from './poll.mts';
import { fieldsOf, type Execution } from './rest.mts';
import { companiesNamed, domainsOf } from './service.mts';
import { callWebhook, hintOf, runByWebhook } from './sync-workflows.mts';
import {
	chain,
	companiesByWebhook,
	enrichNode,
	items,
	manualTrigger,
	n8nNode,
	startName,
	webhook,
} from './workflows.mts';

const node = 'Workspace Data';
/** Maximum total size of n8n's data tables in bytes, enough for a few thousand results. */
const maxBytes = 5_000_000;

function enrich(
	input: Array<{ domain: string }>,
	options: Record<string, unknown> = {},
	beside: Record<string, unknown> = {},
) {
	const node = enrichNode({ cache: { values: { days: 30 } }, ...options });
	Object.assign(node.parameters, beside);
	return chain('Enrich', [manualTrigger(), items(input), node]);
}

/** Data Table node from docs/reliability.md. It returns the results that were stored within the last day. */
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
/** Returns a workflow that sends twelve calls, two at a time. */
const slow = (settings: object) => {
	const calls = enrichNode({ maxConcurrent: 2 });
	const workflow = chain('Stopped', [manualTrigger(), items(companiesNamed('slow', 12)), calls]);
	return { ...workflow, settings: { ...workflow.settings, ...settings } };
};
const workflows = {
	first: enrich(companiesNamed('company', 20)),
	second: enrich(companiesNamed('company', 20, 10)),
	preview: enrich(companiesNamed('company', 25, 10), {}, { previewOnly: true }),
	killed: enrich(killed, { maxConcurrent: 10 }),
	full: enrich(companiesNamed('full', 5)),
	webhook: chain('Webhook', [
		...companiesByWebhook('enrich'),
		enrichNode({ cache: { values: {} } }),
	]),
	wholeRequest: chain('Whole request', [webhook('whole-request', 'onReceived'), enrichNode()]),
	stopped: slow({}),
	outOfTime: slow({ executionTimeout: 2 }),
	limit: chain('A limit per day', [manualTrigger(), countOfToday, isBelowLimit]),
};

const lab = useOwnN8n({
	name: 'reuse-results',
	sandbox: { companies: 1 },
	workflows: () => Object.values(workflows),
});

/** Returns the number of sent calls that an execution reports. */
const callsOf = async ({ id }: { id: string }): Promise<string | undefined> => {
	type Detail = { customData?: { workspaceDataCalls?: string } };
	const { customData } = await lab.client.request<Detail>('GET', `/executions/${id}`);
	return customData?.workspaceDataCalls;
};
const paid = () => domainsOf(lab.sandbox.calls.enrich).toSorted();

test('sends only the calls whose results are not kept from earlier runs', async () => {
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
	// n8n must not list the sub-workflows that access the data table as executions of the workflow.
	expect(await lab.client.listExecutions(workflows.second.id)).toHaveLength(2);
	expect(await keptResults(lab.client)).toHaveLength(30);
	expect(await dataTables(lab.client)).toHaveLength(1);
});

test('sends one call if five webhook requests about the same company arrive at the same time', async () => {
	lab.sandbox.setLatency(500);
	await lab.client.activate(workflows.webhook.id);
	const answers = Array.from({ length: 5 }, async () => {
		const body = { companies: [{ domain: 'acme.example' }] };
		return await callWebhook(lab.n8n.server.url, workflows.webhook, body);
	});
	await Promise.all(answers);
	const ended = async () => {
		const ids = await lab.client.listExecutions(workflows.webhook.id);
		const found = await Promise.all(ids.map((id) => lab.client.readExecution(id)));
		const done = found.filter((one) => one?.status === 'success');
		return done.length === 5 ? (done as Execution[]) : undefined;
	};
	const executions = await poll('five executions', ended, 60_000);
	lab.sandbox.setLatency(0);
	expect(lab.sandbox.calls.enrich).toHaveLength(1);
	for (const one of executions) expect(fieldsOf(one)).toMatchObject([{ name: expect.any(String) }]);
	const counts = await Promise.all(executions.map(callsOf));
	expect(counts.filter(Boolean)).toEqual(['1']);
});

test('refuses to send a whole webhook request to the service, and says what to send instead', async () => {
	lab.sandbox.clearRequests();
	await lab.client.activate(workflows.wholeRequest.id);
	const ofN8n = { client: lab.client, server: lab.n8n.server };
	const { status, error } = await runByWebhook(ofN8n, workflows.wholeRequest);
	expect(status).toBe('error');
	expect(error?.message).toMatch(/^A whole webhook request would be sent/);
	expect(error?.description).toContain('{{ $json.body.domain }}');
	expect(lab.sandbox.requests).toEqual([]);
});

test.each(['stopped', 'outOfTime'] as const)(
	'reports all sent calls of an execution that ends early (%s), including calls in flight',
	async (name) => {
		// The service responds to two of the first four calls. The other two are in flight when the execution ends.
		lab.sandbox.addFault({ path: '/v2/enrich', skip: 2, times: 9, delayMs: 20_000 });
		const { id } = workflows[name];
		const started = await lab.client.startWorkflow(id, startName);
		await waitUntil('four calls', () => lab.sandbox.requests.length === 4, 60_000);
		if (name === 'stopped') await lab.client.request('POST', `/executions/${started}/stop`);
		const calls = async () => await callsOf({ id: started }).catch(() => undefined);
		await waitUntil('the count', async () => (await calls()) === '4', 60_000);
		const { status, runs } = await lab.client.waitForExecution(started);
		expect(status).toBe('canceled');
		expect(lab.sandbox.requests).toHaveLength(4);
		// If a user stops an execution, n8n keeps no output of the node. Only the number of calls can be checked.
		if (name === 'stopped') return;
		const execution = { id: started, status, mode: 'manual', runs };
		expect(domainsOf(fieldsOf(execution))).toEqual(domainsOf(companiesNamed('slow', 2)));
		expect(hintOf(execution, node)).toContain(
			'Sent 4 calls (may be billed), 2 of them without a response so far. 8 items were not sent, because the execution was stopped.',
		);
	},
);

test('detects with the nodes of docs/reliability.md that the maximum number of results per day is reached', async () => {
	const execution = await lab.succeed(workflows.limit);
	expect(fieldsOf(execution, 'If', 0)).toEqual([]);
	expect(fieldsOf(execution, 'If', 1)).toHaveLength(1);
});

test(
	'pays twice only for the most recent calls if n8n is killed during 500 calls',
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
		await lab.n8n.startAgain({ N8N_DATA_TABLES_MAX_SIZE_BYTES: String(maxBytes) });
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
		// Only two kinds of calls can be sent again: calls in flight, and calls whose response arrived in the last
		// second before the kill.
		const oldest = Math.max(...twice.map(({ at }) => killedAt - latencyMs - at));
		expect(oldest, 'ms before the kill, of the oldest answer that was lost').toBeLessThan(1_000);
	},
);

test("returns all results and shows a hint if n8n's data tables are full", async () => {
	const route = await routeOfDataTables(lab.client);
	const columns = [{ name: 'text', type: 'string' }];
	const other = await lab.client.request<{ id: string }>('POST', route, { name: 'other', columns });
	await lab.client.request('POST', `${route}/${other.id}/insert`, {
		data: [{ text: 'x'.repeat(maxBytes) }],
	});
	const execution = await lab.succeed(workflows.full);
	expect(fieldsOf(execution)).toHaveLength(5);
	expect(hintOf(execution, node)).toMatch(
		/5 results not kept: n8n could not write to its data table .* \(.*Data table size limit exceeded/,
	);
	// Results that were stored before the tables became full are still used.
	lab.sandbox.clearRequests();
	await lab.succeed(workflows.second);
	expect(lab.sandbox.requests).toEqual([]);
});
