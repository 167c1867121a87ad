/** The node types a test workflow can use: the package's own, the test's own, and one to start with. */
import type { IDataObject, INodeExecutionData, INodeType, INodeTypes } from 'n8n-workflow';

/** The stand-in that starts a workflow: it gives out the run's start items. */
export const START_NODE_TYPE = 'n8n-nodes-base.manualTrigger';

/** A node of n8n's own, which is not a dependency of n8n-core, as far as a test needs it. */
export function standIn(
	execute: INodeType['execute'],
	description: Partial<INodeType['description']> = {},
): INodeType {
	return {
		description: {
			displayName: 'Stand-in',
			name: 'standIn',
			group: ['transform'],
			version: 1,
			description: 'Stand-in for a node of n8n',
			defaults: { name: 'Stand-in' },
			inputs: ['main'],
			outputs: ['main'],
			properties: [],
			...description,
		},
		execute,
	};
}

/** The node to start with. */
export function startNodeType(startItems: INodeExecutionData[]): INodeType {
	// Copies: the engine marks items, and the objects of a test are the test's.
	const copies = async () => [startItems.map((item) => ({ ...item }))];
	return standIn(copies, { group: ['trigger'], inputs: [] });
}

/**
 * n8n's register of node types, over a plain object keyed by full type name.
 * @throws Error of the register's methods when a type is unknown, naming the known ones
 */
export function createNodeTypes(types: Record<string, INodeType>): INodeTypes {
	const find = (name: string) => {
		if (types[name]) return types[name];
		throw new Error(`Unknown node type "${name}". Known here: ${Object.keys(types).join(', ')}`);
	};
	return { getByName: find, getByNameAndVersion: find, getKnownTypes: (): IDataObject => ({}) };
}

/** Makes n8n items: a plain object becomes the `json` of one; what has an object `json` is one already. */
export function toItems(items: ReadonlyArray<INodeExecutionData | object>): INodeExecutionData[] {
	return items.map((item) => {
		const isItem = 'json' in item && typeof item.json === 'object' && item.json !== null;
		return isItem ? (item as INodeExecutionData) : { json: item as IDataObject };
	});
}
