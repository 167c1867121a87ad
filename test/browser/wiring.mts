/** How Sync is wired right and wrong, as docs/sync.md shows it. */
import { newWorkflowId, sandboxCredential } from '../n8n/imports.mts';
import { nodeType } from './canvas.mts';

/** Pixels between two nodes of a row. */
const stepRight = 224;

/** A node as the picture needs it. */
interface Part {
	name: string;
	type: string;
	typeVersion?: number;
	/** Which node of its row it is, and pixels below the first one. */
	at: [place: number, below: number];
	parameters?: Record<string, unknown>;
	/** Names of the nodes that each output leads to. */
	to?: string[][];
}

const getChanges = { resource: 'sync', operation: 'getChanges' };
const confirmChanges = { resource: 'sync', operation: 'confirm' };
const work = 'n8n-nodes-base.noOp';
const [loop, branch, merge] = ['splitInBatches', 'if', 'merge'].map(
	(name) => `n8n-nodes-base.${name}`,
) as [string, string, string];

/** What is right stands in the first row, what is wrong in the second: the first name of each is taken there already. */
export const wirings: Array<{ name: string; rowHeight: number; parts: Part[] }> = [
	{
		name: 'sync-wiring-loop',
		rowHeight: 470,
		parts: [
			{
				name: 'Get Changes',
				type: nodeType,
				at: [0, 0],
				parameters: getChanges,
				to: [['Loop Over Items']],
			},
			{
				name: 'Loop Over Items',
				type: loop,
				typeVersion: 3,
				at: [1, 0],
				to: [['Confirm Changes'], ['Your work']],
			},
			{ name: 'Your work', type: work, at: [2, 90], to: [['Loop Over Items']] },
			{ name: 'Confirm Changes', type: nodeType, at: [3, -60], parameters: confirmChanges },
			{
				name: 'Get Changes1',
				type: nodeType,
				at: [0, 470],
				parameters: getChanges,
				to: [['Loop Over Items1']],
			},
			{
				name: 'Loop Over Items1',
				type: loop,
				typeVersion: 3,
				at: [1, 470],
				to: [[], ['Your work1']],
			},
			{ name: 'Your work1', type: work, at: [2, 560], to: [['Confirm Changes1']] },
			{
				name: 'Confirm Changes1',
				type: nodeType,
				at: [3, 560],
				parameters: confirmChanges,
				to: [['Loop Over Items1']],
			},
		],
	},
	{
		name: 'sync-wiring-filter',
		rowHeight: 320,
		parts: [
			{ name: 'Get Changes', type: nodeType, at: [0, 0], parameters: getChanges, to: [['If']] },
			{ name: 'If', type: branch, typeVersion: 2.2, at: [1, 0], to: [['Your work'], ['Merge']] },
			{ name: 'Your work', type: work, at: [2, -60], to: [['Merge']] },
			{ name: 'Merge', type: merge, typeVersion: 3, at: [3, 0], to: [['Confirm Changes']] },
			{ name: 'Confirm Changes', type: nodeType, at: [4, 0], parameters: confirmChanges },
			{ name: 'Get Changes1', type: nodeType, at: [0, 320], parameters: getChanges, to: [['If1']] },
			{ name: 'If1', type: branch, typeVersion: 2.2, at: [1, 320], to: [['Your work1'], []] },
			{ name: 'Your work1', type: work, at: [2, 260], to: [['Confirm Changes1']] },
			{ name: 'Confirm Changes1', type: nodeType, at: [3, 260], parameters: confirmChanges },
		],
	},
];

/** A workflow of these parts, with a note around each row. */
export function workflowOf({ name, rowHeight, parts }: (typeof wirings)[0]) {
	const note = (content: string, row: number, color: number) => ({
		id: content,
		name: content,
		type: 'n8n-nodes-base.stickyNote',
		typeVersion: 1,
		position: [-90, row * rowHeight - 150],
		parameters: { content: `## ${content}`, color, width: 5.3 * stepRight, height: rowHeight - 30 },
	});
	const nodes = parts.map(({ at: [place, below], typeVersion = 1, parameters = {}, ...part }) => ({
		id: part.name,
		name: part.name,
		type: part.type,
		typeVersion,
		position: [place * stepRight, below],
		parameters,
		...(part.type === nodeType && { credentials: { workspaceDataApi: sandboxCredential } }),
	}));
	const connections = Object.fromEntries(
		parts.map(({ name: from, to = [] }) => [
			from,
			{
				main: to.map((names) =>
					names.map((node) => ({
						node,
						type: 'main',
						index: from === 'If' && node === 'Merge' ? 1 : 0,
					})),
				),
			},
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
