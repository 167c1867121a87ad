import type { Caller, Kind } from './authentication.mts';
import { envelope, refuseUnknown, type Endpoint } from './endpoint.mts';

function whoami(version: Kind, tell: (caller: Caller) => object): Endpoint {
	return {
		method: 'GET',
		path: `/${version}/public/auth/whoami`,
		access: { version },
		handle({ query, caller, contextId }) {
			refuseUnknown(query, [], 'query parameter');
			return envelope(JSON.stringify(tell(caller)), contextId);
		},
	};
}

/** The two checks of a credential. They never repeat the credential itself. */
export const whoamiEndpoints: Endpoint[] = [
	whoami('v1', ({ label, scopes }) => ({ token: `Sandbox ${label}`, scopes })),
	whoami('v2', ({ label, level }) => ({ permission_level: level, key_name: `Sandbox ${label}` })),
];
