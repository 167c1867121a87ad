import { envelope, refuseUnknown, type Endpoint } from './endpoint.mts';

/** The two checks of a credential. They never repeat the credential itself. */
export const whoamiEndpoints: Endpoint[] = [
	{
		method: 'GET',
		path: '/v1/public/auth/whoami',
		access: { version: 'v1' },
		handle(call) {
			refuseUnknown(call.query, [], 'query parameter');
			const { keyName, scopes } = call.caller;
			const { workspace } = call.dataset;
			return envelope(JSON.stringify({ workspace, token: keyName, scopes }), call.contextId);
		},
	},
	{
		method: 'GET',
		path: '/v2/public/auth/whoami',
		access: { version: 'v2' },
		handle(call) {
			refuseUnknown(call.query, [], 'query parameter');
			const { keyName, level } = call.caller;
			const { workspace } = call.dataset;
			const data = { workspace, permission_level: level, key_name: keyName };
			return envelope(JSON.stringify(data), call.contextId);
		},
	},
];
