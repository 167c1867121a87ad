import { describe, expect, it } from 'vitest';

import { operations } from '../../../nodes/WorkspaceData/operations.ts';
import { titleOfResource } from '../../../nodes/WorkspaceData/operation-row.ts';
import { WorkspaceData } from '../../../nodes/WorkspaceData/WorkspaceData.node.ts';
import { WorkspaceDataTrigger } from '../../../nodes/WorkspaceDataTrigger/WorkspaceDataTrigger.node.ts';
import { DESCRIPTION, panel, shownFor, subtitleOf } from './panel.mts';

const node = new WorkspaceData();

describe('subtitle on the canvas', () => {
	const named = (value: unknown) => ({ __rl: true, mode: 'name', value });
	const company = { ...named('company'), mode: 'list', cachedResultName: 'Company' };

	it.each([
		['Query', company, 'Query: Company'],
		['Query', named('support_ticket'), 'Query: Support Ticket'],
		['Query', named('={{ "sales_order" }}'), 'Query: Sales Order'],
		['Query', named(''), 'Query'],
		['Query', named('={{ $json.type }}'), 'Query'],
		['Get Changes', named('order'), 'Get Changes: Order'],
		['Get Changes', 'item', 'Get Changes: Item'],
	])('shows %s with the object type %j as %j', (name, objectType, expected) => {
		const { resource, operation } = operations.find((row) => row.name === name)!;
		expect(subtitleOf(node, { resource, operation, objectType })).toBe(expected);
	});

	it('names the resource if the user chooses no object type', () => {
		for (const { resource, operation, name } of operations.filter((row) => !row.choosesObjectType))
			expect(subtitleOf(node, { resource, operation })).toBe(
				`${name}: ${titleOfResource(resource)}`,
			);
	});
});

describe('description that n8n shows for both nodes', () => {
	it('begins with exporting and enriching, although n8n takes it from the trigger', () => {
		const { description } = new WorkspaceDataTrigger().description;
		expect(description).toMatch(/^Export, enrich and .* start a workflow/);
	});
});

describe('hints for n8n’s own assistants', () => {
	it('contains that Get Changes needs Confirm Changes, and which operations may be billed', () => {
		const { searchHint } = DESCRIPTION.builderHint!;
		for (const row of operations.filter(({ repeat }) => repeat === 'billed'))
			expect(searchHint).toContain(row.name);
		expect(searchHint).toMatch(/Sync: Get Changes needs Sync: Confirm Changes/);
		for (const name of ['maxCalls', 'previewOnly']) expect(searchHint).toContain(name);
	});

	it('has a hint on Progress only, because n8n rejects the package with others', () => {
		const hinted = DESCRIPTION.properties.filter(({ builderHint }) => builderHint);
		expect(hinted.map(({ name }) => name)).toEqual(['progress']);
		const [{ builderHint, options = [] }] = hinted;
		for (const option of options)
			if ('value' in option) expect(builderHint?.propertyHint).toContain(`${option.value}:`);
	});
});

describe('Query', () => {
	const query = { resource: 'record', operation: 'query' };

	it('starts with an empty Object Type, By Name', () => {
		const { objectType } = panel(query);
		expect(objectType).toMatchObject({ mode: 'name', value: '' });
	});
});

it.each([
	['prospect', true],
	['enrich', false],
])('says in the panel of %s that Limit Calls does not count records: %s', (operation, isSaid) => {
	const [{ options = [] }] = shownFor({ resource: 'company', operation }).filter(
		({ name }) => name === 'options',
	);
	const limit = options.find(({ name }) => name === 'maxCalls') as { description: string };
	expect(limit.description.includes('not the number of companies')).toBe(isSaid);
});
