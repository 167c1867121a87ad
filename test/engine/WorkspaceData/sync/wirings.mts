/** Workflows with a node that reads (Get) and Confirm Changes, written as lines, and n8n's nodes in between. */
import type { IConnections, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { standIn } from '../../harness/nodes.mts';
import { CREDENTIAL_TYPE, NODE_TYPE, nodeOf, START_NODE_TYPE } from '../../harness/harness.mts';

type Items = INodeExecutionData[];

/** Gives each output what a function makes of all items. */
const making = (work: (items: Items) => Items[], outputs = 1, inputs = 1) =>
	standIn(
		async function (this: IExecuteFunctions) {
			const ofInputs = Array.from({ length: inputs }, (_, input) => this.getInputData(input));
			return work(ofInputs.flat());
		},
		{ inputs: Array(inputs).fill('main'), outputs: Array(outputs).fill('main') },
	);

/** As Loop Over Items does, with one item in each round. */
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

/** As Execute Workflow does: what has no place in its panel, n8n drops. */
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

/** By the first word of a node's name. */
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

/** Their node types. Loop Over Items and Execute Workflow have the names that n8n gives them. */
export const standInTypes = Object.fromEntries(
	Object.entries(TYPES).map(([word, type]) => [typeOf(word), type]),
);

function typeOf(word: string): string {
	const ofN8n = { Loop: 'splitInBatches', Call: 'executeWorkflow' }[word];
	return ofN8n === undefined ? `test.${word}` : `n8n-nodes-base.${ofN8n}`;
}

/**
 * The nodes and connections of lines such as `Get > Loop:1 > Work > Loop; Loop > Confirm`: after a name, the output where it
 * is not 0; `settings` are of nodes by their names. Of two branches, the one that is written first runs first. The second way into a Merge is its second input.
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
	// n8n has a list for each output.
	for (const { main } of Object.values(connections))
		main.splice(0, main.length, ...Array.from(main, (to) => to ?? []));
	return { nodes: [...nodes.values()], connections };
}

/** Of the node's resource Sync. */
export function ofSync(operation: string, parameters: object = {}): Partial<INode> {
	const credentials = { [CREDENTIAL_TYPE]: { id: 'one', name: 'Credential' } };
	return { credentials, parameters: { resource: 'sync', operation, ...parameters } };
}
