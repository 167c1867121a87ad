import type { ApiVersion } from '../client/credential';
import type { ListSource } from '../lists/page';
import { readAdditionalParameters } from './additional-parameters';
import { readObjectType } from './object-type';
import type { GetParameter } from './read-parameters';

/** Which records of a list are read: the user says it, or they are always the same. */
export interface ListOfType {
	choosesObjectType?: boolean;
	fixedFields?: Readonly<Record<string, string>>;
}
/** A list of the service, by kind of credential. */
export type ChosenList = ListOfType & {
	endpoints: Partial<Record<ApiVersion, ListSource['endpoint']>>;
};

/** The list that is read, and what goes with every request for it. Throws InputProblem. */
export function readSource(
	get: GetParameter,
	{ additionalParameters }: Record<string, unknown>,
	{ endpoint, choosesObjectType, fixedFields }: ListOfType & Pick<ListSource, 'endpoint'>,
): ListSource {
	const goesInto = endpoint.method === 'GET' ? 'address' : 'body';
	return {
		endpoint,
		objectType: choosesObjectType ? readObjectType(get('objectType')) : fixedFields?.object_type,
		additional: readAdditionalParameters(additionalParameters, goesInto),
	};
}
