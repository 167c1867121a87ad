import type { ApiVersion, HttpMethod } from '../shared/api';

/** Path and method of an operation for one API version (spec section 4). */
export interface Endpoint {
	method: HttpMethod;
	path: string;
}

/**
 * One operation of the service: everything the node knows about it. Three runners act on `kind`; adding an operation
 * is adding a row, its parameters and its tests.
 */
export interface Operation {
	resource: 'company' | 'deal' | 'item' | 'order' | 'record' | 'workspace';
	operation: 'enrich' | 'getAll' | 'prospect' | 'query' | 'score' | 'whoAmI';
	/** As shown in the Operation list. */
	name: string;
	/** Sentence of the node panel, and the description of the AI tool. */
	action: string;
	description: string;
	/** `list` reads pages, `call` sends one body per input item, `read` gets one answer. */
	kind: 'list' | 'call' | 'read';
	endpoints: Partial<Record<ApiVersion, Endpoint>>;
	/** The service may charge for each request, so none is sent twice unless it was surely not processed. */
	mayBeBilled: boolean;
	/** The permission the operation needs, in words that complete "This operation needs …" (spec sections 5.6 and 5.7). */
	permission: Partial<Record<ApiVersion, string>>;
	/** Score only: the `object_type` that the body carries. */
	objectType?: 'company' | 'deal';
}

const READ_PERMISSION = { v2: 'an API key with Regular access' };

/** Design section 4, in the order of the node panel. */
export const operations = [
	{
		resource: 'company',
		operation: 'enrich',
		name: 'Enrich',
		action: 'Enrich a company',
		description: 'Complete the data of a company (may be billed)',
		kind: 'call',
		endpoints: {
			v1: { method: 'POST', path: '/v1/enrich' },
			v2: { method: 'POST', path: '/v2/enrich' },
		},
		mayBeBilled: true,
		permission: {
			v1: 'an access token with the scope companies:write',
			v2: 'an API key that may use AI operations; Full access covers them all',
		},
	},
	{
		resource: 'company',
		operation: 'getAll',
		name: 'Get Many',
		action: 'Get many companies',
		description: 'Get or export the companies of the workspace',
		kind: 'list',
		endpoints: { v2: { method: 'GET', path: '/v2/public/companies' } },
		mayBeBilled: false,
		permission: READ_PERMISSION,
	},
	{
		resource: 'company',
		operation: 'prospect',
		name: 'Prospect',
		action: 'Prospect companies',
		description: 'Find companies that are not in the workspace yet (may be billed)',
		kind: 'call',
		endpoints: { v2: { method: 'POST', path: '/v2/prospect/companies' } },
		mayBeBilled: true,
		permission: { v2: 'an API key with Full access' },
	},
	{
		resource: 'company',
		operation: 'score',
		name: 'Score',
		action: 'Score a company',
		description: 'Get an AI score for a company (may be billed)',
		kind: 'call',
		endpoints: {
			v1: { method: 'POST', path: '/v1/score' },
			v2: { method: 'POST', path: '/v2/score' },
		},
		mayBeBilled: true,
		permission: {
			v1: 'an access token with the scope companies:read',
			v2: 'an API key that may use AI operations; Full access covers them all',
		},
		objectType: 'company',
	},
	{
		resource: 'deal',
		operation: 'score',
		name: 'Score',
		action: 'Score a deal',
		description: 'Get an AI score for a deal (may be billed)',
		kind: 'call',
		endpoints: {
			v1: { method: 'POST', path: '/v1/score' },
			v2: { method: 'POST', path: '/v2/score' },
		},
		mayBeBilled: true,
		permission: {
			v1: 'an access token with the scope cases:read',
			v2: 'an API key that may use AI operations; Full access covers them all',
		},
		objectType: 'deal',
	},
	{
		resource: 'item',
		operation: 'getAll',
		name: 'Get Many',
		action: 'Get many items',
		description: 'Get or export the items of the workspace',
		kind: 'list',
		endpoints: { v2: { method: 'GET', path: '/v2/public/items' } },
		mayBeBilled: false,
		permission: READ_PERMISSION,
	},
	{
		resource: 'order',
		operation: 'getAll',
		name: 'Get Many',
		action: 'Get many orders',
		description: 'Get or export the orders of the workspace',
		kind: 'list',
		endpoints: { v2: { method: 'GET', path: '/v2/public/orders' } },
		mayBeBilled: false,
		permission: READ_PERMISSION,
	},
	{
		resource: 'record',
		operation: 'query',
		name: 'Query',
		action: 'Query records of any object type',
		description: 'Get or export the records of one object type',
		kind: 'list',
		endpoints: { v2: { method: 'POST', path: '/v2/public/records/query' } },
		mayBeBilled: false,
		permission: READ_PERMISSION,
	},
	{
		resource: 'workspace',
		operation: 'whoAmI',
		name: 'Who Am I',
		action: 'Get the workspace and permission of the credential',
		description: 'Show which workspace and permission level the credential has',
		kind: 'read',
		endpoints: {
			v1: { method: 'GET', path: '/v1/public/auth/whoami' },
			v2: { method: 'GET', path: '/v2/public/auth/whoami' },
		},
		mayBeBilled: false,
		permission: {},
	},
] as const satisfies readonly Operation[];

/** The resources in the order of the node panel, with the names users see. */
export const resources = [
	{ name: 'Company', value: 'company' },
	{ name: 'Deal', value: 'deal' },
	{ name: 'Item', value: 'item' },
	{ name: 'Order', value: 'order' },
	{ name: 'Record', value: 'record' },
	{ name: 'Workspace', value: 'workspace' },
] as const satisfies ReadonlyArray<{ name: string; value: Operation['resource'] }>;

/** The row for a resource and operation, undefined when the pair does not exist. */
export function findOperation(resource: string, operation: string): Operation | undefined {
	return operations.find((row) => row.resource === resource && row.operation === operation);
}

/** The operation as a person calls it, for example "Company: Get Many". */
export function titleOf({ resource, name }: Operation): string {
	const title = resources.find(({ value }) => value === resource)?.name ?? resource;
	return `${title}: ${name}`;
}
