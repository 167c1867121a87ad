import type {
	IConnections,
	IExecuteFunctions,
	IRunExecutionData,
	ISourceData,
	NodeTypeAndVersion,
} from 'n8n-workflow';

type Sources = Array<ISourceData | null>;

/** Members of n8n's execution context that n8n's types do not declare. Each member may be missing. */
interface HiddenMembers {
	runExecutionData?: Partial<IRunExecutionData>;
	workflow?: { connectionsBySourceNode?: IConnections; nodes?: Record<string, unknown> };
}

/**
 * Why another node may not have processed the changes: it is left out of a partial run, has pinned data, is
 * deactivated, or does not wait for its sub-workflow.
 */
type ReasonNotProcessed = 'left out' | 'pinned' | 'deactivated' | 'not waited for';

/** Returns the Workspace Data nodes with this Sync operation, or with unknown parameters (in old versions of n8n). */
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

/** Checks whether the workflow has a node of this name. Returns true if n8n does not list its nodes. */
export function hasNode(context: IExecuteFunctions, name: string): boolean {
	const { nodes } = (context as HiddenMembers).workflow ?? {};
	return nodes === undefined || name in nodes;
}

/** Checks whether a user started this execution, or the original execution of this retry, in the editor. */
export function isRunByHand(context: IExecuteFunctions): boolean {
	const mode = context.getMode();
	const { source = mode } =
		(context as HiddenMembers).runExecutionData?.executionData?.runtimeData ?? {};
	// `source` is the mode of the original execution of a retry. Old versions of n8n do not report this mode.
	return mode === 'manual' || (mode === 'retry' && ['manual', 'retry'].includes(source));
}

/** Checks whether a path leads from `from` to `to` without passing `around`. If `from` is `to`, it is a loop. */
export function hasPath(
	context: IExecuteFunctions,
	from: string,
	to: string,
	around?: string,
): boolean {
	// A for...of loop over a Set also visits items that are added during the loop.
	const visited = new Set([to]);
	for (const node of visited) {
		for (const { name } of context.getParentNodes(node, { depth: 1 })) {
			if (name === from) return true;
			if (name !== around) visited.add(name);
		}
	}
	return false;
}

/** Checks whether every connection into this node is part of a loop. Such a loop ends if the node returns no items. */
export function isInLoop(context: IExecuteFunctions): boolean {
	const { name: self } = context.getNode();
	const parents = context.getParentNodes(self, { depth: 1 });
	return parents.length > 0 && parents.every(({ name }) => hasPath(context, self, name));
}

/** Returns the nodes that n8n will still run. `from` lists the known sources of a node's input items. */
export function nodesToRun(context: IExecuteFunctions): Array<{ name: string; from: Sources }> {
	const { runExecutionData } = context as HiddenMembers;
	const { nodeExecutionStack = [], waitingExecution = {} } = runExecutionData?.executionData ?? {};
	const next = nodeExecutionStack.map(({ node, source }) => {
		return { name: node.name, from: source?.main ?? [] };
	});
	return [...next, ...Object.keys(waitingExecution).map((name) => ({ name, from: [] }))];
}

/**
 * Returns the nodes after the node `from` that may not process its items in this execution, with the reason. Ignores
 * paths through the node `around`. Ignores the error output, because error items are not changes.
 */
export function unprocessedNodesAfter(
	context: IExecuteFunctions,
	from: string,
	around: string,
): Array<{ name: string; reason: ReasonNotProcessed }> {
	const { startData, resultData } = (context as HiddenMembers).runExecutionData ?? {};
	const reasonAt = ({
		name,
		disabled,
		...node
	}: NodeTypeAndVersion): ReasonNotProcessed | undefined => {
		if (disabled) return 'deactivated';
		// n8n sets `runNodeFilter` only if the user runs a part of the workflow in the editor.
		if (startData?.runNodeFilter?.includes(name) === false) return 'left out';
		if (resultData?.pinData?.[name] !== undefined) return 'pinned';
		return isWaitedFor(node) ? undefined : 'not waited for';
	};
	const connections = (context as HiddenMembers).workflow?.connectionsBySourceNode?.[from]?.main;
	const firstNodes = connections?.[0]?.map(({ node }) => node);
	const isReached = (name: string): boolean => {
		if (firstNodes === undefined) return hasPath(context, from, name, around);
		const nextNodes = firstNodes.filter((node) => node !== around);
		return nextNodes.some((node) => node === name || hasPath(context, node, name, around));
	};
	return context.getChildNodes(from, { includeNodeParameters: true }).flatMap((node) => {
		const reason = reasonAt(node);
		return reason && isReached(node.name) ? [{ name: node.name, reason }] : [];
	});
}

/** Checks whether a node waits for its sub-workflow. Returns false for an expression, whose value is unknown here. */
function isWaitedFor({ type, parameters }: Pick<NodeTypeAndVersion, 'type' | 'parameters'>) {
	const { waitForSubWorkflow = true } = (parameters?.options ?? {}) as Record<string, unknown>;
	return type !== 'n8n-nodes-base.executeWorkflow' || waitForSubWorkflow === true;
}
