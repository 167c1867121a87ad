import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { RECORDS_QUERY } from '../client/api';
import { readAdditionalParameters } from '../common/additional-parameters';
import { loadFields } from '../common/fields';
import { readObjectType } from '../common/object-type';
import { readOptions } from '../common/parameters';

/** The fields that records of the chosen type have, to choose from. */
export async function loadFieldsOfTrigger(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const get = (name: string): unknown => this.getCurrentNodeParameter(name);
	return await loadFields(this, () => ({
		endpoint: RECORDS_QUERY.endpoint,
		objectType: readObjectType(get('objectType')),
		additional: readAdditionalParameters(readOptions(get).additionalParameters, 'body'),
	}));
}
