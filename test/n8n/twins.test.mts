/** Two nodes of one ID, as old versions of n8n made them when a node was copied. */
import { expect, test } from 'vitest';
import { useLab } from './lab.mts';
import { getChanges } from './sync-workflows.mts';
import { chain, manualTrigger } from './workflows.mts';

const lab = useLab({ name: 'twins', sandbox: { companies: 1 } });

test('n8n itself refuses to store two nodes of one ID, so only what it has stored before holds them', async () => {
	const twin = { ...getChanges(), id: 'the-same' };
	const workflow = chain('Twins', [manualTrigger(), twin, { ...twin, name: 'Copy' }]);
	const stored = lab.client.request('POST', '/workflows', workflow);
	await expect(stored).rejects.toThrow('duplicate_node_id');
});
