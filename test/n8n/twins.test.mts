/** Two nodes of one ID, as old versions of n8n made them when a node was copied: n8n's API lets them in. */
import { expect, test } from 'vitest';
import { useLab } from './lab.mts';
import { getChanges } from './sync-workflows.mts';
import { chain, manualTrigger, pollingTrigger, type RunnableWorkflow } from './workflows.mts';

const lab = useLab({ name: 'twins', sandbox: { companies: 3 } });

/** Stores a workflow whose last two nodes have the same ID. */
async function store(workflow: RunnableWorkflow): Promise<string> {
	const [one, other] = workflow.nodes.slice(-2);
	Object.assign(other, { id: (one as { id?: string }).id });
	const { id } = await lab.client.request<{ id: string }>('POST', '/workflows', workflow);
	return id;
}

test('two Get Changes of one ID are refused before anything is read', async () => {
	const nodes = [manualTrigger(), getChanges(), { ...getChanges(), name: 'Copy' }];
	const { error } = await lab.run({ id: await store(chain('Twins', nodes)) });
	expect(error?.message).toContain('have the same ID');
	expect(lab.sandbox.requests).toEqual([]);
});

test('two triggers of one ID are refused when the workflow is published', async () => {
	const nodes = [pollingTrigger(), { ...pollingTrigger(), name: 'Copy' }];
	const id = await store(chain('Twin triggers', nodes));
	await expect(lab.client.activate(id)).rejects.toThrow('have the same ID');
});
