import type { ILoadOptionsFunctions, INodeListSearchResult, INodeProperties } from 'n8n-workflow';

import { isObject } from '../client/json';
import { InputProblem } from '../errors/node-errors';
import { optionalText } from './read-parameters';

/**
 * Object types that the service's specification names (docs/maintainers/api.md, Endpoints). A workspace may have
 * others.
 */
const KNOWN_TYPES = ['Company', 'Deal', 'Item', 'Order'].map((name) => ({
	name,
	value: name.toLowerCase(),
}));

const COMPANY: INodeProperties['default'] = {
	mode: 'list',
	value: 'company',
	cachedResultName: 'Company',
};

/**
 * Returns the parameter Object Type, with a list and a name as modes. The node needs `listObjectTypes` as a list search
 * method.
 * @param start value of the parameter in a new node
 */
export function objectTypeProperty(description: string, start = COMPANY): INodeProperties {
	return {
		displayName: 'Object Type',
		name: 'objectType',
		type: 'resourceLocator',
		default: start,
		required: true,
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod: 'listObjectTypes' },
				hint: 'Not in the list? Switch to By Name',
			},
			{
				displayName: 'By Name',
				name: 'name',
				type: 'string',
				placeholder: 'e.g. company',
				hint: 'API name of the type, such as company',
			},
		],
	};
}

/** Returns the object type from a choice of the panel, or from text, as expressions return it. Throws InputProblem. */
export function readObjectType(value: unknown): string {
	const chosen = isObject(value) && '__rl' in value ? value.value : value;
	const objectType = optionalText(chosen, 'Object Type');
	if (objectType !== undefined) return objectType;
	throw new InputProblem(
		"'Object Type' is empty",
		'Choose a type in this node, or enter its API name, for example company.',
	);
}

/**
 * Returns the object types that the panel offers. If a workspace lacks one of them, the service rejects the request.
 */
export async function listObjectTypes(this: ILoadOptionsFunctions): Promise<INodeListSearchResult> {
	return { results: KNOWN_TYPES };
}
