import { kinds } from './authentication.mts';
import { envelope, rejectUnknown, type Endpoint } from './endpoint.mts';

/** The whoami endpoints, one for each kind of credential. */
export const whoamiEndpoints = kinds.map(
	(version): Endpoint => ({
		method: 'GET',
		path: `/${version}/public/auth/whoami`,
		access: { version },
		handle({ query, caller, contextId }) {
			rejectUnknown(query, [], 'query parameter');
			return envelope(JSON.stringify(caller.whoAmI), contextId);
		},
	}),
);
