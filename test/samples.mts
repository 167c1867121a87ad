import type { Kind, sandboxCredentials } from './sandbox/authentication.mts';
import type { ObjectType, Sandbox } from './sandbox/types.mts';

/** Names of sandbox credentials with different permissions. */
export const credentialNames = [
	'v2Full',
	'v2Regular',
	'v1AllScopes',
	'v1CompaniesRead',
	'v1NoScopes',
] as const satisfies Array<keyof typeof sandboxCredentials>;

export type CredentialName = (typeof credentialNames)[number];

/** Request that the sandbox (the simulated service) must receive. */
export interface ExpectedRequest {
	method: string;
	path: string;
	query?: Record<string, string>;
	body?: unknown;
}

/** One way to use an operation, and the request that it must send. */
interface Use {
	/** Parameters of the node, without resource and operation. */
	parameters: Record<string, unknown>;
	/**
	 * First request of the operation, by kind of credential. If a kind is missing, the node must fail without a
	 * request.
	 */
	requests: Partial<Record<Kind, ExpectedRequest>>;
}

/**
 * Sample of an operation, for tests that check all operations. Samples are written from docs/maintainers/api.md and not
 * from the operations table, because they check this table.
 */
export interface Sample extends Use {
	/** Title of the operation in errors and in the README. */
	title: string;
	/** Whether the panel preselects this operation for its resource. */
	isFirst?: true;
	/** Credentials that can use the operation. The service responds with 403 to all others. */
	allowed: CredentialName[];
	/** Missing permission that the error must name, by kind of credential. */
	needs?: Partial<Record<Kind, string>>;
	/** Result of the operation: all records of an object type, one item, or several items. */
	gives: { records: ObjectType } | 'one' | 'several';
	/** Effect of a repeated request in the service: none, the same action again, or another call that may be billed. */
	repeat: 'safe' | 'acts' | 'billed';
	/** Error of a new node that the user has not filled in. Undefined if such a node works. */
	bare?: RegExp;
	/** Prepares the sandbox before a test of the operation. */
	prepare?: (sandbox: Sandbox) => void;
	/** Whether only separate tests cover the operation, because its result depends on earlier runs. */
	hasOwnSuites?: true;
	/** Other ways to use the operation, by name. */
	variants?: Record<string, Use>;
}

const example = { domain: 'example.com' };
const send = { dataToSend: 'json', jsonBody: '{"domain":"example.com"}' };
const byCursor = { returnAll: true, options: { pagination: { values: { pageSize: 100 } } } };
const byPage = { returnAll: true, options: { pagination: { values: { page: 1, pageSize: 100 } } } };
const readers: CredentialName[] = ['v2Full', 'v2Regular'];
const allCredentials = [...credentialNames];

/** Returns the common part of samples for lists that have their own endpoint, with pagination by cursor and by page. */
function list(path: string) {
	return {
		allowed: readers,
		repeat: 'safe',
		parameters: byCursor,
		requests: { v2: { method: 'GET', path, query: { sort: 'updated_at', limit: '100' } } },
		variants: {
			'by page': {
				parameters: byPage,
				requests: { v2: { method: 'GET', path, query: { page: '1', limit: '100' } } },
			},
		},
	} satisfies Partial<Sample>;
}

/** Returns a records query for a page of 100 deals (section 4.2 of the specification). */
function queryOf(more: object): ExpectedRequest {
	return {
		method: 'POST',
		path: '/v2/public/records/query',
		body: { object_type: 'deal', limit: 100, ...more },
	};
}

/** Returns the common part of samples for a call whose input is `example` as JSON. */
function call(path: string, body: unknown) {
	return {
		gives: 'one',
		repeat: 'billed',
		bare: /nothing to send/,
		parameters: send,
		requests: {
			v2: { method: 'POST', path: `/v2/${path}`, body },
			v1: { method: 'POST', path: `/v1/${path}`, body },
		},
	} satisfies Partial<Sample>;
}

/**
 * One sample for each operation, by resource and operation. test/checks/samples.test.mts reports operations without a
 * sample.
 */
