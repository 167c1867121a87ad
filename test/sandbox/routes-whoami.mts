import { kinds } from './authentication.mts';
import { envelope, refuseUnknown, type Endpoint } from './endpoint.mts';

/** The check of each kind of credential. */
export const whoamiEndpoints = kinds.map(
	(version): Endpoint => ({
		method: 'GET',
		path: `/${version}/public/auth/whoami`,
		access: { version },
		handle({ query, caller, contextId }) {
			refuseUnknown(query, [], 'query parameter');
			return envelope(JSON.stringify(caller.whoAmI), contextId);
		},
	}),
);
