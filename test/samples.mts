import type { Kind, sandboxCredentials } from './sandbox/authentication.mts';
import type { ObjectType, Sandbox } from './sandbox/types.mts';

/** Credentials with different permissions, by their names in `sandboxCredentials`. */
export const credentialNames = [
	'v2Full',
	'v2Regular',
	'v1AllScopes',
	'v1CompaniesRead',
	'v1NoScopes',
] as const satisfies Array<keyof typeof sandboxCredentials>;

export type CredentialName = (typeof credentialNames)[number];

/** Request as the sandbox logs it. */
export interface ExpectedRequest {
	method: string;
	path: string;
	query?: Record<string, string>;
	body?: unknown;
}

/** Use of an operation, and the request that it sends. */
interface Use {
	/** Parameters as in a workflow, without resource and operation. */
	parameters: Record<string, unknown>;
	/** First request, by kind of credential. With a missing kind, the node fails before it sends a request. */
	requests: Partial<Record<Kind, ExpectedRequest>>;
}

/**
 * Operation as tests use it. Many tests loop over all operations. The samples follow docs/maintainers/api.md, not the
 * operations table, because they check the table.
 */
export interface Sample extends Use {
	/** Title in errors and in the README. */
	title: string;
	/** Whether the panel selects this operation first for its resource. */
	isFirst?: true;
	/** Credentials with permission for the operation. All others get 403. */
	allowed: CredentialName[];
	/** Permission that the error names, by kind of credential. */
	needs?: Partial<Record<Kind, string>>;
	/** Output: all records of a type, one result, or several results. */
	gives: { records: ObjectType } | 'one' | 'several';
	/** Effect of a repeated request on the service. */
	repeat: 'safe' | 'acts' | 'billed';
	/** Error message of a node without any input by the user. Undefined if such a node works. */
	bare?: RegExp;
	/** Prepares the sandbox before each use of the operation. */
	prepare?: (sandbox: Sandbox) => void;
	/** Whether the operation has separate tests, because its result depends on earlier runs. */
	hasOwnSuites?: true;
	/** Other uses of the operation, by name. */
	variants?: Record<string, Use>;
}

const example = { domain: 'example.com' };
const send = { dataToSend: 'json', jsonBody: '{"domain":"example.com"}' };
const byCursor = { returnAll: true, options: { pagination: { values: { pageSize: 100 } } } };
const byPage = { returnAll: true, options: { pagination: { values: { page: 1, pageSize: 100 } } } };
const readers: CredentialName[] = ['v2Full', 'v2Regular'];
const allCredentials = [...credentialNames];

/** Returns a sample for a list with its own endpoint, in both paginations. */
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

/** Returns the request for a page of 100 deals from the records query. */
function queryOf(more: object): ExpectedRequest {
	return {
		method: 'POST',
		path: '/v2/public/records/query',
		body: { object_type: 'deal', limit: 100, ...more },
	};
}

/** Returns a sample for a call that sends `example` as JSON. */
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

/** One sample per operation. test/checks/samples.test.mts reports operations without a sample. */
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
		gives: { records: 'deal' },
		repeat: 'safe',
		allowed: readers,
		parameters: byCursor,
		requests: { v2: queryOf({ sort: 'standard:updated_at:asc' }) },
		variants: { 'by page': { parameters: byPage, requests: { v2: queryOf({ page: 1 }) } } },
	},
	'deal:score': {
		title: 'Deal: Score',
		isFirst: true,
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

/** Use of an operation, ready to run. */
export interface SampleCase extends Omit<Sample, 'variants'> {
	/** Title of the operation, followed by the name of the variant. */
	name: string;
	/** Resource and operation as in a workflow. */
	chosen: { resource: string; operation: string };
}

/** All samples and all variants, with resource and operation among the parameters. */
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

/** One case for each operation, without variants. */
export const everyOperation = allCases.filter(({ name, title }) => name === title);

/** Cases of operations whose result does not depend on earlier runs. */
export const sampleCases = allCases.filter(({ hasOwnSuites }) => !hasOwnSuites);

/** Cases of the same operations without variants. */
export const oneCasePerOperation = sampleCases.filter(({ name, title }) => name === title);

/** A call that may be billed, as an example of all of them. */
export const billedCase = sampleCases.find(({ repeat }) => repeat === 'billed') as SampleCase;
