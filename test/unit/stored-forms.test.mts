/**
 * Tests that later releases can read the data that users have stored. stored-forms.json contains such data as the first
 * release writes it. If a later release changed a stored name, digest or key, triggers would stop, syncs would start
 * over, or users would pay again for stored results.
 */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { execute } from '../../nodes/WorkspaceData/execute.ts';
import { runPoll } from '../../nodes/WorkspaceDataTrigger/run-poll.ts';
import { startExecution, TableInMemory } from './WorkspaceData/sync/n8n.mts';
import stored from './stored-forms.json' with { type: 'json' };

const credential = {
	...{ baseUrl: 'https://api.example.com', apiVersion: 'v2', apiKey: 'fake-key-0123456789' },
	sameForAllItems: true,
};
const changes = { objectType: 'company', event: 'recordUpdated', startFrom: 'beginning' };
const getChanges = { ...changes, resource: 'sync', operation: 'getChanges' };

/** Records of the simulated service. Only the last record is newer than the data in stored-forms.json. */
const records = [1, 2, 3, 4, 5, 6, 7, 8].map((day) => ({
	id: `r-${day}`,
	updated_at: `2026-11-0${day}T08:00:00.000Z`,
}));

/**
 * Prepares a node with these parameters. Returns its n8n context, a function that runs the node, and what the run
 * changes: the sent requests, the data table, the custom data and the warnings.
 */
function start(
	parameters: Record<string, unknown>,
	{ table = new TableInMemory(), flow = {}, held = {}, data = credential as object } = {},
) {
	const { context } = startExecution(table, { id: '2', nodeId: 'node-1', flow });
	const sent: Array<{ method: string; url: string; cursor?: string }> = [];
	const custom = new Map(Object.entries(stored.execution.customData));
	const warnings: string[] = [];
	const send = async (_type: string, { method = '', url = '', body = '{}' }) => {
		const { cursor } = JSON.parse(body) as { cursor?: string };
		sent.push({ method, url, cursor });
		const from = Number(cursor?.replace('after-', '') ?? 0);
		const next_cursor = from + 2 < records.length ? `after-${from + 2}` : undefined;
		const pagination = { page_size: 2, total: records.length, next_cursor };
		const data = url.endsWith('/enrich') ? {} : { items: records.slice(from, from + 2) };
		const response = JSON.stringify({ success: true, data, meta: { pagination } });
		return { statusCode: 200, headers: {}, body: response };
	};
	const name = parameters.operation === 'confirm' ? 'Confirm Changes' : 'Get Changes';
	Object.assign(context, {
		getNode: () => ({
			...{ id: 'node-1', name, type: 'workspaceData', parameters },
			credentials: { workspaceDataApi: { id: 'credential-1' } },
		}),
		getWorkflow: () => ({ id: 'workflow-1' }),
		getWorkflowStaticData: () => held,
		getNodeParameter: (name: string, ...given: unknown[]) => parameters[name] ?? given.at(-1),
		getCredentials: async () => data,
		getExecuteData: () => ({}),
		customData: custom,
		logger: { info: () => undefined, warn: (message: string) => warnings.push(message) },
		helpers: { ...context.helpers, httpRequestWithAuthentication: send },
	});
	const run = async () => {
		const [items = []] = await execute.call(context);
		return items.map(({ json }) => json);
	};
	return { context, run, sent, table, custom, warnings };
}

// Set the clock to a fixed time, because stored-forms.json contains dates.
beforeEach(
	() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-12-01T08:00:00Z') }),
);
afterEach(() => void vi.useRealTimers());

it('continues a trigger from the static data that the first release of this package stored', async () => {
	const { context, sent, warnings } = start(changes, { held: structuredClone(stored.trigger) });
	const [items = []] = (await runPoll(context as never)) ?? [];
	expect(items.map(({ json }) => json)).toEqual([records.at(-1)]);
	expect(sent[0]).toMatchObject({ cursor: 'after-4' });
	expect(warnings).toEqual([]);
});

it.each(stored.sync)(
	'continues a sync from a data table row that the first release stored ($of)',
	async ({ options, row }) => {
		const table = new TableInMemory();
		table.insert('workspace_data_sync', [row]);
		const { run, sent, warnings } = start({ ...getChanges, options }, { table });
		expect(await run()).toEqual([records.at(-1)]);
		expect(sent[0]).toMatchObject({ cursor: 'after-4' });
		expect(warnings).toEqual([]);
	},
);

it('continues a sync from a checkpoint that the first release returned and the user stored', async () => {
	const own = { progress: 'given', outputAs: 'batch', checkpoint: stored.checkpoint };
	const { run, sent, warnings } = start({ ...getChanges, ...own });
	expect(await run()).toMatchObject([{ records: [records.at(-1)] }]);
	expect(sent[0]).toMatchObject({ cursor: 'after-4' });
	expect(warnings).toEqual([]);
});

it.each(stored.keptResults)('reuses a result that the first release stored: $of', async (kept) => {
	const { row, sameForAllItems, options } = kept;
	const table = new TableInMemory();
	table.insert('workspace_data_results', [row]);
	const call = { resource: 'company', operation: 'enrich', dataToSend: 'json' };
	const jsonBody = '{"domain":"acme.example"}';
	const data = { ...credential, sameForAllItems };
	const { run, sent } = start(
		{ ...call, jsonBody, options: { cache: { values: {} }, ...options } },
		{ table, data },
	);
	expect(await run()).toEqual([{ domain: 'acme.example', employees: 12 }]);
	expect(sent).toEqual([]);
});

it('confirms changes and continues to count calls in an execution that the first release began', async () => {
	const table = new TableInMemory();
	const [{ row }] = stored.sync;
	table.insert('workspace_data_sync', [{ ...row, reader: '1' }]);
	const flow = structuredClone(stored.execution.flow);
	const { run } = start({ resource: 'sync', operation: 'confirm' }, { table, flow });
	await run();
	const [{ toConfirm }] = Object.values(stored.execution.flow.workspaceDataSyncs);
	expect(table.tables.get('workspace_data_sync')).toMatchObject([
		{ key: row.key, committed: toConfirm.reached, reader: '' },
	]);
	const enrich = {
		resource: 'company',
		operation: 'enrich',
		dataToSend: 'json',
		jsonBody: '{"a":1}',
	};
	const { run: call, custom } = start(enrich);
	await call();
	expect(custom.get('workspaceDataCalls')).toBe('6');
});
