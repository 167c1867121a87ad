import type { Kind, sandboxCredentials } from './sandbox/authentication.mts';
import type { ObjectType, Sandbox } from './sandbox/types.mts';

/** The credentials that may do different things, by their names in `sandboxCredentials`. */
export const credentialNames = [
	'v2Full',
	'v2Regular',
	'v1AllScopes',
	'v1CompaniesRead',
	'v1NoScopes',
] as const satisfies Array<keyof typeof sandboxCredentials>;

/** One of them. */
export type CredentialName = (typeof credentialNames)[number];

/** What the service gets, as the sandbox logs it. */
export interface ExpectedRequest {
	method: string;
	path: string;
	query?: Record<string, string>;
	body?: unknown;
}

/** One way to use an operation, and the request that it makes. */
interface Use {
	/** As in a workflow, without resource and operation. */
	parameters: Record<string, unknown>;
	/** The first request for them; a kind of credential that is left out is refused before anything is sent. */
	requests: Partial<Record<Kind, ExpectedRequest>>;
}

/**
 * One operation as tests use it: all of them loop over these. Written by hand, from docs/maintainers/api.md and not from the
 * operations table, which they check.
 */
export interface Sample extends Use {
	/** As errors and README call it. */
	title: string;
	/** The operation that its resource starts with in the panel. */
	isFirst?: true;
	/** Who may do it; everybody else gets 403. */
	allowed: CredentialName[];
	/** What the error says to those who may not. */
	needs?: Partial<Record<Kind, string>>;
	/** What comes out: every record of a type, one result, or several. */
	gives: { records: ObjectType } | 'one' | 'several';
	/** What the service does when a request arrives twice. */
	repeat: 'safe' | 'acts' | 'billed';
	/** What a node says in which nothing was entered; undefined where that works. */
	bare?: RegExp;
	/** Brings the sandbox into the state that the operation needs, each time before it is asked for. */
	prepare?: (sandbox: Sandbox) => void;
	/** It is asked for again and again, and what comes depends on the time before: the suites about it are its own. */
	hasOwnSuites?: true;
	/** Other ways to use it, by name. */
	variants?: Record<string, Use>;
}

const example = { domain: 'example.com' };
const send = { dataToSend: 'json', jsonBody: '{"domain":"example.com"}' };
const byCursor = { returnAll: true, options: { pagination: { values: { pageSize: 100 } } } };
const byPage = { returnAll: true, options: { pagination: { values: { page: 1, pageSize: 100 } } } };
const readers: CredentialName[] = ['v2Full', 'v2Regular'];
const everybody = [...credentialNames];

/** A list of its own endpoint, in both paginations. */
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

/** A page of 100 deals, by the records query. */
function queryOf(more: object): ExpectedRequest {
	return {
		method: 'POST',
		path: '/v2/public/records/query',
		body: { object_type: 'deal', limit: 100, ...more },
	};
}

/** A call that sends `example` as JSON. */
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

/** One sample per operation: test/checks/samples.test.mts says which one is missing. */
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
		allowed: everybody,
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
		allowed: everybody,
		parameters: {},
		requests: {
			v2: { method: 'GET', path: '/v2/public/auth/whoami' },
			v1: { method: 'GET', path: '/v1/public/auth/whoami' },
		},
	},
};

/** One use of one operation, ready to run. */
export interface SampleCase extends Omit<Sample, 'variants'> {
	/** The operation's title and the variant's name. */
	name: string;
	/** Resource and operation as in a workflow. */
	chosen: { resource: string; operation: string };
}

/** Every sample and every variant, with resource and operation among the parameters. */
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

/** One case for each operation, none left out. */
export const everyOperation = allCases.filter(({ name, title }) => name === title);

/** The cases of operations that are asked once and answer once. */
export const sampleCases = allCases.filter(({ hasOwnSuites }) => !hasOwnSuites);

/** Those of them that are no variants. */
export const oneCasePerOperation = sampleCases.filter(({ name, title }) => name === title);

/** A call that may be billed, where one stands for all of them. */
export const billedCase = sampleCases.find(({ repeat }) => repeat === 'billed') as SampleCase;
