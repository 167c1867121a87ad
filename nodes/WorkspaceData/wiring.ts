import type { IExecuteFunctions, IRunExecutionData, ISourceData } from 'n8n-workflow';

type Sources = Array<ISourceData | null>;

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
	// What contexts hold, though their types do not show it.
	const { runExecutionData } = context as { runExecutionData?: IRunExecutionData };
	const { nodeExecutionStack = [], waitingExecution = {} } = runExecutionData?.executionData ?? {};
	const next = nodeExecutionStack.map(({ node, source }) => {
		return { name: node.name, from: source?.main ?? [] };
	});
	return [...next, ...Object.keys(waitingExecution).map((name) => ({ name, from: [] }))];
}
