import type {
	IConnections,
	IExecuteFunctions,
	IRunExecutionData,
	ISourceData,
	NodeTypeAndVersion,
} from 'n8n-workflow';

type Sources = Array<ISourceData | null>;

/** Members of n8n's contexts that their types do not show. Any of them may be missing. */
interface HiddenMembers {
	runExecutionData?: Partial<IRunExecutionData>;
	workflow?: { connectionsBySourceNode?: IConnections; nodes?: Record<string, unknown> };
}

/** Why the node cannot tell whether the items of another node have arrived. */
type Gap = 'left out' | 'pinned' | 'deactivated' | 'not waited for';

/**
 * Returns the nodes with an operation of Sync. Old versions of n8n return no parameters: then all nodes of this type.
 */
export function syncNodes(
	nodes: readonly NodeTypeAndVersion[],
	operation: 'getChanges' | 'confirm',
): NodeTypeAndVersion[] {
	const matches = ({ operation: chosen = 'getChanges' }: Record<string, unknown>): boolean =>
		chosen === operation;
	return nodes.filter(
		({ type, parameters }) =>
			type.endsWith('.workspaceData') && (parameters === undefined || matches(parameters)),
	);
}

/** Checks whether the workflow has a node of this name. Returns true if n8n does not say. */
export function hasNode(context: IExecuteFunctions, name: string): boolean {
	const { nodes } = (context as HiddenMembers).workflow ?? {};
	return nodes === undefined || name in nodes;
}

/** Checks whether a user started this execution. The source of a retry is the mode of its first execution. */
export function isRunByHand(context: IExecuteFunctions): boolean {
	const mode = context.getMode();
	const { source = mode } =
		(context as HiddenMembers).runExecutionData?.executionData?.runtimeData ?? {};
	// Old versions of n8n do not return the source.
	return mode === 'manual' || (mode === 'retry' && ['manual', 'retry'].includes(source));
}

/** Checks whether connections lead from one node to another or back to itself, without passing `around`. */
export function leadsTo(
	context: IExecuteFunctions,
	from: string,
	to: string,
	around?: string,
): boolean {
	// The loop also visits the nodes that it adds to the set.
	const visited = new Set([to]);
	for (const node of visited) {
		for (const { name } of context.getParentNodes(node, { depth: 1 })) {
			if (name === from) return true;
			if (name !== around) visited.add(name);
		}
	}
	return false;
}

/** Checks whether every connection into this node is part of a loop. If the node returns nothing, the loop ends. */
export function isInLoop(context: IExecuteFunctions): boolean {
	const { name: self } = context.getNode();
	const parents = context.getParentNodes(self, { depth: 1 });
	return parents.length > 0 && parents.every(({ name }) => leadsTo(context, self, name));
}

/** Returns the nodes that have yet to run in this execution, and the known sources of their items. */
export function nodesToRun(context: IExecuteFunctions): Array<{ name: string; from: Sources }> {
	const { runExecutionData } = context as HiddenMembers;
	const { nodeExecutionStack = [], waitingExecution = {} } = runExecutionData?.executionData ?? {};
	const next = nodeExecutionStack.map(({ node, source }) => {
		return { name: node.name, from: source?.main ?? [] };
	});
	return [...next, ...Object.keys(waitingExecution).map((name) => ({ name, from: [] }))];
}

/**
 * Returns the nodes after the first output of a node that do no work in this execution, or whose work is not known.
 * Ignores paths through the node `around`. Ignores the error output, because items there are not changes.
 */
export function gapsAfter(
	context: IExecuteFunctions,
	from: string,
	around: string,
): Array<{ name: string; gap: Gap }> {
	const { startData, resultData } = (context as HiddenMembers).runExecutionData ?? {};
	const gapAt = ({ name, disabled, ...node }: NodeTypeAndVersion): Gap | undefined => {
		if (disabled) return 'deactivated';
		// Set only if the user runs a part of the workflow in the editor.
		if (startData?.runNodeFilter?.includes(name) === false) return 'left out';
		if (resultData?.pinData?.[name] !== undefined) return 'pinned';
		return isWaitedFor(node) ? undefined : 'not waited for';
	};
	const connections = (context as HiddenMembers).workflow?.connectionsBySourceNode?.[from]?.main;
	const firstNodes = connections?.[0]?.map(({ node }) => node);
	const isReached = (name: string): boolean => {
		if (firstNodes === undefined) return leadsTo(context, from, name, around);
		const nextNodes = firstNodes.filter((node) => node !== around);
		return nextNodes.some((node) => node === name || leadsTo(context, node, name, around));
	};
	return context.getChildNodes(from, { includeNodeParameters: true }).flatMap((node) => {
		const gap = gapAt(node);
		return gap && isReached(node.name) ? [{ name: node.name, gap }] : [];
	});
}

/** Checks whether a node waits for its sub-workflow. Returns false for an expression, because its value is unknown. */
function isWaitedFor({ type, parameters }: Pick<NodeTypeAndVersion, 'type' | 'parameters'>) {
	const { waitForSubWorkflow = true } = (parameters?.options ?? {}) as Record<string, unknown>;
	return type !== 'n8n-nodes-base.executeWorkflow' || waitForSubWorkflow === true;
}
