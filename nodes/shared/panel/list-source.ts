import type { ApiVersion } from '../client/credential';
import type { ListSource } from '../lists/page';
import { readAdditionalParameters } from './additional-parameters';
import { readObjectType } from './object-type';
import type { GetParameter } from './read-parameters';

/** Says where the object type of a list comes from: the user chooses it, or the operation has a fixed type. */
interface ListOfType {
	choosesObjectType?: boolean;
	fixedFields?: Readonly<Record<string, string>>;
}
/** A list of the service, with its endpoint for each API version. */
export type ChosenList = ListOfType & {
	endpoints: Partial<Record<ApiVersion, ListSource['endpoint']>>;
};

/** Returns the list to read: its endpoint, object type and filters. Throws InputProblem for an invalid parameter. */
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
