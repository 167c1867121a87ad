/**
 * Creates the node types of test workflows: stand-ins for n8n's own nodes, and the register in which n8n's engine looks
 * up types.
 */
import type { IDataObject, INodeExecutionData, INodeType, INodeTypes } from 'n8n-workflow';

/** Type name of the first node in a test workflow. This stand-in returns the start items of the run. */
export const START_NODE_TYPE = 'n8n-nodes-base.manualTrigger';

/** Creates a stand-in for one of n8n's own nodes, because n8n-core does not include them. */
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

/** Creates the type of the first node, which returns the start items. */
export function startNodeType(startItems: INodeExecutionData[]): INodeType {
	// Return copies, because the engine adds fields to items.
	const copies = async () => [startItems.map((item) => ({ ...item }))];
	return standIn(copies, { group: ['trigger'], inputs: [] });
}

/**
 * Creates the register in which n8n's engine looks up node types. The keys of `types` are full type names.
 * @throws Error if a method of the register gets an unknown type name. The message lists the known names
 */
export function createNodeTypes(types: Record<string, INodeType>): INodeTypes {
	const find = (name: string) => {
		if (types[name]) return types[name];
		throw new Error(`Unknown node type "${name}". Known here: ${Object.keys(types).join(', ')}`);
	};
	return { getByName: find, getByNameAndVersion: find, getKnownTypes: (): IDataObject => ({}) };
}

/**
 * Converts objects to n8n items. An object whose member `json` is an object is an item already. Any other object
 * becomes the `json` of a new item.
 */
export function toItems(items: ReadonlyArray<INodeExecutionData | object>): INodeExecutionData[] {
	return items.map((item) => {
		const isItem = 'json' in item && typeof item.json === 'object' && item.json !== null;
		return isItem ? (item as INodeExecutionData) : { json: item as IDataObject };
	});
}
