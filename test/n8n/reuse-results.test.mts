/** Reuse Results in a real n8n: over several executions, after a kill, and where n8n's data tables are full. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { useOwnN8n } from './lab.mts';
import { itemsOf } from './rest.mts';
import type { Execution } from './rest.mts';
import { hintOf } from './sync-workflows.mts';
import { chain, dataNode, items, manualTrigger, startName } from './workflows.mts';
import type { RunnableWorkflow } from './workflows.mts';

const table = 'workspace_data_results';
const node = 'Workspace Data';
/** Bytes of all data tables together: some thousand results. */
const mostBytes = 5_000_000;

const companies = (name: string, from: number, to: number) =>
	Array.from({ length: to - from }, (_, index) => ({
		domain: `${name}-${String(from + index).padStart(3, '0')}.example`,
	}));

function enrich(
	name: string,
	input: Array<{ domain: string }>,
	options: Record<string, unknown> = {},
): RunnableWorkflow {
	const parameters = { resource: 'company', operation: 'enrich', dataToSend: 'autoMapInputData' };
	return chain(name, [
		manualTrigger(),
		items(input),
		dataNode({ ...parameters, options: { reuseResultsFor: 30, ...options } }),
	]);
}

const killed = companies('killed', 0, 500);
const workflows = {
	first: enrich('First', companies('company', 0, 20)),
	second: enrich('Second', companies('company', 10, 30)),
	preview: enrich('Preview', companies('company', 10, 35), { previewOnly: true }),
	expired: enrich('Expired', companies('expired', 0, 5)),
	killed: enrich('Killed', killed, { maxConcurrent: 10 }),
	full: enrich('Full', companies('full', 0, 5)),
};

const lab = useOwnN8n({
	name: 'reuse-results',
	sandbox: { companies: 1 },
	workflows: () => Object.values(workflows),
});

const domainsOf = (bodies: unknown[]) =>
	bodies.map((body) => (body as { domain: string }).domain).toSorted();
const output = (execution: Execution) => itemsOf(execution, node).map(({ json }) => json);

/** A data table of the owner's project. */
interface Table {
	route: string;
	name: string;
}

async function routeOfTables(): Promise<string> {
	const [{ id }] = await lab.client.request<[{ id: string }]>('GET', '/projects/my-projects');
	return `/projects/${id}/data-tables`;
}

async function tables(): Promise<Table[]> {
	const route = await routeOfTables();
	const { data } = await lab.client.request<{ data: Array<{ id: string; name: string }> }>(
		'GET',
		route,
	);
	return data.map(({ id, name }) => ({ route: `${route}/${id}`, name }));
}

async function routeOf(name: string): Promise<string> {
	const found = (await tables()).find((one) => one.name === name);
	if (found === undefined) throw new Error(`no data table ${name}`);
	return found.route;
}

async function rows(): Promise<Array<{ id: number; key: string; answer: string }>> {
	const route = `${await routeOf(table)}/rows?take=1000`;
	return (await lab.client.request<{ data: never[] }>('GET', route)).data;
}

test('20 calls; then, of 20 items of which 10 are new, 10 calls; then none', async () => {
	const first = await lab.succeed(workflows.first);
	expect(domainsOf(lab.sandbox.calls.enrich)).toEqual(domainsOf(companies('company', 0, 20)));
	expect((await tables()).map(({ name }) => name)).toEqual([table]);

	lab.sandbox.clearRequests();
	const second = await lab.succeed(workflows.second);
	expect(domainsOf(lab.sandbox.calls.enrich)).toEqual(domainsOf(companies('company', 20, 30)));
	expect(output(second).slice(0, 10)).toEqual(output(first).slice(10));
	expect(output(second).map(({ domain }) => domain)).toEqual(
		companies('company', 10, 30).map(({ domain }) => domain),
	);
	expect(hintOf(second, node)).toContain(
		'Sent 10 calls (may be billed). 10 items used a kept result.',
	);

	lab.sandbox.clearRequests();
	expect(output(await lab.succeed(workflows.preview))).toMatchObject([
		{ uniqueRequests: 25, keptResults: 20, wouldBeSent: 5 },
	]);
	expect(output(await lab.succeed(workflows.second))).toEqual(output(second));
	expect(lab.sandbox.requests).toEqual([]);
	// The small workflows that reach the data table are no executions that anybody sees.
	expect(await lab.client.listExecutions(workflows.second.id)).toHaveLength(2);
	expect(await rows()).toHaveLength(30);
});

test('what has expired is paid for again, and removed', async () => {
	await lab.succeed(workflows.expired);
	const newest = (await rows()).slice(-5).map(({ key }) => key);
	for (const key of newest) {
		await lab.client.request('PATCH', `${await routeOf(table)}/rows`, {
			filter: { type: 'and', filters: [{ columnName: 'key', condition: 'eq', value: key }] },
			data: { expires: new Date(Date.now() - 1_000).toISOString() },
		});
	}
	lab.sandbox.clearRequests();
	await lab.succeed(workflows.expired);
	expect(lab.sandbox.calls.enrich).toHaveLength(5);
	const kept = await rows();
	expect(kept).toHaveLength(35);
	expect(new Set(kept.map(({ key }) => key)).size).toBe(35);
});

test(
	'n8n is killed in the middle of 500 calls: started again, what was under way is paid for twice',
	{ timeout: 300_000 },
	async () => {
		const latencyMs = 100;
		lab.sandbox.setLatency(latencyMs);
		await lab.client.startWorkflow(workflows.killed.id, startName);
		while (lab.sandbox.requests.length < 250) await wait(10);
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
		expect(output(execution).map(({ domain }) => domain)).toEqual(
			killed.map(({ domain }) => domain),
		);
		const again = domainsOf(lab.sandbox.calls.enrich);
		const twice = before.filter(({ domain = '' }) => again.includes(domain));
		const inFlight = before.filter(({ at }) => at > killedAt - latencyMs).length;
		console.log(
			`killed after ${before.length} of ${killed.length} calls, ${inFlight} of them not answered; ${twice.length} were sent twice`,
		);
		expect(before.length).toBeLessThan(400);
		expect(again).toHaveLength(killed.length - before.length + twice.length);
		// Those that were not answered, and those whose answers came in the second before the kill.
		const oldest = Math.max(...twice.map(({ at }) => killedAt - latencyMs - at));
		expect(oldest).toBeLessThan(1_000);
	},
);

test('n8n takes no more rows: all results come out, and a hint says that they are not kept', async () => {
	const route = await routeOfTables();
	const columns = [{ name: 'text', type: 'string' }];
	const other = await lab.client.request<{ id: string }>('POST', route, { name: 'other', columns });
	await lab.client.request('POST', `${route}/${other.id}/insert`, {
		data: [{ text: 'x'.repeat(mostBytes) }],
	});
	const execution = await lab.succeed(workflows.full);
	expect(output(execution)).toHaveLength(5);
	expect(hintOf(execution, node)).toMatch(
		/5 results not kept: n8n could not write to its data table .* \(.*Data table size limit exceeded/,
	);
	// What is kept is used all the same.
	lab.sandbox.clearRequests();
	await lab.succeed(workflows.second);
	expect(lab.sandbox.requests).toEqual([]);
});
