/** Tests a workflow with Get Changes and Confirm Changes. n8n's data tables are simulated in memory. */
import type { INode } from 'n8n-workflow';
import { beforeEach, expect, test } from 'vitest';
import { idsHeld } from '../../../n8n/service.mts';
import { TableInMemory } from '../../../unit/WorkspaceData/sync/n8n.mts';
import {
	CREDENTIAL_TYPE,
	NODE_TYPE,
	nodeOf,
	runWorkflow,
	START_NODE_TYPE,
	type WorkflowOptions,
} from '../../harness/harness.mts';
import { useSandbox, type WorkflowRun } from '../../harness/support.mts';

const bench = useSandbox({ companies: 60, orders: 40, items: 5, deals: 5 });
const everyType = {
	objectType: '={{ $json.type }}',
	options: { pagination: { values: { pageSize: 100 } } },
};
const path = '/v2/public/records/query';

let tables: TableInMemory;
beforeEach(() => {
	tables = new TableInMemory();
});

interface Settings extends Pick<WorkflowOptions, 'startItems'> {
	/** Settings of the node Get Changes. */
	node?: Partial<INode>;
	apiKey?: string;
	/** More nodes with the operation Get Changes, without connections. */
	extraNodes?: Array<Pick<INode, 'id' | 'name'>>;
}

/** Runs a workflow that reads changes and confirms them. */
async function runSync(
	parameters: object,
	{ node: settings, apiKey, extraNodes = [], startItems }: Settings = {},
): Promise<WorkflowRun> {
	const credentials = { [CREDENTIAL_TYPE]: { id: 'one', name: 'Credential' } };
	const node = (name: string, more: Partial<INode> = {}): INode =>
		nodeOf(name, NODE_TYPE, { credentials, ...more });
	const to = (name: string) => ({ main: [[{ node: name, type: 'main' as const, index: 0 }]] });
	const getChanges = { resource: 'sync', operation: 'getChanges', ...parameters };
	return await runWorkflow({
		nodes: [
			nodeOf('Start', START_NODE_TYPE),
			node('Get Changes', { parameters: getChanges, ...settings }),
			...extraNodes.map((one) => node(one.name, one)),
			node('Confirm Changes', { parameters: { resource: 'sync', operation: 'confirm' } }),
		],
		connections: { Start: to('Get Changes'), 'Get Changes': to('Confirm Changes') },
		startNode: 'Start',
		startItems,
		credentials: { one: bench.v2(apiKey) },
		dataTables: tables,
		mode: 'trigger',
	});
}

/** Returns the ids of the records from the last attempt of Get Changes. */
const cameIn = (run: WorkflowRun): string[] =>
	(run.nodes['Get Changes']?.at(-1)?.outputs[0] ?? []).map(({ json }) => String(json.id));

const hintsOf = (run: WorkflowRun, name: string): string[] =>
	(run.nodes[name]?.at(-1)?.hints ?? []).map(({ message }) => message);

const startItems = [{ type: 'company' }, { type: 'order' }];
const retryOnFail: Partial<INode> = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };

test('returns the changes of both syncs in the second attempt if one of them failed in the first attempt', async () => {
	// One request returns all companies. The first request for orders fails.
	bench.sandbox.addFault({ path, status: 404, skip: 1 });
	const run = await runSync(everyType, { startItems, node: retryOnFail });
	expect(run.status).toBe('success');
	const all = [...idsHeld(bench.sandbox), ...idsHeld(bench.sandbox, 'order')];
	expect(cameIn(run).toSorted()).toEqual(all.toSorted());
	const hints = hintsOf(run, 'Get Changes');
	expect(hints.filter((hint) => !hint.startsWith('Starting '))).toEqual([
		expect.stringContaining('external_number'),
	]);
	expect(hintsOf(run, 'Confirm Changes')).toEqual([expect.stringContaining('Confirmed 100')]);
	const next = await runSync(everyType, { startItems });
	expect(cameIn(next)).toEqual([]);
	expect(next.nodes['Confirm Changes']).toBeUndefined();
});

test('fails if two input items belong to one sync, because both would start at the same checkpoint', async () => {
	const run = await runSync(everyType, { startItems: Array(2).fill(startItems[0]) });
	expect(run.nodes['Get Changes'][0].error?.message).toMatch(
		/^Give each input item its own 'Sync Name'/,
	);
});

test('reports in one hint and one log line that Limit has left changes for the next run', async () => {
	const limited = (maxRecords: number) => ({ ...everyType, options: { maxRecords } });
	const waiting =
		"There are more changes. The next run returns them. To return more at once, raise 'Limit'.";
	for (const [maxRecords, expected] of [
		[10, [waiting]],
		// This run returns all remaining changes, so it must show no hint.
		[50, []],
	] as const) {
		const run = await runSync(limited(maxRecords), { startItems });
		const said = hintsOf(run, 'Get Changes').filter((hint) => hint.startsWith('There are more'));
		expect(said).toEqual(expected);
		const logged = run.logs.filter(({ message }) => message.includes('more changes'));
		expect(logged).toEqual(
			expected.map((message) => ({ level: 'warn', message: `Workspace Data: ${message}` })),
		);
	}
});

test('fails if two Get Changes nodes have the same node ID, unless Sync Name is set', async () => {
	const sameId = { node: { id: 'one' }, extraNodes: [{ id: 'one', name: 'Get Changes1' }] };
	const run = await runSync({ objectType: 'order' }, sameId);
	const [{ error }] = run.nodes['Get Changes'];
	expect(error?.message).toBe('The nodes "Get Changes" and "Get Changes1" have the same ID');
	const named = { objectType: 'order', options: { syncName: 'a' } };
	expect(cameIn(await runSync(named, sameId))).toHaveLength(40);
});
