import { expect, it } from 'vitest';

import { jsonOf, useSandbox } from '../../harness/support.mts';

const bench = useSandbox({ companies: 450 });
const path = '/v2/public/companies';
const options = {
	pagination: { values: { pageSize: 100 } },
	requests: { values: { retryFor: 0 } },
};
const list = { resource: 'company', operation: 'getAll', returnAll: true, options };
const sync = {
	...{ resource: 'sync', operation: 'getChanges', progress: 'given' },
	...{ checkpoint: '', options: { ...options, maxRecords: 250 } },
};

type Found = Record<string, unknown>;

/**
 * Returns every object in a value that contains a cursor to continue from. Also searches texts that contain a JSON
 * object.
 */
function holdersOfCursors(value: unknown): Found[] {
	if (typeof value === 'string' && value.startsWith('{'))
		return holdersOfCursors(JSON.parse(value));
	if (typeof value !== 'object' || value === null) return [];
	const { cursor, nextCursor = cursor, next_cursor = nextCursor } = value as Found;
	const inside = Object.values(value).flatMap(holdersOfCursors);
	return typeof next_cursor === 'string' ? [value as Found, ...inside] : inside;
}

it.each([
	['pages', { ...list, outputAs: 'pages' }],
	['CSV files', { ...list, outputAs: 'csv', options: { ...options, recordsPerFile: 100 } }],
	['NDJSON files', { ...list, outputAs: 'ndjson', options: { ...options, recordsPerFile: 100 } }],
	['the details of an error', { ...list, outputAs: 'items' }],
	['the checkpoint of a batch', { ...sync, outputAs: 'batch' }],
	['the checkpoint of a file', { ...sync, outputAs: 'ndjson' }],
])('returns the page size next to each cursor in %s', async (_where, parameters) => {
	const isError = parameters.outputAs === 'items';
	if (isError) bench.sandbox.addFault({ path, skip: 2, status: 500, times: Infinity });
	const run = await bench.run(parameters, { onError: 'continueRegularOutput' });
	const found = holdersOfCursors(jsonOf(run));
	expect(found).not.toEqual([]);
	for (const holder of found) expect(holder).toMatchObject({ pageSize: 100 });
	for (const holder of found) expect(Object.keys(holder)).not.toContain('limit');
});
