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

/** Reads the parameters of Get Many or Query with these values in the panel. */
const read = (values: Record<string, unknown>): ListParameters =>
	readListParameters(taskOf(values, rowOf('company', 'getAll')));
const readQuery = (values: Record<string, unknown>): ListParameters =>
	readListParameters(taskOf(values, rowOf('record', 'query')));

const readOption = (options: Record<string, unknown>): ListParameters => read({ options });

describe('readListParameters', () => {
	it('returns default request limits', () => {
		expect(read({}).limits).toEqual({ maxRetries: 6, maxWaitMs: 300_000, timeoutMs: 60_000 });
	});

	it('reads 50 records by cursor by default, least recently changed first, and uses the total', () => {
		const { paging, outputAs, newest, fields, source } = read({});
		expect(paging).toEqual({ mode: 'cursor', limit: 50, sort: 'updated_at', ignoreTotal: false });
		expect([outputAs, newest, fields, source.additional]).toEqual(['items', ...Array(3)]);
	});

	it.each([
		[{ returnAll: true, limit: 'nonsense' }, undefined],
		[{ returnAll: 'true', limit: 7 }, undefined],
		[{ returnAll: 'false', limit: 7 }, 7],
	])('reads Return All and Limit from %j as %j records', (values, limit) => {
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
		// n8n fills in these values.
		[
			{ sortKey: '', page: 0, pageSize: 0, startCursor: '' },
			{ mode: 'cursor', pageSize: undefined },
		],
		[
			{ page: 1, startCursor: '', ignoreTotal: false },
			{ mode: 'page', pageSize: USUAL_PAGE_SIZE },
		],
	])('reads the options %j as the paging %j', (options, paging) => {
		expect(readOption(options).paging).toMatchObject(paging);
	});
});

it('escapes formulas in files by default', () => {
	expect(read({ outputAs: 'csv' }).files).toMatchObject({ escapeFormulas: true });
});

it.each([
	['accepts', 1_048_575, 'excel'],
	['rejects', 1_048_576, 'excel'],
	['rejects', 1_048_576, 'excelDecimalComma'],
	['accepts', 2_000_000, 'comma'],
	['accepts', 2_000_000, 'tab'],
])(
	'checks that the node %s %i Records per File with the CSV Format %s',
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
	'reads the sort order and limit from %j and %j as the paging for Newest First %j',
	(options, limit, newest) => {
		const chosen = read({ options, returnAll: limit === undefined, limit }).newest;
		if (newest === undefined) expect(chosen).toBeUndefined();
		else expect(chosen).toMatchObject(newest);
	},
);

it.each([null, '', 0])('rejects a Limit of a model that is %j', (limit) => {
	expect(problemOf(() => read({ limit })).message).toContain("'Limit' must be a whole number");
	expect(read({ limit: '7' }).paging.limit).toBe(7);
});

// Requests of the panel for existing lists are tested in test/unit/shared/panel/fields-option.test.mts.
it.each(['confirm', 'getAll'])(
	'throws if the chosen operation has no list: Sync %s',
	(operation) => {
		const chosen = () => chosenList(panel({ resource: 'sync', operation }));
		expect(chosen).toThrow('The operation has no list');
	},
);

describe('the object type', () => {
	const locator = (value: unknown, mode = 'name') => ({ __rl: true, mode, value });

	it.each([' deal ', locator('deal'), locator('deal', 'list')])(
		'is read from Query: %j',
		(objectType) => {
			expect(readQuery({ objectType }).source.objectType).toBe('deal');
			expect(read({ objectType }).source.objectType).toBeUndefined();
		},
	);
});

describe('the fields to keep', () => {
	it.each([
		{ fields: 'name, domain', kept: ['name', 'domain'] },
		{ fields: ' name ,, id ,name', kept: ['name', 'id'] },
		{ fields: ['name', ' id ', 'address.city'], kept: ['name', 'id', 'address.city'] },
		{ fields: '__proto__', kept: ['__proto__'] },
	])('returns the named fields in their order: %j', ({ fields, kept }) => {
		expect(readOption({ fields }).fields).toEqual(kept);
	});

	it.each(['', ' , ', [], undefined, null])('returns all fields if none is named: %j', (fields) => {
		expect(readOption({ fields }).fields).toBeUndefined();
	});
});

it('returns parameters or throws an InputProblem for any value of an expression', () => {
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
