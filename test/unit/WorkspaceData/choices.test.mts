import { type INodeProperties } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { operations as ROWS } from '../../../nodes/WorkspaceData/operations.ts';
import { properties } from '../../../nodes/WorkspaceData/properties.ts';
import { namesOf, shownFor, TOOL } from './panel.mts';

describe('resource and operation', () => {
	it('are named in the order that people look for them', () => {
		for (const property of properties.filter(({ type }) => type === 'options')) {
			const { name, options = [] } = property;
			const offered = options.filter((option) => 'value' in option);
			const sorted = offered.toSorted((a, b) => a.name.localeCompare(b.name));
			expect([name, offered]).toEqual([name, sorted]);
		}
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
