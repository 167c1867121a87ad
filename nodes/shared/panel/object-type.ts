import type { ILoadOptionsFunctions, INodeListSearchResult, INodeProperties } from 'n8n-workflow';

import { isObject } from '../client/json';
import { InputProblem } from '../errors/node-errors';
import { optionalText } from './read-parameters';

/** Object types in the service's specification (docs/maintainers/api.md, Endpoints). A workspace may have others. */
const KNOWN_TYPES = ['Company', 'Deal', 'Item', 'Order'].map((name) => ({
	name,
	value: name.toLowerCase(),
}));

const COMPANY: INodeProperties['default'] = {
	mode: 'list',
	value: 'company',
	cachedResultName: 'Company',
};

/** Returns the parameter Object Type, with `start` in a new node. The node needs the method `listObjectTypes`. */
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

/** Returns the object type from a choice in the panel or from text. Throws InputProblem if the type is empty. */
export function readObjectType(value: unknown): string {
	const chosen = isObject(value) && '__rl' in value ? value.value : value;
	const objectType = optionalText(chosen, 'Object Type');
	if (objectType !== undefined) return objectType;
	throw new InputProblem(
		"'Object Type' is empty",
		'Choose a type in this node, or enter its API name, for example company.',
	);
}

/** Returns the object types that the panel offers, although a workspace may not have all of them. */
export async function listObjectTypes(this: ILoadOptionsFunctions): Promise<INodeListSearchResult> {
	return { results: KNOWN_TYPES };
}
