import type { ILoadOptionsFunctions, INodeListSearchResult, INodeProperties } from 'n8n-workflow';

import { RECORDS_QUERY } from '../client/api';
import { listRequest, type ListSource } from '../lists/page';
import { isObject } from '../client/envelope';
import { isRejection, ServiceFailure } from '../client/failures';
import { readAdditionalParameters } from './additional-parameters';
import { InputProblem } from './errors';
import { loadForPanel } from './session';
import { optionalText, readOptions, type GetParameter } from './parameters';

/** The object types that the service's specification names (docs/maintainers/api.md, Endpoints); a workspace may have others. */
const KNOWN_TYPES = ['Company', 'Deal', 'Item', 'Order'].map((name) => {
	return { name, value: name.toLowerCase() };
});

/** The parameter Object Type: chosen from a list, or named. The node needs `listObjectTypes` among its list searches. */
export function objectTypeProperty(description: string): INodeProperties {
	return {
		displayName: 'Object Type',
		name: 'objectType',
		type: 'resourceLocator',
		default: { mode: 'list', value: 'company', cachedResultName: 'Company' },
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
	const fix = 'Choose a type in this node, or enter its API name, for example company.';
	if (typeof chosen === 'number') {
		throw new InputProblem("'Object Type' must be text", `${fix} It is the number ${chosen} now.`);
	}
	const objectType = optionalText(chosen, 'Object Type');
	if (objectType !== undefined) return objectType;
	throw new InputProblem("'Object Type' is empty", fix);
}

/** Which list of the service is read, and whether the user says which records. */
export type ChosenList = Pick<ListSource, 'endpoint'> & { choosesObjectType?: boolean };

/** The list that is read, and what goes with every request for it. Throws InputProblem. */
export function readSource(
	get: GetParameter,
	{ endpoint, choosesObjectType }: ChosenList,
): ListSource {
	const { additionalParameters } = readOptions(get);
	const goesInto = endpoint.method === 'GET' ? 'address' : 'body';
	return {
		endpoint,
		objectType: choosesObjectType ? readObjectType(get('objectType')) : undefined,
		additional: readAdditionalParameters(additionalParameters, goesInto),
	};
}

/**
 * The known types that the service has and the key may read, found by one small request for each. Throws as
 * `loadForPanel` does where all are refused or it cannot be known.
 */
export async function listObjectTypes(this: ILoadOptionsFunctions): Promise<INodeListSearchResult> {
	return await loadForPanel(this, 'the list of object types', async (client, limits) => {
		const refusals: ServiceFailure[] = [];
		const has = async (objectType: string): Promise<boolean> => {
			const source = { endpoint: RECORDS_QUERY.endpoint, objectType };
			const asked = client(listRequest(source, { limit: 1, sort: 'updated_at' }), limits);
			const answer = await asked.catch((error: unknown) => {
				// The service does not have the type, or the key may not read it: that says nothing about the others.
				const isFailure = error instanceof ServiceFailure;
				if (!isFailure || (!isRejection(error) && error.facts.statusCode !== 403)) throw error;
				refusals.push(error);
			});
			return answer !== undefined;
		};
		const found = await Promise.all(KNOWN_TYPES.map(async ({ value }) => await has(value)));
		if (refusals.length === KNOWN_TYPES.length) throw refusals[0];
		return { results: KNOWN_TYPES.filter((_type, place) => found[place]) };
	});
}
