import { describe, expect, it } from 'vitest';

import { operations } from '../../../nodes/WorkspaceData/operations.ts';
import { titleOfResource } from '../../../nodes/WorkspaceData/operation-row.ts';
import { WorkspaceData } from '../../../nodes/WorkspaceData/WorkspaceData.node.ts';
import { WorkspaceDataTrigger } from '../../../nodes/WorkspaceDataTrigger/WorkspaceDataTrigger.node.ts';
import { DESCRIPTION, panel, shownFor, subtitleOf } from './panel.mts';

const node = new WorkspaceData();

describe('subtitle of the node on the canvas', () => {
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
	])('shows the subtitle of %s with the object type %j: %j', (name, objectType, expected) => {
		const { resource, operation } = operations.find((row) => row.name === name)!;
		expect(subtitleOf(node, { resource, operation, objectType })).toBe(expected);
	});

	it('shows the resource in the subtitle of an operation without an object type', () => {
		for (const { resource, operation, name } of operations.filter((row) => !row.choosesObjectType))
			expect(subtitleOf(node, { resource, operation })).toBe(
				`${name}: ${titleOfResource(resource)}`,
			);
	});
});

describe('description that n8n shows for both nodes', () => {
	it("begins the trigger's description with exporting and enriching, because n8n shows this text for both nodes", () => {
		const { description } = new WorkspaceDataTrigger().description;
		expect(description).toMatch(/^Export, enrich and .* start a workflow/);
	});
});

describe('hints for the AI assistants of n8n', () => {
	it("tells n8n's AI assistants that Get Changes needs Confirm Changes, and which operations may be billed", () => {
		const { searchHint } = DESCRIPTION.builderHint!;
		for (const row of operations.filter(({ repeat }) => repeat === 'billed'))
			expect(searchHint).toContain(row.name);
		expect(searchHint).toMatch(/Sync: Get Changes needs Sync: Confirm Changes/);
		for (const name of ['maxCalls', 'previewOnly']) expect(searchHint).toContain(name);
	});

	it('explains each choice of Progress in a builder hint for AI assistants, and has no other such hint', () => {
		const hinted = DESCRIPTION.properties.filter(({ builderHint }) => builderHint);
		expect(hinted.map(({ name }) => name)).toEqual(['progress']);
		const [{ builderHint, options = [] }] = hinted;
		for (const option of options)
			if ('value' in option) expect(builderHint?.propertyHint).toContain(`${option.value}:`);
	});
});

describe('Query', () => {
	const query = { resource: 'record', operation: 'query' };

	it('shows an empty Object Type in the mode By Name after the user chooses Query', () => {
		const { objectType } = panel(query);
		expect(objectType).toMatchObject({ mode: 'name', value: '' });
	});
});

it.each([
	['prospect', true],
	['enrich', false],
])(
	'explains only for Prospect that Limit Calls does not count companies (%s: %s)',
	(operation, isSaid) => {
		const [{ options = [] }] = shownFor({ resource: 'company', operation }).filter(
			({ name }) => name === 'options',
		);
		const limit = options.find(({ name }) => name === 'maxCalls') as { description: string };
		expect(limit.description.includes('not the number of companies')).toBe(isSaid);
	},
);
