/** What finds nothing ends Loop Over Items, green, as n8n has it: a hint says so. */
import type { INode } from 'n8n-workflow';
import { expect, test } from 'vitest';
import { TableInMemory } from '../../unit/WorkspaceData/sync/n8n.mts';
import { runWorkflow } from '../harness/harness.mts';
import { hintsOf, useSandbox } from '../harness/support.mts';
import { ofSync, standInTypes, workflowOf } from './sync/wirings.mts';

const bench = useSandbox({ companies: 3 });
const told = /Nothing came out.* later round.* turn on Always Output Data in Settings/;

const operations = {
	Prospect: { resource: 'company', operation: 'prospect', dataToSend: 'autoMapInputData' },
	'Get Many': { resource: 'company', operation: 'getAll', returnAll: true },
	Query: { resource: 'record', operation: 'query', objectType: 'company', returnAll: true },
	'Get Changes': { resource: 'sync', operation: 'getChanges', objectType: 'company' },
};

/** How often the operation ran for two items, and the hints of its last run. */
async function run(
	operation: keyof typeof operations,
	{ lines = 'Start > Loop:1 > Get > Loop', ...more }: Partial<INode> & { lines?: string } = {},
) {
	const empty = { success: true, data: { items: [] }, meta: { pagination: { total: 0 } } };
	bench.sandbox.addFault({ status: 200, body: empty, times: Infinity });
	const get = { ...ofSync('', {}), parameters: operations[operation], ...more };
	const { status, nodes } = await runWorkflow({
		...workflowOf(lines, get),
		...{ startNode: 'Start', startItems: [{ domain: 'a.example' }, { domain: 'b.example' }] },
		credentials: { one: bench.v2() },
		extraNodeTypes: standInTypes,
		dataTables: new TableInMemory(),
	});
	expect(status).toBe('success');
	return { rounds: nodes.Get?.length, hints: nodes.Get.flatMap(hintsOf).join() };
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
