import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { InputProblem } from '../../../../nodes/common/errors.ts';
import {
	readListParameters,
	type ListParameters,
} from '../../../../nodes/WorkspaceData/list/parameters.ts';
import type { Endpoint } from '../../../../nodes/WorkspaceData/operation.ts';
import { panel, problemOf, rowOf } from '../parameters-support.mts';

/** Reads the parameters of a node whose panel holds these values. */
function read(values: Record<string, unknown>, needsObjectType = false): ListParameters {
	const [resource, operation] = needsObjectType ? ['record', 'query'] : ['company', 'getAll'];
	const row = rowOf(resource, operation);
	return readListParameters(panel(values), row, {
		endpoint: row.endpoints.v2 as Endpoint,
		timezone: 'UTC',
	});
}

const readOption = (options: Record<string, unknown>): ListParameters => read({ options });

describe('readListParameters', () => {
	it('has its defaults', () => {
		expect(read({})).toMatchObject({
			outputAs: 'items',
			paging: { mode: 'cursor', pageSize: undefined, maximum: 50, sort: 'updated_at' },
			limits: { maxRetries: 4, maxWaitMs: 300_000, timeoutMs: 60_000 },
		});
		expect(read({}).fields).toBeUndefined();
		expect(read({}).source).toEqual({ endpoint: { method: 'GET', path: '/v2/public/companies' } });
		expect(read({}).newest).toBeUndefined();
		expect(readOption({ pagination: 'page' }).paging).toEqual({
			mode: 'page',
			pageSize: 100,
			maximum: 50,
			ignoreTotal: false,
			firstPage: 1,
		});
	});

	it('has no maximum with Return All, whatever Limit says', () => {
		expect(read({ returnAll: true, limit: 'nonsense' }).paging.maximum).toBeUndefined();
		expect(read({ returnAll: 'true', limit: 7 }).paging.maximum).toBeUndefined();
		expect(read({ returnAll: 'false', limit: 7 }).paging.maximum).toBe(7);
	});

	it.each([-1, '', null])('refuses the Limit %j', (limit) => {
		expect(problemOf(() => read({ limit })).message).toContain('Limit');
	});

	it('reads the options of both paginations', () => {
		expect(
			readOption({ sort: 'created_at', startCursor: ' c1 ', pageSize: '20' }).paging,
		).toMatchObject({ mode: 'cursor', sort: 'created_at', startCursor: 'c1', pageSize: 20 });
		expect(readOption({ pagination: 'page' }).paging.pageSize).toBe(100);
		expect(readOption({ pagination: 'page', page: 3, sortKey: ' name ' }).paging).toMatchObject({
			mode: 'page',
			firstPage: 3,
			sortKey: 'name',
		});
	});

	it('takes empty options of the other pagination for absent ones', () => {
		expect(readOption({ sortKey: '', page: null }).paging.mode).toBe('cursor');
		expect(readOption({ pagination: 'page', startCursor: '', sort: '' }).paging.mode).toBe('page');
	});

	it.each([
		['startCursor', 12345, {}],
		['sortKey', 12345, { pagination: 'page' }],
	])('never ignores the option %s when it is %j', (name, value, more) => {
		let paging: Record<string, unknown>;
		try {
			paging = { ...readOption({ ...more, [name]: value }).paging };
		} catch (error) {
			expect(error).toBeInstanceOf(InputProblem);
			return;
		}
		expect(paging[name]).toBe(String(value));
	});
});

describe('Newest First', () => {
	const newest = { order: 'newestFirst' };

	it('reads as many of the newest as Limit says, by the chosen date', () => {
		expect(readOption(newest).newest).toEqual({
			maximum: 50,
			pageSize: 100,
			sort: 'updated_at',
		});
		const options = { ...newest, sort: 'created_at', pageSize: 20 };
		expect(read({ limit: 7, options }).newest).toEqual({
			maximum: 7,
			pageSize: 20,
			sort: 'created_at',
		});
		expect(readOption({ order: 'oldestFirst' }).newest).toBeUndefined();
	});

	it('is the only order there is besides Oldest First', () => {
		expect(problemOf(() => readOption({ order: 'random' })).message).toContain('Order');
	});
});

describe('the object type', () => {
	it('is read for Query only', () => {
		expect(read({ objectType: ' deal ' }, true).source.objectType).toBe('deal');
		expect(read({ objectType: 'deal' }).source.objectType).toBeUndefined();
	});

	it('is what was chosen from the list, or named', () => {
		for (const mode of ['list', 'name']) {
			const objectType = { __rl: true, mode, value: 'deal', cachedResultName: 'Deal' };
			expect(read({ objectType }, true).source.objectType).toBe('deal');
		}
	});

	const locator = (value: unknown) => ({ __rl: true, mode: 'name', value });

	it.each(['', '  ', undefined, null, locator(''), locator(undefined)])(
		'is missed when it is %j',
		(objectType) => {
			expect(problemOf(() => read({ objectType }, true)).message).toBe('Object Type is empty');
		},
	);

	it.each([5, locator(5), {}, ['deal'], true])('must be text, not %j', (objectType) => {
		const { message } = problemOf(() => read({ objectType }, true));
		expect(message).toBe('Object Type must be text');
	});
});

describe('the fields to keep', () => {
	it.each([
		['name, domain', ['id', 'name', 'domain']],
		[' name ,, id ,name', ['name', 'id']],
		[
			['name', ' id ', 'domain'],
			['name', 'id', 'domain'],
		],
		['__proto__', ['id', '__proto__']],
		['', undefined],
		[' , ', undefined],
		[[], undefined],
		[undefined, undefined],
		[null, undefined],
	])('are for %j: %j', (fields, expected) => {
		expect(readOption({ fields }).fields).toEqual(expected);
	});

	it.each([5, true, {}, [1], ['name', null]])('are refused as %j', (fields) => {
		expect(problemOf(() => readOption({ fields })).message).toContain('Fields');
	});
});

it('gives parameters or an InputProblem for whatever expressions give', () => {
	const keys = ['fields', 'page', 'pageSize', 'pagination', 'sort', 'sortKey', 'startCursor'];
	keys.push('order', 'additionalParameters');
	const options = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue());
	const values = fc.record({ limit: fc.jsonValue(), options, objectType: fc.jsonValue() });
	fc.assert(
		fc.property(values, fc.boolean(), (given, needsObjectType) => {
			try {
				const { paging } = read(given, needsObjectType);
				expect(paging.pageSize ?? 1).toBeGreaterThanOrEqual(1);
				expect(paging.maximum).toBeGreaterThanOrEqual(1);
			} catch (error) {
				expect(error).toBeInstanceOf(InputProblem);
			}
		}),
		{ numRuns: 300 },
	);
});
