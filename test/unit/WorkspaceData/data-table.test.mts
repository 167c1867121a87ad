import { expect, it } from 'vitest';

import { adviceOnTable } from '../../../nodes/WorkspaceData/data-table.ts';

it.each([
	[
		'Attempted to use Data table node but the module is disabled',
		/^Remove data-table from N8N_DIS/,
	],
	[
		'Node type "Data table" is blocked by a policy.',
		/^Ask the administrator .* allow the Data Table/,
	],
	['Unrecognized node type: n8n-nodes-base.dataTable', /^Ask the administrator .* NODES_EXCLUDE/],
	[
		'Data table size limit exceeded: 200MB used, limit is 200MB',
		/^Raise N8N_DATA_TABLES_MAX_SIZE_BYTES on the n8n server, delete rows/,
	],
	['Could not find the data table', /^Look at the data table "Kept" .* Older versions of n8n/],
])('who has no data table is told what to do first, and what works without: %s', (said, advice) => {
	const told = adviceOnTable('Kept', new Error(said), 'remove the option');
	expect(told).toMatch(advice);
	expect(told).toContain(', or remove the option. ');
	expect(told).toContain(`n8n says: ${said.replace(/\.$/, '')}.`);
	// A person whose administrator has forbidden it would update n8n in vain.
	expect(told.includes('Older versions')).toBe(/find/.test(said));
});
