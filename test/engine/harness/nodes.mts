/** The node types of test workflows: the package's own types, the test's types, and a type for the first node. */
import type { IDataObject, INodeExecutionData, INodeType, INodeTypes } from 'n8n-workflow';

/** Type name of the stand-in that starts a workflow and returns the run's start items. */
export const START_NODE_TYPE = 'n8n-nodes-base.manualTrigger';

/** Returns a stand-in for one of n8n's own nodes, which n8n-core does not include. */
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

/** Returns the type of the first node. */
export function startNodeType(startItems: INodeExecutionData[]): INodeType {
	// Return copies, because the engine adds fields to items.
	const copies = async () => [startItems.map((item) => ({ ...item }))];
	return standIn(copies, { group: ['trigger'], inputs: [] });
}

/**
 * Returns n8n's register of node types, made from an object with full type names as keys.
 * @throws Error in the register's methods if a type is unknown, with the known types
 */
export function createNodeTypes(types: Record<string, INodeType>): INodeTypes {
	const find = (name: string) => {
		if (types[name]) return types[name];
		throw new Error(`Unknown node type "${name}". Known here: ${Object.keys(types).join(', ')}`);
	};
	return { getByName: find, getByNameAndVersion: find, getKnownTypes: (): IDataObject => ({}) };
}

/**
 * Returns n8n items. An object with an object in `json` is an item already. Any other object becomes the `json` of a
 * new item.
 */
export function toItems(items: ReadonlyArray<INodeExecutionData | object>): INodeExecutionData[] {
	return items.map((item) => {
		const isItem = 'json' in item && typeof item.json === 'object' && item.json !== null;
		return isItem ? (item as INodeExecutionData) : { json: item as IDataObject };
	});
}
