/** What finds nothing ends Loop Over Items, green, as n8n has it: a hint says so. And what rounds have beside each other. */
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

/** The runs of a node with these parameters for two items. */
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

/** How often the operation ran, which found nothing, and the hints of its last run. */
async function run(operation: keyof typeof operations, more: Parameters<typeof runsOf>[1] = {}) {
	const empty = { success: true, data: { items: [] }, meta: { pagination: { total: 0 } } };
	bench.sandbox.addFault({ status: 200, body: empty, times: Infinity });
	const runs = await runsOf(operations[operation], more);
	return { rounds: runs.length, hints: runs.flatMap(hintsOf).join() };
}

const names = Object.keys(operations) as Array<keyof typeof operations>;

test.each(names)('%s that finds nothing in a loop says that no later round runs', async (name) => {
	const ended = await run(name);
	expect(ended).toEqual({ rounds: 1, hints: expect.stringMatching(told) });
	const runs = await run(name, { alwaysOutputData: true });
	expect(runs).toEqual({ rounds: 2, hints: expect.not.stringMatching(told) });
});

test.each([
	['where there is no loop', 'Start > Get > Work'],
	['before a loop', 'Start > Get > Loop:1 > Work > Loop'],
	// There it is how the circle ends.
	['where a circle begins with it', 'Start > Get > Work > More > Get'],
])('%s, it says nothing of loops', async (_where, lines) => {
	expect(await run('Query', { lines })).toEqual({
		rounds: 1,
		hints: expect.not.stringMatching(told),
	});
});

test.each([
	[undefined, ['company-0001.csv', 'company-run2-0001.csv']],
	['all.csv', ['all-0001.csv', 'all-run2-0001.csv']],
])('the files of each round have names of their own: File Name %s', async (fileName, expected) => {
	const runs = await runsOf({ ...operations.Query, outputAs: 'csv', options: { fileName } });
	expect(runs.flatMap(({ outputs: [files] }) => files.map(({ json }) => json.fileName))).toEqual(
		expected,
	);
});
