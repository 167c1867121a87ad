import type { INodeProperties } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { displayFor, optionsFor } from '../../../nodes/WorkspaceData/display.ts';
import { rowOf } from './parameters-support.mts';

const property: INodeProperties = { displayName: 'A', name: 'a', type: 'string', default: '' };
const enrich = rowOf('company', 'enrich');
const scoreCompany = rowOf('company', 'score');
const scoreDeal = rowOf('deal', 'score');

const shownWith = (list: INodeProperties[]) =>
	list.map(({ displayOptions }) => displayOptions?.show);

describe('displayFor', () => {
	it('makes one parameter where resources and operations combine to the chosen rows only', () => {
		expect(shownWith(displayFor([enrich, scoreCompany, scoreDeal], property))).toEqual([
			{ resource: ['company', 'deal'], operation: ['enrich', 'score'] },
		]);
	});

	it('makes one for each operation where they would reach a row that was not chosen', () => {
		expect(
			shownWith(
				displayFor([enrich, scoreDeal], { ...property, displayOptions: { show: { b: [1] } } }),
			),
		).toEqual([
			{ resource: ['company'], operation: ['enrich'], b: [1] },
			{ resource: ['deal'], operation: ['score'], b: [1] },
		]);
	});
});

it('optionsFor makes one collection for all operations with the same options', () => {
	const rows = [enrich, scoreCompany, scoreDeal];
	const made = optionsFor(rows, ({ operation }) => [{ ...property, default: operation }]);
	expect(shownWith(made)).toEqual([
		{ resource: ['company'], operation: ['enrich'] },
		{ resource: ['company', 'deal'], operation: ['score'] },
	]);
	expect(made.map(({ options }) => options)).toEqual([
		[{ ...property, default: 'enrich' }],
		[{ ...property, default: 'score' }],
	]);
});
