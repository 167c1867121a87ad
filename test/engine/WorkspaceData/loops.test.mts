/**
 * Tests the nodes inside Loop Over Items. If an operation returns no items, the loop ends without an error, so the node
 * shows a hint. Files of different rounds must have different names.
 */
import type { INode } from 'n8n-workflow';
import { expect, test } from 'vitest';
import { TableInMemory } from '../../unit/WorkspaceData/sync/n8n.mts';
import { runWorkflow } from '../harness/harness.mts';
import { hintsOf, useSandbox } from '../harness/support.mts';
import { ofSync, standInTypes, workflowOf } from './sync/wirings.mts';

const bench = useSandbox({ companies: 3 });
const told =
	/The node returned no items.* a loop ends here.* turn on Always Output Data in Settings/;

const operations = {
	Prospect: { resource: 'company', operation: 'prospect', dataToSend: 'autoMapInputData' },
	'Get Many': { resource: 'company', operation: 'getAll', returnAll: true },
	Query: { resource: 'record', operation: 'query', objectType: 'company', returnAll: true },
	'Get Changes': { resource: 'sync', operation: 'getChanges', objectType: 'company' },
};

/** Runs a workflow with two items. Returns the executions of the node with these parameters. */
async function runsOf(
	parameters: INode['parameters'],
	{ lines = 'Start > Loop:1 > Get > Loop', ...more }: Partial<INode> & { lines?: string } = {},
) {
	const get = { ...ofSync('', {}), parameters, ...more };
	const { status, nodes } = await runWorkflow({
		...workflowOf(lines, get),
		...{ startNode: 'Start', startItems: [{ domain: 'a.example' }, { domain: 'b.example' }] },
		credentials: { one: bench.v2() },
		extraNodeTypes: standInTypes,
		dataTables: new TableInMemory(),
	});
	expect(status).toBe('success');
	return nodes.Get;
}

/** Runs an operation that finds nothing. Returns how often the node ran, and the texts of its hints. */
async function run(operation: keyof typeof operations, more: Parameters<typeof runsOf>[1] = {}) {
	const empty = { success: true, data: { items: [] }, meta: { pagination: { total: 0 } } };
	bench.sandbox.addFault({ status: 200, body: empty, times: Infinity });
	const runs = await runsOf(operations[operation], more);
	return { rounds: runs.length, hints: runs.flatMap(hintsOf).join() };
}

const names = Object.keys(operations) as Array<keyof typeof operations>;

test.each(names)('shows a hint that a loop ends if %s finds nothing', async (name) => {
	const ended = await run(name);
	expect(ended).toEqual({ rounds: 1, hints: expect.stringMatching(told) });
	const runs = await run(name, { alwaysOutputData: true });
	expect(runs).toEqual({ rounds: 2, hints: expect.not.stringMatching(told) });
});

test.each([
	['not in a loop', 'Start > Get > Work'],
	['before a loop', 'Start > Get > Loop:1 > Work > Loop'],
	// If a loop starts with the node, an empty result is the normal end of the loop.
	['the start of a loop', 'Start > Get > Work > More > Get'],
])('shows no hint about a loop if the node is %s', async (_where, lines) => {
	expect(await run('Query', { lines })).toEqual({
		rounds: 1,
		hints: expect.not.stringMatching(told),
	});
});

test.each([
	[undefined, ['company-0001.csv', 'company-run2-0001.csv']],
	['all.csv', ['all-0001.csv', 'all-run2-0001.csv']],
])('names files differently in each loop round: File Name %s', async (fileName, expected) => {
	const runs = await runsOf({ ...operations.Query, outputAs: 'csv', options: { fileName } });
	expect(runs.flatMap(({ outputs: [files] }) => files.map(({ json }) => json.fileName))).toEqual(
		expected,
	);
});
