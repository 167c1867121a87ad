import { describe, expect, it } from 'vitest';

import { incompleteOf, itemsOf, resultsOf } from '../../../nodes/WorkspaceData/answer.ts';
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
		expectAllOf(answer);
	});

	it('are not lost where the list has another name in data', () => {
		const answer = { success: true, data: { companies: found, tags: ['x'] }, meta };
		expect(resultsOf(prospect, answer)).toEqual([answer.data]);
		expectAllOf(answer);
	});

	/** That it holds two results, by what is said of a total. */
	function expectAllOf(answer: unknown): void {
		const ofTotal = (total: number) =>
			incompleteOf({ ...(answer as object), meta: { pagination: { total } } });
		expect([ofTotal(2), ofTotal(3)]).toEqual([[], [{ cameOut: 2, total: 3 }]]);
	}
});

it('an answer with one result has one, lists in it or not', () => {
	const answer = { success: true, data: [1, 2], meta };
	expect(resultsOf(rowOf('company', 'enrich'), answer)).toEqual([[1, 2]]);
});

describe('Selected Fields', () => {
	const enrich = rowOf('company', 'enrich');
	const input = { item: { json: { note: 'mine' } }, index: 3 };
	const form = { output: 'selected', fields: ['id', 'name', 'size'] } as const;

	it('keep what the result has of them, in their order', () => {
		const answer = { success: true, data: { size: 5, other: [1, 2], id: 7 }, meta };
		expect(itemsOf(answer, enrich, { ...form, fields: [...form.fields] }, input)).toEqual([
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

	it('leave a result that has no fields as it is', () => {
		const [item] = itemsOf(
			{ success: true, data: [1, 2] },
			enrich,
			{ ...form, fields: ['id'] },
			input,
		);
		expect(item?.json).toEqual({ data: [1, 2] });
	});
});
