import { RECORDS_QUERY } from '../client/api';
import { titleOfResource, type Operation } from './operation';
import { DEFAULT_CALL_TIMEOUT_MS, DEFAULT_READ_TIMEOUT_MS } from '../common/request-options';

const REGULAR_ACCESS = { v2: RECORDS_QUERY.permission };
const AI_ACCESS = 'an API key that may use AI operations; Full access covers them all';

/** One complete row for each operation. After a change run `npm run generate`. */
export const operations: readonly Operation[] = [
	{
		resource: 'company',
		operation: 'enrich',
		name: 'Enrich',
		action: 'Enrich company',
		description: 'Add the data that a company lacks',
		aliases: ['enrich company', 'data enrichment', 'firmographics'],
		endpoints: {
			v1: { method: 'POST', path: '/v1/enrich' },
			v2: { method: 'POST', path: '/v2/enrich' },
		},
		input: 'data',
		result: 'one',
		repeat: 'billed',
		timeoutMs: DEFAULT_CALL_TIMEOUT_MS,
		permission: { v1: 'an access token with the scope companies:write', v2: AI_ACCESS },
	},
	{
		resource: 'company',
		operation: 'getAll',
		startsResource: true,
		name: 'Get Many',
		action: 'Get many companies',
		description: 'Get or export the companies of the workspace',
		aliases: ['export companies', 'list companies', 'download companies', 'accounts'],
		endpoints: { v2: { method: 'GET', path: '/v2/public/companies' } },
		input: 'list',
		result: 'items',
		repeat: 'safe',
		timeoutMs: DEFAULT_READ_TIMEOUT_MS,
		permission: REGULAR_ACCESS,
	},
	{
		resource: 'company',
		operation: 'prospect',
		name: 'Prospect',
		action: 'Prospect companies',
		description: 'Find companies that are not in the workspace yet',
		aliases: ['prospect companies', 'find companies', 'lead generation', 'prospecting'],
		endpoints: { v2: { method: 'POST', path: '/v2/prospect/companies' } },
		input: 'data',
		mayBeEmpty: true,
		methods: ['GET', 'POST'],
		result: 'items',
		repeat: 'billed',
		timeoutMs: DEFAULT_CALL_TIMEOUT_MS,
		permission: { v2: 'an API key with Full access' },
	},
	{
		resource: 'company',
		operation: 'score',
		name: 'Score',
		action: 'Score company',
		description: 'Get an AI score for a company',
		aliases: ['score company', 'lead scoring', 'account scoring'],
		endpoints: {
			v1: { method: 'POST', path: '/v1/score' },
			v2: { method: 'POST', path: '/v2/score' },
		},
		input: 'data',
		fixedFields: { object_type: 'company' },
		result: 'one',
		repeat: 'billed',
		timeoutMs: DEFAULT_CALL_TIMEOUT_MS,
		permission: { v1: 'an access token with the scope companies:read', v2: AI_ACCESS },
	},
	{
		resource: 'deal',
		operation: 'score',
		startsResource: true,
		name: 'Score',
		action: 'Score deal',
		description: 'Get an AI score for a deal',
		aliases: ['score deal', 'deal scoring', 'opportunity score'],
		endpoints: {
			v1: { method: 'POST', path: '/v1/score' },
			v2: { method: 'POST', path: '/v2/score' },
		},
		input: 'data',
		fixedFields: { object_type: 'deal' },
		result: 'one',
		repeat: 'billed',
		timeoutMs: DEFAULT_CALL_TIMEOUT_MS,
		permission: { v1: 'an access token with the scope cases:read', v2: AI_ACCESS },
	},
	{
		resource: 'item',
		operation: 'getAll',
		startsResource: true,
		name: 'Get Many',
		action: 'Get many items',
		description: 'Get or export the items of the workspace',
		aliases: ['export items', 'list items', 'products'],
		endpoints: { v2: { method: 'GET', path: '/v2/public/items' } },
		input: 'list',
		result: 'items',
		repeat: 'safe',
		timeoutMs: DEFAULT_READ_TIMEOUT_MS,
		permission: REGULAR_ACCESS,
	},
	{
		resource: 'order',
		operation: 'getAll',
		startsResource: true,
		name: 'Get Many',
		action: 'Get many orders',
		description: 'Get or export the orders of the workspace',
		aliases: ['export orders', 'list orders', 'sales orders'],
		endpoints: { v2: { method: 'GET', path: '/v2/public/orders' } },
		input: 'list',
		result: 'items',
		repeat: 'safe',
		timeoutMs: DEFAULT_READ_TIMEOUT_MS,
		permission: REGULAR_ACCESS,
	},
	{
		resource: 'record',
		operation: 'query',
		startsResource: true,
		name: 'Query',
		action: 'Query records',
		description: 'Get or export the records of one object type',
		aliases: [
			'query records',
			'search records',
			'get deals',
			'export deals',
			'CSV export',
			'NDJSON',
		],
		endpoints: { v2: RECORDS_QUERY.endpoint },
		input: 'list',
		choosesObjectType: true,
		result: 'items',
		repeat: 'safe',
		timeoutMs: DEFAULT_READ_TIMEOUT_MS,
		permission: REGULAR_ACCESS,
	},
	{
		resource: 'sync',
		operation: 'confirm',
		name: 'Confirm Changes',
		action: 'Confirm changes',
		description:
			'Mark the changes of this execution as done, so the next run returns only newer ones',
		aliases: ['confirm sync'],
		endpoints: {},
		input: 'nothing',
		result: 'items',
		repeat: 'safe',
		timeoutMs: DEFAULT_READ_TIMEOUT_MS,
		permission: {},
	},
	{
		resource: 'sync',
		operation: 'getChanges',
		startsResource: true,
		name: 'Get Changes',
		action: 'Get changes since last run',
		description: 'Get or export the records that are new or changed since the last run',
		aliases: ['sync records', 'incremental export', 'get changed records'],
		endpoints: { v2: RECORDS_QUERY.endpoint },
		input: 'changes',
		choosesObjectType: true,
		result: 'items',
		repeat: 'safe',
		timeoutMs: DEFAULT_READ_TIMEOUT_MS,
		permission: REGULAR_ACCESS,
	},
	{
		resource: 'workspace',
		operation: 'whoAmI',
		startsResource: true,
		name: 'Who Am I',
		action: 'Get workspace and permission level of credential',
		description: 'Show which workspace and permission level the credential has',
		aliases: ['check credential', 'whoami', 'test API key'],
		endpoints: {
			v1: { method: 'GET', path: '/v1/public/auth/whoami' },
			v2: { method: 'GET', path: '/v2/public/auth/whoami' },
		},
		input: 'nothing',
		result: 'one',
		repeat: 'safe',
		timeoutMs: DEFAULT_READ_TIMEOUT_MS,
		permission: {},
	},
];

/** The resources with the names users see, in the order of the node panel. */
export const resources: ReadonlyArray<{ name: string; value: string }> = [
	...new Set(operations.map(({ resource }) => resource)),
]
	.map((value) => ({ name: titleOfResource(value), value }))
	.sort((a, b) => a.name.localeCompare(b.name));

/** The row for a resource and operation, undefined when the pair does not exist. */
export function findOperation(resource: string, operation: string): Operation | undefined {
	return operations.find((row) => row.resource === resource && row.operation === operation);
}

/** What a v1 token can do, for example "Enrich, Score and Who Am I". */
export function namesForV1(): string {
	const names = new Set(operations.filter(({ endpoints }) => endpoints.v1).map(({ name }) => name));
	return [...names].join(', ').replace(/, ([^,]*)$/, ' and $1');
}
