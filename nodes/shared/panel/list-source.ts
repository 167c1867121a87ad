import type { ApiVersion } from '../client/credential';
import type { ListSource } from '../lists/page';
import { readAdditionalParameters } from './additional-parameters';
import { readObjectType } from './object-type';
import type { GetParameter } from './read-parameters';

/** Which records a list returns: the user chooses the object type, or the operation has fixed fields. */
interface ListOfType {
	choosesObjectType?: boolean;
	fixedFields?: Readonly<Record<string, string>>;
}
/** A list of the service, with its endpoint for each kind of credential. */
export type ChosenList = ListOfType & {
	endpoints: Partial<Record<ApiVersion, ListSource['endpoint']>>;
};

/** Returns the list to read, with the parameters of every request for it. Throws InputProblem. */
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
