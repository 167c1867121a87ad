import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { USUAL_PAGE_SIZE } from '../../../../nodes/shared/lists/page-size.ts';
import { InputProblem } from '../../../../nodes/shared/errors/node-errors.ts';
import {
	chosenList,
	readListParameters,
	type ListParameters,
} from '../../../../nodes/WorkspaceData/list/list-parameters.ts';
import { panel, problemOf, rowOf, taskOf } from '../parameters-support.mts';

/** Returns the list parameters that the node reads for Get Many from these panel values. */
const read = (values: Record<string, unknown>): ListParameters =>
	readListParameters(taskOf(values, rowOf('company', 'getAll')));
const readQuery = (values: Record<string, unknown>): ListParameters =>
	readListParameters(taskOf(values, rowOf('record', 'query')));

const readOption = (options: Record<string, unknown>): ListParameters => read({ options });

describe('readListParameters', () => {
	it('returns the default limits for retries, waits and timeouts', () => {
		expect(read({}).limits).toEqual({ maxRetries: 6, maxWaitMs: 300_000, timeoutMs: 60_000 });
	});

	it('reads 50 records by cursor by default, with the least recently changed record first, and uses the total', () => {
		const { paging, outputAs, newest, fields, source } = read({});
		expect(paging).toEqual({ mode: 'cursor', limit: 50, sort: 'updated_at', ignoreTotal: false });
		expect([outputAs, newest, fields, source.additional]).toEqual(['items', ...Array(3)]);
	});

	it.each([
		[{ returnAll: true, limit: 'nonsense' }, undefined],
		[{ returnAll: 'true', limit: 7 }, undefined],
		[{ returnAll: 'false', limit: 7 }, 7],
	])('reads the maximum number of records from %j as %j (undefined: all)', (values, limit) => {
		expect(read(values).paging.limit).toBe(limit);
	});

	it.each([
		[
			{ sort: 'created_at', startCursor: ' c1\n', pageSize: '20' },
			{ mode: 'cursor', sort: 'created_at', startCursor: ' c1\n', pageSize: 20 },
		],
		[
			{ page: '3', pageSize: 20, sort: 'created_at', sortKey: ' name ' },
			{ mode: 'page', firstPage: 3, pageSize: 20, sort: 'created_at', sortKey: 'name' },
		],
		[{ ignoreTotal: true }, { mode: 'cursor', ignoreTotal: true }],
		// n8n fills in these default values for options that the user has not set.
		[
			{ sortKey: '', page: 0, pageSize: 0, startCursor: '' },
			{ mode: 'cursor', pageSize: undefined },
		],
		[
			{ page: 1, startCursor: '', ignoreTotal: false },
			{ mode: 'page', pageSize: USUAL_PAGE_SIZE },
		],
	])('reads the paging options %j as %j', (options, paging) => {
		expect(readOption(options).paging).toMatchObject(paging);
	});
});

it('escapes formulas in CSV files by default', () => {
	expect(read({ outputAs: 'csv' }).files).toMatchObject({ escapeFormulas: true });
});

it.each([
	['accepts', 1_048_575, 'excel'],
	['rejects', 1_048_576, 'excel'],
	['rejects', 1_048_576, 'excelDecimalComma'],
	['accepts', 2_000_000, 'comma'],
	['accepts', 2_000_000, 'tab'],
])(
	'limits Records per File to one Excel sheet only for Excel formats: %s %i with %s',
	(verb, recordsPerFile, csvFormat) => {
		const values = { outputAs: 'csv', csvFormat, options: { recordsPerFile } };
		if (verb === 'accepts') expect(read(values).files).toMatchObject({ recordsPerFile });
		else expect(problemOf(() => read(values)).message).toMatch(/'Records per File' .*1,?048,?575/);
	},
);

it('accepts a Page Size that is as large as Records per File', () => {
	const options = { pageSize: 500, recordsPerFile: 500 };
	expect(read({ outputAs: 'csv', options }).paging.pageSize).toBe(500);
});

it.each([
	[{ sort: 'created_at:desc' }, 50, { sort: 'created_at', limit: 50 }],
	[{ sort: 'updated_at:desc', changedAfter: '2026-01-01' }, undefined, { limit: undefined }],
	[{ sort: 'created_at' }, 50, undefined],
])(
	'reads the options %j and the limit %j as the Newest First settings %j (undefined: oldest first)',
	(options, limit, newest) => {
		const chosen = read({ options, returnAll: limit === undefined, limit }).newest;
		if (newest === undefined) expect(chosen).toBeUndefined();
		else expect(chosen).toMatchObject(newest);
	},
);

it.each([null, '', 0])('rejects %j as the Limit that an AI model sets', (limit) => {
	expect(problemOf(() => read({ limit })).message).toContain("'Limit' must be a whole number");
	expect(read({ limit: '7' }).paging.limit).toBe(7);
});

// test/unit/shared/panel/fields-option.test.mts tests the requests that the panel sends for operations that read a
// list.
it.each(['confirm', 'getAll'])(
	'throws an error for the operation sync:%s, which does not read a list',
	(operation) => {
		const chosen = () => chosenList(panel({ resource: 'sync', operation }));
		expect(chosen).toThrow('The operation has no list');
	},
);

describe('the object type of a list', () => {
	const locator = (value: unknown, mode = 'name') => ({ __rl: true, mode, value });

	it.each([' deal ', locator('deal'), locator('deal', 'list')])(
		'reads the object type for Query, but not for Get Many, from the parameter value %j',
		(objectType) => {
			expect(readQuery({ objectType }).source.objectType).toBe('deal');
			expect(read({ objectType }).source.objectType).toBeUndefined();
		},
	);
});

describe('the option Fields', () => {
	it.each([
		{ fields: 'name, domain', kept: ['name', 'domain'] },
		{ fields: ' name ,, id ,name', kept: ['name', 'id'] },
		{ fields: ['name', ' id ', 'address.city'], kept: ['name', 'id', 'address.city'] },
		{ fields: '__proto__', kept: ['__proto__'] },
	])('reads the field names $kept from $fields in the option Fields', ({ fields, kept }) => {
		expect(readOption({ fields }).fields).toEqual(kept);
	});

	it.each(['', ' , ', [], undefined, null])(
		'keeps all fields if the option Fields is %j',
		(fields) => {
			expect(readOption({ fields }).fields).toBeUndefined();
		},
	);
});

it('returns list parameters or throws an InputProblem for any value that an expression can return', () => {
	const keys = ['fields', 'page', 'pageSize', 'pagination', 'sort', 'sortKey', 'startCursor'];
	keys.push('requests', 'additionalParameters');
	const options = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue());
	const values = fc.record({ limit: fc.jsonValue(), options, objectType: fc.jsonValue() });
	fc.assert(
		fc.property(values, fc.constantFrom(read, readQuery), (given, readOne) => {
			try {
				const { paging } = readOne(given);
				expect(paging.pageSize ?? 1).toBeGreaterThanOrEqual(1);
				expect(paging.limit).toBeGreaterThanOrEqual(1);
			} catch (error) {
				expect(error).toBeInstanceOf(InputProblem);
			}
		}),
		{ numRuns: 300 },
	);
});
