import type { ILoadOptionsFunctions, INodeListSearchResult, INodeProperties } from 'n8n-workflow';

import { isObject } from '../client/json';
import { InputProblem } from '../errors/node-errors';
import { optionalText } from './read-parameters';

/** The object types that the service's specification names (docs/maintainers/api.md, Endpoints); a workspace may have others. */
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
 * Returns the parameter Object Type: a choice from a list, or a name. The node needs `listObjectTypes` among its list searches.
 * @param start the value of a new node
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

/** A choice of the panel, or text as expressions and older workflows give it. Throws InputProblem. */
export function readObjectType(value: unknown): string {
	const chosen = isObject(value) && '__rl' in value ? value.value : value;
	const objectType = optionalText(chosen, 'Object Type');
	if (objectType !== undefined) return objectType;
	throw new InputProblem(
		"'Object Type' is empty",
		'Choose a type in this node, or enter its API name, for example company.',
	);
}

/** What the panel offers as Object Type. A service that has no such type, or does not show it to the key, says so. */
export async function listObjectTypes(this: ILoadOptionsFunctions): Promise<INodeListSearchResult> {
	return { results: KNOWN_TYPES };
}
