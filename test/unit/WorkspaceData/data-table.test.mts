import { expect, it } from 'vitest';

import { adviceOnTable } from '../../../nodes/WorkspaceData/data-table.ts';

it.each([
	[
		'Attempted to use Data table node but the module is disabled',
		/^Remove data-table from N8N_DIS/,
	],
	[
		'Data table size limit exceeded: 200MB used, limit is 200MB',
		/^Raise N8N_DATA_TABLES_MAX_SIZE_BYTES on the n8n server, delete rows/,
	],
	[
		"Could not find the data table: 'aB3'",
		/^Run the workflow again, which creates a new data table, or .* deleted during this run/,
	],
	[
		'The Data Table node is blocked by a policy',
		/^Look at the data table Kept .* In n8n 2\.0 and older versions.* administrator/,
	],
])('suggests a fix, or a way without data tables, for the n8n error: %s', (said, advice) => {
	const told = adviceOnTable('Kept', new Error(said), 'remove the option');
	expect(told).toMatch(advice);
	expect(told).toContain(', or remove the option. ');
	expect(told).toContain(`n8n says: "${said}".`);
});