export const samples: Record<string, Sample> = {
	'company:enrich': {
		title: 'Company: Enrich',
		...call('enrich', example),
		allowed: ['v2Full', 'v1AllScopes'],
		needs: { v2: 'Full access', v1: 'companies:write' },
	},
	'company:getAll': {
		title: 'Company: Get Many',
		isFirst: true,
		gives: { records: 'company' },
		...list('/v2/public/companies'),
	},
	'company:prospect': {
		title: 'Company: Prospect',
		gives: 'several',
		repeat: 'billed',
		allowed: ['v2Full'],
		needs: { v2: 'Full access' },
		parameters: send,
		requests: { v2: { method: 'POST', path: '/v2/prospect/companies', body: example } },
		variants: {
			'by GET': {
				parameters: { ...send, options: { httpMethod: 'GET' } },
				requests: { v2: { method: 'GET', path: '/v2/prospect/companies', query: example } },
			},
		},
	},
	'company:score': {
		title: 'Company: Score',
		...call('score', { ...example, object_type: 'company' }),
		allowed: [...readers, 'v1AllScopes', 'v1CompaniesRead'],
		needs: { v1: 'companies:read' },
	},
	'deal:getAll': {
		title: 'Deal: Get Many',
		isFirst: true,
		gives: { records: 'deal' },
		repeat: 'safe',
		allowed: readers,
		parameters: byCursor,
		requests: { v2: queryOf({ sort: 'standard:updated_at:asc' }) },
		variants: { 'by page': { parameters: byPage, requests: { v2: queryOf({ page: 1 }) } } },
	},
	'deal:score': {
		title: 'Deal: Score',
		...call('score', { ...example, object_type: 'deal' }),
		allowed: [...readers, 'v1AllScopes'],
		needs: { v1: 'cases:read' },
	},
	'item:getAll': {
		title: 'Item: Get Many',
		isFirst: true,
		gives: { records: 'item' },
		...list('/v2/public/items'),
	},
	'order:getAll': {
		title: 'Order: Get Many',
		isFirst: true,
		gives: { records: 'order' },
		...list('/v2/public/orders'),
	},
	'record:query': {
		title: 'Record: Query',
		isFirst: true,
		gives: { records: 'deal' },
		repeat: 'safe',
		bare: /Parameter "Object Type" is required/,
		allowed: readers,
		parameters: { objectType: 'deal', ...byCursor },
		requests: { v2: queryOf({ sort: 'standard:updated_at:asc' }) },
		variants: {
			'by page': {
				parameters: { objectType: 'deal', ...byPage },
				requests: { v2: queryOf({ page: 1 }) },
			},
		},
	},
	'sync:confirm': {
		title: 'Sync: Confirm Changes',
		gives: 'several',
		repeat: 'safe',
		allowed: allCredentials,
		hasOwnSuites: true,
		parameters: {},
		requests: {},
	},
	'sync:getChanges': {
		title: 'Sync: Get Changes',
		isFirst: true,
		gives: { records: 'deal' },
		repeat: 'safe',
		allowed: readers,
		hasOwnSuites: true,
		parameters: { objectType: 'deal', options: { pagination: { values: { pageSize: 100 } } } },
		requests: { v2: queryOf({ sort: 'standard:updated_at:asc' }) },
	},
	'workspace:whoAmI': {
		title: 'Workspace: Who Am I',
		isFirst: true,
		gives: 'one',
		repeat: 'safe',
		allowed: allCredentials,
		parameters: {},
		requests: {
			v2: { method: 'GET', path: '/v2/public/auth/whoami' },
			v1: { method: 'GET', path: '/v1/public/auth/whoami' },
		},
	},
};

/** Test case: one way to use an operation, with all parameters. */
export interface SampleCase extends Omit<Sample, 'variants'> {
	/** Title of the operation, followed by the name of the variant if it is one. */
	name: string;
	/** Resource and operation of the node. */
	chosen: { resource: string; operation: string };
}

/** Test cases for all samples and their variants. */
const allCases: SampleCase[] = Object.entries(samples).flatMap(
	([id, { variants = {}, ...sample }]) => {
		const [resource = '', operation = ''] = id.split(':');
		const chosen = { resource, operation };
		const caseOf = (name: string, use: Use): SampleCase => ({
			...sample,
			name,
			chosen,
			parameters: { ...chosen, ...use.parameters },
			requests: use.requests,
		});
		return [
			caseOf(sample.title, sample),
			...Object.entries(variants).map(([name, use]) => caseOf(`${sample.title} ${name}`, use)),
		];
	},
);

/** One test case for each operation, without variants. */
export const everyOperation = allCases.filter(({ name, title }) => name === title);

/** Test cases of the operations whose result does not depend on earlier runs. */
export const sampleCases = allCases.filter(({ hasOwnSuites }) => !hasOwnSuites);

/** Test cases without variants, of the operations whose result does not depend on earlier runs. */
export const oneCasePerOperation = sampleCases.filter(({ name, title }) => name === title);

/** Test case of an operation that may be billed. */
export const billedCase = sampleCases.find(({ repeat }) => repeat === 'billed') as SampleCase;
