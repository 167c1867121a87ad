import { type INodeProperties } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { operations as ROWS, resources } from '../../../nodes/WorkspaceData/operations.ts';
import { properties } from '../../../nodes/WorkspaceData/properties.ts';
import { DESCRIPTION, namesOf, shownFor, TOOL } from './panel.mts';

describe('resource and operation', () => {
	it('offer exactly the operations of the table', () => {
		for (const { value: resource } of resources) {
			const [list, ...more] = shownFor({ resource }).filter(({ name }) => name === 'operation');
			expect(more).toEqual([]);
			expect(list.options?.map((option) => 'value' in option && option.value)).toEqual(
				ROWS.filter((row) => row.resource === resource)
					.toSorted((one, other) => one.name.localeCompare(other.name))
					.map(({ operation }) => operation),
			);
		}
	});

	it('are named in the order that people look for them', () => {
		for (const property of properties.filter(({ type }) => type === 'options')) {
			const { name, options = [] } = property;
			const offered = options.filter((option) => 'value' in option);
			const sorted = offered.toSorted((a, b) => a.name.localeCompare(b.name));
			expect([name, offered]).toEqual([name, sorted]);
		}
	});

	it('begin with the first operation of the table, which n8n does not store in workflows', () => {
		const lists = properties.filter(({ name }) => name === 'operation');
		expect(lists.map((list) => [list.displayOptions?.show?.resource?.[0], list.default])).toEqual([
			['company', 'getAll'],
			['deal', 'score'],
			['item', 'getAll'],
			['order', 'getAll'],
			['record', 'query'],
			['sync', 'getChanges'],
			['workspace', 'whoAmI'],
		]);
	});
});

it('a list as a tool of an AI agent offers the same but for files, which a model does not get', () => {
	const outputsOf = (list: INodeProperties[]) =>
		list.find(({ name }) => name === 'outputAs')?.options?.map(({ name }) => name);
	for (const { resource, operation } of ROWS.filter(({ kind }) => kind === 'list')) {
		const inNode = shownFor({ resource, operation });
		const inTool = shownFor({ resource, operation }, TOOL);
		expect(namesOf(inTool)).toEqual(namesOf(inNode));
		expect(outputsOf(inNode)).toEqual(['CSV Files', 'Items', 'NDJSON Files', 'Pages']);
		expect(outputsOf(inTool)).toEqual(['Items', 'Pages']);
	}
});

it.each([
	['the node', DESCRIPTION, 'assignmentCollection'],
	['a tool', TOOL, 'fixedCollection'],
])('Fields to Send of %s is once there, in the form that works for it', (_name, shownAs, type) => {
	const shown = shownFor({ resource: 'company', operation: 'enrich' }, shownAs);
	expect(shown.filter(({ name }) => name === 'fields').map((each) => each.type)).toEqual([type]);
});
