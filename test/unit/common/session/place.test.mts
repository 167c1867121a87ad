import type { INode } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import {
	openPlace,
	ownState,
	refuseTwin,
	showsWorkflow,
} from '../../../../nodes/common/session/place.ts';
import { problemOf } from '../../WorkspaceData/parameters-support.mts';

const ownerOf = (workspace: string | null, access: string, label: string | null = workspace) => ({
	...{ workspace, access, label },
});
const start = {
	objectType: 'company',
	field: 'updated_at',
	startFrom: 'beginning',
	overlapMs: 0,
	owner: ownerOf('w2', 'b'),
} as const;
const placeOf = (owner: object) => ({ newest: 5, watermark: null, owner });

describe('a place of another owner is refused with both ways on', () => {
	it.each([
		['trigger', "add a second trigger. To begin anew, enter a new text in 'Start Over'"],
		['sync', "give each its own 'Sync Name' (several in one node: by an expression)"],
		['checkpoint', "To begin anew, leave 'Checkpoint' empty"],
	] as const)('%s', (keeper, way) => {
		const refuse = (owner: object, now = start.owner as ReturnType<typeof ownerOf>) =>
			problemOf(() => openPlace(placeOf(owner), { ...start, owner: now }, keeper));
		expect(refuse(ownerOf('w1', 'a'))).toMatchObject({
			message: `This ${keeper} belongs to the workspace "w1", and the key to "w2"`,
			description: expect.stringContaining(way),
		});
		const unnamed = `This ${keeper} belongs to another workspace than the one in use`;
		expect(refuse(ownerOf('w1', 'a', null)).message).toBe(unnamed);
		expect(refuse(ownerOf(null, 'a'), ownerOf(null, 'b'))).toMatchObject({
			message: `This ${keeper} belongs to another address or credential than the one in use`,
			description: expect.stringContaining('use the former address and credential again'),
		});
	});
});

describe('nodes of one workflow', () => {
	const self = { id: '1', name: 'A', type: 't' } as INode;
	const held = (...others: object[]) => {
		const nodes = others.map((other) => ({ ...self, name: 'B', ...other }));
		return { getNode: () => self, workflow: { nodes: Object.fromEntries(nodes.entries()) } };
	};

	it('may not have one ID', () => {
		expect(problemOf(() => refuseTwin(held({})))).toMatchObject({
			message: 'The nodes "A" and "B" have the same ID',
			description: expect.stringMatching(/^Copy one of them in the editor/),
		});
		refuseTwin(held({ id: '2' }, { type: 'u' }, { disabled: true }, { name: 'A' }));
		refuseTwin({ getNode: () => self, workflow: {} });
		refuseTwin({ getNode: () => self });
	});

	const own = { node: '1', savedAt: 5, newestAt: 9 };
	const later = { node: '1', savedAt: 7, newestAt: 0 };
	const others = { node: '2', savedAt: 9 };
	const without = { newestAt: 3 };
	const [untimed, former] = [{ node: '1' }, { ...own, savedAt: undefined }];
	const older = { ...own, newestAt: 1 };
	it.each([
		['its own state by its name', own, {}, own],
		['that by its name, though a former name holds newer dates', later, { Former: own }, later],
		['that by its name, where nothing tells which is later', untimed, { F: former }, untimed],
		['the one of its former name', undefined, { Former: own }, own],
		['the last saved of several former names', undefined, { F: own, G: later, H: own }, later],
		['the later entry of former names saved at once', undefined, { F: older, G: own }, own],
		['the last saved, where it has a name again that it had before', own, { Former: later }, later],
		['none of a node that it was copied from', undefined, { B: others }, undefined],
		['none of a disabled node with its ID', undefined, { Twin: own }, undefined],
		['none of another node that had its name', others, {}, undefined],
		['its own where another node has its former name now', others, { B: own }, own],
		['that of a node of its name that is gone', { node: '3' }, {}, { node: '3' }],
		['one that names no node', without, { B: null }, without],
		['none where nothing is stored', undefined, {}, undefined],
	])('find %s', (_which, byName, kept, found) => {
		const entries = Object.entries({ A: byName, ...kept });
		const data = entries.map(([name, key]) => [`node:${name}`, key && { key }]);
		const staticData = Object.fromEntries([['global', null], ...data]);
		const nodes = { A: self, B: { ...self, id: '2' }, Twin: { ...self, disabled: true } };
		const workflow = { nodes, staticData };
		expect(ownState({ getNode: () => self, workflow }, 'key', byName)).toEqual(found);
	});

	it('have what n8n keeps by their name where it shows no more, or where they have no ID', () => {
		expect(ownState({ getNode: () => self }, 'key', others)).toBe(others);
		const nameless = { ...self, id: undefined } as unknown as INode;
		const workflow = { nodes: { B: nameless }, staticData: { 'node:B': { key: {} } } };
		expect(ownState({ getNode: () => nameless, workflow }, 'key', without)).toBe(without);
		expect(showsWorkflow({ getNode: () => self, workflow })).toBe(true);
		expect(showsWorkflow({ getNode: () => self })).toBe(false);
	});
});
