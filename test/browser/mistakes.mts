/** Mistakes of users and failures of the service, with the beginning of the error that the editor must show. */

import type { Fault } from '../sandbox/types.mts';

/** Port on which no program listens. */
export const deadPort = 9;
const quick = { requests: { values: { retryFor: 2 } } };

/**
 * A mistake of a user, or a failure of the service. `heading` is the beginning of the error's title in the editor,
 * `fix` the beginning of its description.
 */
export interface Mistake {
	name: string;
	/** Name of the node's credential. Default: the credential with full access. */
	credential?: string;
	/** Parameters of the node. All other parameters have their defaults. */
	parameters?: Record<string, unknown>;
	/** Failure that the sandbox (the simulated service) produces. */
	fault?: Fault;
	heading: string;
	fix: string;
	/** HTTP statuses of the sandbox's responses. Empty if no request reaches the sandbox. */
	statuses?: number[];
}

export const mistakes: Mistake[] = [
	{
		name: 'wrong-key',
		credential: 'A mistyped key',
		heading: 'Key or token not recognized',
		fix: '1. In the credential, check that the API key was copied whole',
		statuses: [401],
	},
	{
		name: 'needs-api-key',
		credential: 'A token',
		heading:
			'Company: Get Many needs a developer API key (v2), but the credential holds a developer access token (v1)',
		fix: "In the credential, set 'API Version' to V2 and enter",
	},
	{
		name: 'missing-permission',
		credential: 'Regular access',
		parameters: {
			operation: 'prospect',
			fields: { assignments: [{ id: '1', name: 'industry', type: 'string', value: 'Toys' }] },
		},
		heading: 'This API key is not allowed to use Company: Prospect',
		fix: 'In the credential, enter an API key with Full access.',
		statuses: [403],
	},
	{
		name: 'object-type',
		parameters: {
			resource: 'record',
			operation: 'query',
			objectType: { __rl: true, mode: 'name', value: 'contcats' },
		},
		heading: 'Object type "contcats" not found',
		fix: "Choose another 'Object Type' in this node, or correct its name.",
		statuses: [404],
	},
	{
		name: 'invalid-json',
		parameters: { operation: 'enrich', dataToSend: 'json', jsonBody: '{ "domain": 1, }' },
		heading: 'Invalid JSON at line 1, column 16',
		fix: "Correct the parameter 'JSON': Expected double-quoted property name in JSON",
	},
	{
		name: 'start-cursor',
		parameters: {
			options: { pagination: { values: { pageSize: 50, startCursor: 'bWlzdHlwZWQ' } } },
		},
		heading: "The service refused this 'Start Cursor'",
		fix: "1. Clear the option 'Start Cursor' to read from the beginning",
		statuses: [400],
	},
	{
		name: 'rate-limit',
		parameters: { options: { requests: { values: { retryFor: 0 } } } },
		fault: {
			status: 429,
			headers: { 'retry-after': '30' },
			body: {
				success: false,
				error: { code: 'rate_limited', message: 'Too many requests.' },
				meta: { ctx_id: 'ctx_rate_limit' },
			},
		},
		heading: 'The service is receiving too many requests',
		fix: '1. Run fewer workflows against this workspace at the same time.',
		statuses: [429],
	},
	{
		name: 'host-not-found',
		credential: 'No host',
		parameters: { options: quick },
		heading: 'Host "api.exmaple.invalid" not found',
		fix: "Check the spelling of the 'Base URL' in the credential.",
	},
	{
		name: 'connection-refused',
		credential: 'No port',
		parameters: { options: quick },
		heading: `Connection refused by 127.0.0.1:${deadPort}`,
		fix: "1. Check the port of the 'Base URL' in the credential.",
	},
];
