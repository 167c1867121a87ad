import { RECORDS_QUERY, type HttpMethod } from '../shared/client/api';
import { titleOfResource, type Operation } from './operation-row';
import { DEFAULT_CALL_TIMEOUT_MS, DEFAULT_READ_TIMEOUT_MS } from '../shared/panel/request-options';

const AI_ACCESS = 'an API key that may use AI operations; Full access covers them all';

function inBothVersions(method: HttpMethod, path: string): Operation['endpoints'] {
	return { v1: { method, path: `/v1${path}` }, v2: { method, path: `/v2${path}` } };
}

/** Members of all operations that only read data. They need no special permission. */
const READS = { repeat: 'safe', timeoutMs: DEFAULT_READ_TIMEOUT_MS, permission: {} } as const;
const { permission } = RECORDS_QUERY;
const READS_RECORDS = { ...READS, result: 'items', permission: { v2: permission } } as const;
const timeoutMs = DEFAULT_CALL_TIMEOUT_MS;
const BILLED = { kind: 'call', sendsData: true, repeat: 'billed', timeoutMs } as const;
const DOMAIN = ['domain', 'example.com'] as const;

function getMany(resource: string, records: string, more: string[]): Operation {
	return {
		resource,
		operation: 'getAll',
		name: 'Get Many',
		action: `Get many ${records}`,
		description: `Get or export the ${records} of the workspace`,
		aliases: [`export ${records}`, `list ${records}`, ...more],
		endpoints: { v2: { method: 'GET', path: `/v2/public/${records}` } },
		kind: 'list',
		...READS_RECORDS,
	};
}

function score(
	resource: string,
	scope: string,
	exampleField: Operation['exampleField'],
	aliases: string[],
): Operation {
	return {
		resource,
		operation: 'score',
		name: 'Score',
		action: `Score ${resource}`,
		description: `Get an AI score for a ${resource}`,
		aliases,
		endpoints: inBothVersions('POST', '/score'),
		fixedFields: { object_type: resource },
		exampleField,
		resultField: 'score',
		result: 'one',
		...BILLED,
		permission: { v1: `an access token with the scope ${scope}`, v2: AI_ACCESS },
	};
}

/**
 * All operations of the node, one row each. The first row of a resource is its default operation. Never change which
 * row is first, because n8n does not store defaults in workflows. Run `npm run generate` after a change.
 */
export const operations: readonly Operation[] = [
	getMany('company', 'companies', ['download companies', 'accounts', 'NDJSON']),
	{
		resource: 'company',
		operation: 'enrich',
		name: 'Enrich',
		action: 'Enrich company',
		description: 'Add the data that a company lacks',
		aliases: ['data enrichment', 'firmographics'],
		endpoints: inBothVersions('POST', '/enrich'),
		exampleField: DOMAIN,
		resultField: 'enrichment',
		result: 'one',
		...BILLED,
		permission: { v1: 'an access token with the scope companies:write', v2: AI_ACCESS },
	},
	{
		resource: 'company',
		operation: 'prospect',
		name: 'Prospect',
		action: 'Prospect companies',
		description: 'Find companies that are not in the workspace yet',
		aliases: ['find companies', 'lead generation', 'prospecting'],
		endpoints: { v2: { method: 'POST', path: '/v2/prospect/companies' } },
		mayBeEmpty: true,
		exampleField: ['industry', 'software'],
		fieldsNotice:
			'Without fields, the search has no filter and may still be billed. A field of your service may limit the number of companies: ask the support of the service for its name.',
		resultField: 'company',
		methods: ['GET', 'POST'],
		result: 'items',
		...BILLED,
		permission: { v2: 'an API key with Full access' },
	},
	score('company', 'companies:read', DOMAIN, ['lead scoring', 'account scoring']),
	{
		...getMany('deal', 'deals', ['get deals', 'opportunities']),
		endpoints: RECORDS_QUERY.endpoints,
		fixedFields: { object_type: 'deal' },
	},
	score('deal', 'cases:read', ['title', 'Renewal 2027'], ['deal scoring', 'opportunity score']),
	getMany('item', 'items', ['products']),
	getMany('order', 'orders', ['sales orders']),
	{
		resource: 'record',
		operation: 'query',
		name: 'Query',
		action: 'Query records',
		description: 'Get or export the records of one object type',
		aliases: ['search records', 'CSV export'],
		endpoints: RECORDS_QUERY.endpoints,
		kind: 'list',
		choosesObjectType: true,
		hintsAtOnce: true,
		...READS_RECORDS,
	},
	{
		resource: 'sync',
		operation: 'getChanges',
		name: 'Get Changes',
		action: 'Get changes since last run',
		description: 'Get or export the records that are new or changed since the last run',
		aliases: ['sync records', 'incremental export', 'get changed records'],
		endpoints: RECORDS_QUERY.endpoints,
		kind: 'changes',
		choosesObjectType: true,
		...READS_RECORDS,
	},
	{
		resource: 'sync',
		operation: 'confirm',
		name: 'Confirm Changes',
		action: 'Confirm changes',
		description:
			'Mark the changes of this execution as processed, so the next run returns only newer changes',
		aliases: ['confirm sync'],
		endpoints: {},
		kind: 'confirm',
		result: 'items',
		...READS,
	},
	{
		resource: 'workspace',
		operation: 'whoAmI',
		name: 'Who Am I',
		action: 'Get workspace and permission level of credential',
		description: 'Show which workspace and permission level the credential has',
		aliases: ['check credential', 'whoami', 'test API key'],
		endpoints: inBothVersions('GET', '/public/auth/whoami'),
		kind: 'read',
		result: 'one',
		...READS,
	},
];

/** Resources and their titles, in the order of the panel. */
export const resources = [...new Set(operations.map(({ resource }) => resource))].map((value) => ({
	name: titleOfResource(value),
	value,
}));

/** Returns all operations of a kind, such as all lists. */
export function operationsOf(kind: Operation['kind']): Operation[] {
	return operations.filter((row) => row.kind === kind);
}

/** Returns the row for these names of a resource and an operation. Returns undefined if there is no such operation. */
export function findOperation(resource: string, operation: string): Operation | undefined {
	return operations.find((row) => row.resource === resource && row.operation === operation);
}
