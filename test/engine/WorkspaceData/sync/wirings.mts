/**
 * Builds test workflows from texts such as `Get > Work > Confirm`. Get is the node that reads changes or a list, and
 * Confirm is Confirm Changes. All other names are stand-ins for nodes of n8n.
 */
import type { IConnections, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { standIn } from '../../harness/nodes.mts';
import { CREDENTIAL_TYPE, NODE_TYPE, nodeOf, START_NODE_TYPE } from '../../harness/harness.mts';

type Items = INodeExecutionData[];

/** Creates a node type with a function that computes the outputs from all input items. */
const making = (work: (items: Items) => Items[], outputs = 1, inputs = 1) =>
	standIn(
		async function (this: IExecuteFunctions) {
			const ofInputs = Array.from({ length: inputs }, (_, input) => this.getInputData(input));
			return work(ofInputs.flat());
		},
		{ inputs: Array(inputs).fill('main'), outputs: Array(outputs).fill('main') },
	);

/** Stand-in for Loop Over Items with a batch size of 1. */
const loop = standIn(
	async function (this: IExecuteFunctions) {
		const kept = this.getContext('node') as { left?: Items; processed?: Items };
		const input = this.getInputData();
		if (kept.left === undefined) Object.assign(kept, { left: [...input], processed: [] });
		else kept.processed?.push(...input);
		const [next] = kept.left?.splice(0, 1) ?? [];
		return next === undefined ? [kept.processed ?? [], []] : [[], [next]];
	},
	{ outputs: ['main', 'main'] },
);

const waiting = standIn(async function (this: IExecuteFunctions) {
	await this.putExecutionToWait(new Date(Date.now() + 3_600_000));
	return [this.getInputData()];
});

/** Stand-in for Execute Workflow. It lists its option, because n8n drops parameters that a node does not list. */
const calling = standIn(
	async function (this: IExecuteFunctions) {
		return [this.getInputData()];
	},
	{
		properties: [
			{
				...{ displayName: 'Options', name: 'options', type: 'collection', default: {} },
				options: [
					{ displayName: 'Wait', name: 'waitForSubWorkflow', type: 'boolean', default: true },
				],
			},
		],
	},
);

const failing = standIn(async () => {
	throw new Error('The destination is down');
});

const half = (items: Items): number => Math.ceil(items.length / 2);

/** Node types by the first word of the node's name. */
const TYPES = {
	Work: making((items) => [items]),
	Loop: loop,
	Filter: making((items) => [items.slice(0, 1)]),
	Aggregate: making((items) => [[{ json: { count: items.length } }]]),
	Split: making((items) => [items.flatMap((item) => [item, item])]),
	If: making((items) => [items.slice(0, half(items)), items.slice(half(items))], 2),
	Merge: making((items) => [items], 1, 2),
	Fallible: making((items) => [
		items.map((item, index) => (index === 0 ? { json: { error: 'refused' } } : item)),
	]),
	More: making((items) => {
		const hasMore = items[0]?.json.hasMore === true;
		return [hasMore ? items : [], hasMore ? [] : items];
	}, 2),
	Fail: failing,
	Wait: waiting,
	Call: calling,
};

/**
 * All stand-ins by their full type names. Loop Over Items and Execute Workflow have the type names of n8n, because
 * Confirm Changes looks for these names.
 */
export const standInTypes = Object.fromEntries(
	Object.entries(TYPES).map(([word, type]) => [typeOf(word), type]),
);

function typeOf(word: string): string {
	const ofN8n = { Loop: 'splitInBatches', Call: 'executeWorkflow' }[word];
	return ofN8n === undefined ? `test.${word}` : `n8n-nodes-base.${ofN8n}`;
}

/**
 * Builds nodes and connections from lines such as `Get > Loop:1 > Work > Loop; Loop > Confirm`. A number after a name
 * is the output of that node, 0 by default. If a node has two branches, the branch that is written first runs first.
 * The second connection to a Merge leads to its second input.
 *
 * @param settings settings of nodes by node name
 */
export function workflowOf(
	lines: string,
	get: Partial<INode>,
	settings: Record<string, Partial<INode>> = {},
) {
	const nodes = new Map<string, INode>();
	const connections: IConnections = {};
	const add = (name: string): void => {
		const position: [number, number] = [0, nodes.size * 100];
		const known = { Get: get, Confirm: ofSync('confirm') }[name];
		const type = known === undefined ? typeOf(name.split(' ')[0]) : NODE_TYPE;
		const onError = name.startsWith('Fallible') ? 'continueErrorOutput' : undefined;
		nodes.set(name, nodeOf(name, type, { onError, ...known, ...settings[name], position }));
	};
	nodes.set('Start', nodeOf('Start', START_NODE_TYPE));
	const intoMerge = new Map<string, number>();
	for (const line of lines.split('; ')) {
		const steps = line.split(' > ').map((step) => step.split(':'));
		for (const [place, [name, output = '0']] of steps.entries()) {
			if (!nodes.has(name)) add(name);
			const next = steps[place + 1]?.[0];
			if (next === undefined) continue;
			const index = next.startsWith('Merge') ? (intoMerge.get(next) ?? 0) : 0;
			intoMerge.set(next, index + 1);
			const { main } = (connections[name] ??= { main: [] });
			(main[Number(output)] ??= []).push({ node: next, type: 'main', index });
		}
	}
	// n8n requires a list of connections for each output, even if the list is empty.
	for (const { main } of Object.values(connections))
		main.splice(0, main.length, ...Array.from(main, (to) => to ?? []));
	return { nodes: [...nodes.values()], connections };
}

/** Returns the settings of a node with the resource Sync. */
export function ofSync(operation: string, parameters: object = {}): Partial<INode> {
	const credentials = { [CREDENTIAL_TYPE]: { id: 'one', name: 'Credential' } };
	return { credentials, parameters: { resource: 'sync', operation, ...parameters } };
}
