/** Workflows for pictures in docs/sync.md. They show correct and wrong ways to connect the nodes of Sync. */
import { newWorkflowId, sandboxCredential } from '../../test/n8n/imports.mts';
import { nodeType } from '../../test/browser/canvas.mts';

/** Horizontal distance between two nodes in pixels. */
const stepRight = 224;

/** Node in a picture: its name, its column, its vertical position in pixels, and the next nodes of each output. */
type Part = [name: string, place: number, below: number, to?: string[][]];

type Json = Record<string, unknown>;

const credentials = { workspaceDataApi: sandboxCredential };
const ofSync = (operation: string) => ({
	type: nodeType,
	typeVersion: 1,
	parameters: { resource: 'sync', operation },
	credentials,
});
const ofN8n = (name: string, typeVersion: number) => ({
	type: `n8n-nodes-base.${name}`,
	typeVersion,
	parameters: {},
});

/** Types and parameters of the nodes, by name. Nodes of the second row have the suffix 1 in their names. */
const kinds: Record<string, { type: string; typeVersion: number; parameters: Json }> = {
	'Get Changes': ofSync('getChanges'),
	'Confirm Changes': ofSync('confirm'),
	'Your work': ofN8n('noOp', 1),
	'Loop Over Items': ofN8n('splitInBatches', 3),
	If: ofN8n('if', 2.2),
	Merge: ofN8n('merge', 3),
};

/** Workflows for the pictures. Their first row is correct, their second row is wrong. */
export const wirings: Array<{ name: string; rowHeight: number; parts: Part[] }> = [
	{
		name: 'sync-wiring-loop',
		rowHeight: 470,
		parts: [
			['Get Changes', 0, 0, [['Loop Over Items']]],
			['Loop Over Items', 1, 0, [['Confirm Changes'], ['Your work']]],
			['Your work', 2, 90, [['Loop Over Items']]],
			['Confirm Changes', 3, -60],
			['Get Changes1', 0, 470, [['Loop Over Items1']]],
			['Loop Over Items1', 1, 470, [[], ['Your work1']]],
			['Your work1', 2, 560, [['Confirm Changes1']]],
			['Confirm Changes1', 3, 560, [['Loop Over Items1']]],
		],
	},
	{
		name: 'sync-wiring-filter',
		rowHeight: 320,
		parts: [
			['Get Changes', 0, 0, [['If']]],
			['If', 1, 0, [['Your work'], ['Merge']]],
			['Your work', 2, -60, [['Merge']]],
			['Merge', 3, 0, [['Confirm Changes']]],
			['Confirm Changes', 4, 0],
			['Get Changes1', 0, 320, [['If1']]],
			['If1', 1, 320, [['Your work1'], []]],
			['Your work1', 2, 260, [['Confirm Changes1']]],
			['Confirm Changes1', 3, 260],
		],
	},
];

/** Returns a workflow for a picture, with a sticky note around each row of nodes. */
export function workflowOf({ name, rowHeight, parts }: (typeof wirings)[0]) {
	const note = (content: string, row: number, color: number) => ({
		id: content,
		name: content,
		type: 'n8n-nodes-base.stickyNote',
		typeVersion: 1,
		position: [-90, row * rowHeight - 150],
		parameters: { content: `## ${content}`, color, width: 5.3 * stepRight, height: rowHeight - 30 },
	});
	const nodes = parts.map(([part, place, below]) => ({
		id: part,
		name: part,
		position: [place * stepRight, below],
		...kinds[part.replace(/1$/, '')],
	}));
	const connectionTo = (from: string) => (node: string) => ({
		node,
		type: 'main',
		index: from === 'If' && node === 'Merge' ? 1 : 0,
	});
	const connections = Object.fromEntries(
		parts.map(([from, , , to = []]) => [
			from,
			{ main: to.map((names) => names.map(connectionTo(from))) },
		]),
	);
	return {
		id: newWorkflowId(),
		name,
		nodes: [note('Right', 0, 4), note('Wrong', 1, 3), ...nodes],
		connections,
		settings: { executionOrder: 'v1' },
	};
}
