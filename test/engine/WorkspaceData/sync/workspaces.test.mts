/**
 * Tests a Get Changes node that reads two workspaces in a loop, because the API key in its credential is an expression.
 */
import { beforeEach, expect, test } from 'vitest';
import { sandboxCredentials } from '../../../sandbox/server.mts';
import { TableInMemory } from '../../../unit/WorkspaceData/sync/n8n.mts';
import { runWorkflow } from '../../harness/harness.mts';
import { useSandbox } from '../../harness/support.mts';
import { ofSync, standInTypes, workflowOf } from './wirings.mts';

const bench = useSandbox({ companies: 6 });
const keys = [sandboxCredentials.v2Full, sandboxCredentials.v2OtherWorkspace];

let dataTables: TableInMemory;
beforeEach(() => {
	dataTables = new TableInMemory();
});

/**
 * Runs a loop that reads and confirms the changes of two workspaces. Returns the number of changes in each round, and
 * the error that ended the loop.
 */
async function readBoth(options: object = {}) {
	const get = ofSync('getChanges', { objectType: 'company', options });
	const { error, nodes } = await runWorkflow({
		// Without Always Output Data, the loop would end at a workspace without changes.
		...workflowOf('Start > Loop:1 > Get > Confirm > Loop', { ...get, alwaysOutputData: true }),
		...{ startNode: 'Start', mode: 'trigger', dataTables, extraNodeTypes: standInTypes },
		startItems: keys.map((key, index) => ({ key, tenant: `tenant ${index}` })),
		credentials: { one: { ...bench.v2(), apiKey: '={{ $json.key }}' } },
	});
	const came = nodes.Get.map(({ outputs: [items = []] }) =>
		items.filter(({ json }) => json.id !== undefined),
	);
	return { counts: came.map(({ length }) => length), error };
}

test('fails if one sync reads two workspaces, advises to set Sync Name, and keeps the first checkpoint', async () => {
	const first = await readBoth();
	expect(first.counts).toEqual([6, 0]);
	expect(first.error?.message).toMatch(/^This sync belongs to another credential/);
	expect(first.error?.description).toContain('Sync Name');
	for (const key of keys) expect(JSON.stringify(first.error)).not.toContain(key);
	bench.sandbox.create('company', 3);
	expect((await readBoth()).counts).toEqual([3, 0]);
});

test('returns all changes of two workspaces if Sync Name is an expression that differs for each workspace', async () => {
	const options = { syncName: '={{ $json.tenant }}' };
	const { sandbox } = bench;
	const all = [sandbox.count('company'), sandbox.otherWorkspace.count('company')];
	expect(await readBoth(options)).toEqual({ counts: all, error: undefined });
	sandbox.create('company', 2);
	sandbox.otherWorkspace.create('company', 1);
	expect(await readBoth(options)).toEqual({ counts: [2, 1], error: undefined });
});
