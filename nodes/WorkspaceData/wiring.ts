import type {
	IConnections,
	IExecuteFunctions,
	IRunExecutionData,
	ISourceData,
	NodeTypeAndVersion,
} from 'n8n-workflow';

type Sources = Array<ISourceData | null>;

/** What contexts hold, though their types do not show it. Where one does not, nothing is known. */
interface Held {
	runExecutionData?: Partial<IRunExecutionData>;
	workflow?: { connectionsBySourceNode?: IConnections; nodes?: Record<string, unknown> };
}

/** Why nobody knows whether what a node was given has arrived. */
type Gap = 'left out' | 'pinned' | 'deactivated' | 'not waited for';

/** Returns the nodes of Sync with this operation. Old versions of n8n do not give the parameters: there, all nodes of this type. */
export function syncNodes(
	nodes: readonly NodeTypeAndVersion[],
	operation: 'getChanges' | 'confirm',
): NodeTypeAndVersion[] {
	const isMeant = ({ operation: chosen = 'getChanges' }: Record<string, unknown>): boolean =>
		chosen === operation;
	return nodes.filter(
		({ type, parameters }) =>
			type.endsWith('.workspaceData') && (parameters === undefined || isMeant(parameters)),
	);
}

/** Checks whether the workflow has a node of this name. True if n8n does not tell. */
export function hasNode(context: IExecuteFunctions, name: string): boolean {
	const { nodes } = (context as Held).workflow ?? {};
	return nodes === undefined || name in nodes;
}

/** Checks whether a person has started this execution in the editor. A retry keeps the mode of the first execution as source. */
export function isRunByHand(context: IExecuteFunctions): boolean {
	const mode = context.getMode();
	const { source = mode } = (context as Held).runExecutionData?.executionData?.runtimeData ?? {};
	// Old versions of n8n do not tell the source.
	return mode === 'manual' || (mode === 'retry' && ['manual', 'retry'].includes(source));
}

/** Whether connections lead from one node to another, or back to it, without a way through the node `around`. */
export function leadsTo(
	context: IExecuteFunctions,
	from: string,
	to: string,
	around?: string,
): boolean {
	// What is added while they are gone through has its turn.
	const reached = new Set([to]);
	for (const node of reached) {
		for (const { name } of context.getParentNodes(node, { depth: 1 })) {
			if (name === from) return true;
			if (name !== around) reached.add(name);
		}
	}
	return false;
}

/** Whether all that leads to this node leads back to it, as in Loop Over Items: where it returns nothing, the loop ends. */
export function isInLoop(context: IExecuteFunctions): boolean {
	const { name: self } = context.getNode();
	const parents = context.getParentNodes(self, { depth: 1 });
	return parents.length > 0 && parents.every(({ name }) => leadsTo(context, self, name));
}

/** The nodes that have still to run in this execution, and where their items come from, as far as n8n tells. */
export function nodesToRun(context: IExecuteFunctions): Array<{ name: string; from: Sources }> {
	const { runExecutionData } = context as Held;
	const { nodeExecutionStack = [], waitingExecution = {} } = runExecutionData?.executionData ?? {};
	const next = nodeExecutionStack.map(({ node, source }) => {
		return { name: node.name, from: source?.main ?? [] };
	});
	return [...next, ...Object.keys(waitingExecution).map((name) => ({ name, from: [] }))];
}

/**
 * The nodes after the first output of another one, other than through `around`, that do no work in this execution, or of
 * which nobody knows. What could not be read is no change, so its error output may lead anywhere.
 */
export function gapsAfter(
	context: IExecuteFunctions,
	from: string,
	around: string,
): Array<{ name: string; gap: Gap }> {
	const { startData, resultData } = (context as Held).runExecutionData ?? {};
	const gapAt = ({ name, disabled, ...node }: NodeTypeAndVersion): Gap | undefined => {
		if (disabled) return 'deactivated';
		// Only a run in the editor of some of the nodes says which.
		if (startData?.runNodeFilter?.includes(name) === false) return 'left out';
		if (resultData?.pinData?.[name] !== undefined) return 'pinned';
		return isWaitedFor(node) ? undefined : 'not waited for';
	};
	const connections = (context as Held).workflow?.connectionsBySourceNode?.[from]?.main;
	const first = connections?.[0]?.map(({ node }) => node);
	const leadsToIt = (name: string): boolean => {
		if (first === undefined) return leadsTo(context, from, name, around);
		const begins = first.filter((node) => node !== around);
		return begins.some((node) => node === name || leadsTo(context, node, name, around));
	};
	return context.getChildNodes(from, { includeNodeParameters: true }).flatMap((node) => {
		const gap = gapAt(node);
		return gap && leadsToIt(node.name) ? [{ name: node.name, gap }] : [];
	});
}

/** False for a sub-workflow that goes on by itself, or may: what an expression gave is not known. */
function isWaitedFor({ type, parameters }: Pick<NodeTypeAndVersion, 'type' | 'parameters'>) {
	const { waitForSubWorkflow = true } = (parameters?.options ?? {}) as Record<string, unknown>;
	return type !== 'n8n-nodes-base.executeWorkflow' || waitForSubWorkflow === true;
}
