import { describe, expect, it } from 'vitest';

import { countOf, resultsOf } from '../../../nodes/WorkspaceData/answer.ts';
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

	it.each<[string, unknown]>([
		['beside data', { success: true, data: {}, companies: found, meta }],
		['beside data that is null', { success: true, data: null, companies: found }],
	])('are not lost where the list is %s', (_place, answer) => {
		expect(resultsOf(prospect, answer)).toEqual([answer]);
		expect(countOf(answer)).toBe(2);
	});

	it('are not lost where the list has another name in data', () => {
		const answer = { success: true, data: { companies: found, tags: ['x'] }, meta };
		expect(resultsOf(prospect, answer)).toEqual([answer.data]);
		expect(countOf(answer)).toBe(2);
	});
});

it('an answer with one result has one, lists in it or not', () => {
	const answer = { success: true, data: [1, 2], meta };
	expect(resultsOf(rowOf('company', 'enrich'), answer)).toEqual([[1, 2]]);
});
