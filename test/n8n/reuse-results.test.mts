/** Reuse Results in a real n8n: over several executions, and after a kill. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { dataTables, keptResults } from './data-tables.mts';
import { useOwnN8n } from './lab.mts';
import { waitUntil } from './poll.mts';
import { fieldsOf } from './rest.mts';
import { companiesNamed, domainsOf } from './service.mts';
import { hintOf } from './sync-workflows.mts';
import { chain, enrichNode, items, manualTrigger, n8nNode, startName } from './workflows.mts';

const enrich = (input: Array<{ domain: string }>, options: Record<string, unknown> = {}) =>
	chain('Enrich', [manualTrigger(), items(input), enrichNode({ reuseResultsFor: 30, ...options })]);

/** As docs/reliability.md shows it. */
const resultsOfToday = n8nNode(
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
const killed = companiesNamed('killed', 500);
const workflows = {
	first: enrich(companiesNamed('company', 20)),
	second: enrich(companiesNamed('company', 20, 10)),
	preview: enrich(companiesNamed('company', 25, 10), { previewOnly: true }),
	killed: enrich(killed, { maxConcurrent: 10 }),
	limit: chain('A limit per day', [manualTrigger(), resultsOfToday]),
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
	expect(hintOf(second, 'Workspace Data')).toContain(
		'Sent 10 calls (may be billed). 10 items used a kept result.',
	);

	lab.sandbox.clearRequests();
	expect(fieldsOf(await lab.succeed(workflows.preview))).toMatchObject([
		{ uniqueRequests: 25, keptResults: 20, wouldBeSent: 5 },
	]);
	expect(fieldsOf(await lab.succeed(workflows.second))).toEqual(fieldsOf(second));
	expect(lab.sandbox.requests).toEqual([]);
	// The small workflows that reach the data table are no executions that anybody sees.
	const executions = await lab.client.listExecutions(workflows.second.id);
	expect(executions).toHaveLength(2);
	const route = `/executions/${executions[1]}`;
	const spent = { customData: { workspaceDataCalls: '10' } };
	expect(await lab.client.request('GET', route)).toMatchObject(spent);
	expect(await keptResults(lab.client)).toHaveLength(30);
	expect(await dataTables(lab.client)).toHaveLength(1);
});

test('the results of a day can be counted up to a limit, as docs/reliability.md says', async () => {
	const execution = await lab.succeed(workflows.limit);
	expect(fieldsOf(execution, resultsOfToday.name)).toHaveLength(2);
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
		await lab.n8n.startAgain();
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
