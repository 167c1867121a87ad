import { describe, expect, it } from 'vitest';

import {
	incompleteOf,
	itemsOf,
	resultsOf,
	type OutputForm,
} from '../../../nodes/WorkspaceData/results.ts';
import { rowOf } from './parameters-support.mts';

const prospect = rowOf('company', 'prospect');
const found = [{ name: 'A' }, { name: 'B' }];
const meta = { ctx_id: 'ctx', pagination: { total: 9 } };

describe('the results of an answer that finds many', () => {
	it.each<[string, unknown, unknown[]]>([
		['data.items', { success: true, data: { items: found }, meta }, found],
		['data', { success: true, data: found, meta }, found],
		['items, without an envelope', { items: found }, found],
		['the whole body', found, found],
		['nowhere', { success: true, data: { id: 1 }, meta }, [{ id: 1 }]],
	])('are one item each where the list is %s', (_place, answer, results) => {
		expect(resultsOf(prospect, answer)).toEqual(results);
	});

	const beside = { success: true, data: {}, companies: found, meta };
	const besideNull = { success: true, data: null, companies: found };
	const named = { success: true, data: { companies: found, tags: ['x'] }, meta };

	it.each<[string, object, unknown]>([
		['beside data', beside, beside],
		['beside data that is null', besideNull, besideNull],
		['in data by another name', named, named.data],
	])('are not lost where the list is %s', (_place, answer, result) => {
		expect(resultsOf(prospect, answer)).toEqual([result]);
		expect(incompleteOf(answer)).toEqual([]);
	});
});

it('an answer with one result has one, lists in it or not', () => {
	const answer = { success: true, data: [1, 2], meta };
	expect(resultsOf(rowOf('company', 'enrich'), answer)).toEqual([[1, 2]]);
});

describe('Output Fields', () => {
	const enrich = rowOf('company', 'enrich');
	const input = { item: { json: { note: 'mine' } }, index: 3 };
	const fields = ['id', 'name', 'size'];
	const form: OutputForm = { fields, resultField: undefined };

	it('keep what the result has of them, in their order', () => {
		const answer = { success: true, data: { size: 5, other: [1, 2], id: 7 }, meta };
		expect(itemsOf(answer, enrich, form, input)).toEqual([
			{ json: { id: 7, size: 5 }, pairedItem: { item: 3 } },
		]);
	});

	it('are of each result where there are many, and of nothing else in the item', () => {
		const answer = { success: true, data: { items: [{ name: 'A', note: 'a' }, { note: 'b' }] } };
		const beside = { ...form, fields: ['name'], resultField: 'found' };
		expect(itemsOf(answer, prospect, beside, input).map(({ json }) => json)).toEqual([
			{ note: 'mine', found: { name: 'A' } },
			{ note: 'mine', found: {} },
		]);
	});
});
