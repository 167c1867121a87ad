import { describe, expect, it } from 'vitest';

import type { Operation } from '../../../nodes/WorkspaceData/operation-row.ts';
import {
	ResponsesToItems,
	resultsIn,
	type OutputForm,
} from '../../../nodes/WorkspaceData/response-to-items.ts';
import { rowOf, tryOf } from './parameters-support.mts';

const prospect = rowOf('company', 'prospect');
const found = [{ name: 'A' }, { name: 'B' }];
const enrich = rowOf('company', 'enrich');
const input = { json: { note: 'mine' } };

/** Turns a response into the items of the second input item. */
function convert(operation: Operation, body: unknown, form: OutputForm = {}) {
	const nodeRun = tryOf({ getInputData: () => [{ json: {} }, input] }, operation);
	const responses = new ResponsesToItems(nodeRun);
	return { items: responses.itemsOf({ body }, form, 1), hints: responses.hints() };
}

const meta = { ctx_id: 'ctx', pagination: { total: 9 } };

describe('response of an operation that finds many', () => {
	it.each<[string, unknown, unknown[]]>([
		['data.items', { success: true, data: { items: found }, meta }, found],
		['data', { success: true, data: found, meta }, found],
		['items without an envelope', { items: found }, found],
		['the whole body', found, found],
		['no list at all', { success: true, data: { id: 1 }, meta }, [{ id: 1 }]],
	])('has one result for each element of a list in %s', (_place, answer, results) => {
		expect(resultsIn(answer, prospect)).toEqual(results);
	});

	const beside = { success: true, data: {}, companies: found, meta };
	const besideNull = { success: true, data: null, companies: found };
	const named = { success: true, data: { companies: found, tags: ['x'] }, meta };

	it.each<[string, object, unknown]>([
		['beside data', beside, beside],
		['beside data that is null', besideNull, besideNull],
		['in data under another name', named, named.data],
	])('keeps a list %s as one result', (_place, answer, result) => {
		expect(resultsIn(answer, prospect)).toEqual([result]);
		expect(convert(prospect, answer).hints).toEqual([]);
	});
});

it('returns a list as the only result if the operation finds one', () => {
	const response = { success: true, data: [1, 2], meta };
	expect(resultsIn(response, enrich)).toEqual([[1, 2]]);
});

it('counts the results that a list has beyond those returned', () => {
	const { hints } = convert(prospect, { success: true, data: { items: found }, meta });
	expect(hints).toEqual([expect.stringContaining('found 9 results and returned 2.')]);
});

describe('Output Fields', () => {
	const fields = ['id', 'name', 'size'];

	it('keeps the chosen fields that the result has, in the chosen order', () => {
		const response = { success: true, data: { size: 5, other: [1, 2], id: 7 }, meta };
		expect(convert(enrich, response, { fields }).items).toEqual([
			{ json: { id: 7, size: 5 }, pairedItem: { item: 1 } },
		]);
	});

	it('keeps the chosen fields of each result in a list, and all fields of the input', () => {
		const response = { success: true, data: { items: [{ name: 'A', note: 'a' }, { note: 'b' }] } };
		const form = { fields: ['name'], resultField: 'found' };
		expect(convert(prospect, response, form).items.map(({ json }) => json)).toEqual([
			{ note: 'mine', found: { name: 'A' } },
			{ note: 'mine', found: {} },
		]);
	});
});
