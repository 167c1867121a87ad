import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import type { ListSource } from '../../client/list-request';
import { loadFields } from '../../common/fields';
import { findOperation } from '../operations';
import { readSource } from './parameters';

/** The fields that the records of the chosen list have, to choose from. */
export async function loadFieldsOfList(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	return await loadFields(this, () => sourceInPanel(this));
}

function sourceInPanel(context: ILoadOptionsFunctions): ListSource {
	const get = (name: string): unknown => context.getCurrentNodeParameter(name);
	const operation = findOperation(String(get('resource')), String(get('operation')));
	const endpoint = operation?.endpoints.v2;
	if (operation === undefined || endpoint === undefined) {
		throw new RangeError('The operation has no list');
	}
	return readSource(get, operation, endpoint);
}
