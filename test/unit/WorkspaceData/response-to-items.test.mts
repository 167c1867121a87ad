import { describe, expect, it } from 'vitest';

import type { Operation } from '../../../nodes/WorkspaceData/operation-row.ts';
import {
	ResponsesToItems,
	resultsIn,
	type OutputForm,
} from '../../../nodes/WorkspaceData/response-to-items.ts';
import { rowOf, nodeRunOf } from './parameters-support.mts';

const prospect = rowOf('company', 'prospect');
const found = [{ name: 'A' }, { name: 'B' }];
const enrich = rowOf('company', 'enrich');
const input = { json: { note: 'mine' } };

/** Converts the response to the second input item's call. Returns the output items and the hints. */
function convert(operation: Operation, body: unknown, form: OutputForm = {}) {
	const nodeRun = nodeRunOf({ getInputData: () => [{ json: {} }, input] }, operation);
	const responses = new ResponsesToItems(nodeRun);
	return { items: responses.itemsOf({ body }, form, 1), hints: responses.hints() };
}

const meta = { ctx_id: 'ctx', pagination: { total: 9 } };

describe('response of Prospect, which finds several results', () => {
	it.each<[string, unknown, unknown[]]>([
		['a list in data.items', { success: true, data: { items: found }, meta }, found],
		['a list in data', { success: true, data: found, meta }, found],
		['a list in items', { items: found }, found],
		['a list that is the whole body', found, found],
		['an object in data', { success: true, data: { id: 1 }, meta }, [{ id: 1 }]],
	])('reads the results of Prospect from %s', (_place, answer, results) => {
		expect(resultsIn(answer, prospect)).toEqual(results);
	});

	const beside = { success: true, data: {}, companies: found, meta };
	const besideNull = { success: true, data: null, companies: found };
	const named = { success: true, data: { companies: found, tags: ['x'] }, meta };

	it.each<[string, object, unknown]>([
		['beside the member "data"', beside, beside],
		['beside "data", which is null', besideNull, besideNull],
		['in "data" under an unusual name', named, named.data],
	])('returns a response of Prospect as one result if its list is %s', (_place, answer, result) => {
		expect(resultsIn(answer, prospect)).toEqual([result]);
		expect(convert(prospect, answer).hints).toEqual([]);
	});
});

it('returns a list as one result for an operation that finds only one result, such as Enrich', () => {
	const response = { success: true, data: [1, 2], meta };
	expect(resultsIn(response, enrich)).toEqual([[1, 2]]);
});

it('shows a hint if the service found more results than the response contains', () => {
	const { hints } = convert(prospect, { success: true, data: { items: found }, meta });
	expect(hints).toEqual([expect.stringContaining('found 9 results and returned 2.')]);
});

describe('Output Fields', () => {
	const fields = ['id', 'name', 'size'];

	it('keeps only the fields of a result that Output Fields names, in the order of Output Fields', () => {
		const response = { success: true, data: { size: 5, other: [1, 2], id: 7 }, meta };
		expect(convert(enrich, response, { fields }).items).toEqual([
			{ json: { id: 7, size: 5 }, pairedItem: { item: 1 } },
		]);
	});

	it('keeps only the Output Fields of each result in a list, but all fields of the input item', () => {
		const response = { success: true, data: { items: [{ name: 'A', note: 'a' }, { note: 'b' }] } };
		const form = { fields: ['name'], resultField: 'found' };
		expect(convert(prospect, response, form).items.map(({ json }) => json)).toEqual([
			{ note: 'mine', found: { name: 'A' } },
			{ note: 'mine', found: {} },
		]);
	});
});
