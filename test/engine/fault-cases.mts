import type { Fault } from '../sandbox/types.mts';

/** One fault of the matrix, and what the node must make of it. */
export interface FaultCase {
	name: string;
	fault: Omit<Fault, 'path' | 'skip' | 'times'>;
	/** `recovers`: tried again, nothing lost. `fails`: ends in an error. */
	reads: 'recovers' | 'fails';
	/** The same for enrich, score and prospect, which must not be sent twice unless surely not processed. */
	calls: 'recovers' | 'fails';
	/** Only lists have pages to go wrong. */
	listsOnly?: true;
	/** Needs a page before it: a cursor or page number can only repeat after a first one. */
	notOnFirstPage?: true;
	/** Only in this pagination; both otherwise. */
	pagination?: 'cursor' | 'page';
}

const html = '<html><head><title>Gateway</title></head><body><h1>It works!</h1></body></html>';
const retryAfter = { 'retry-after': '0' };

/** The table of design section 6, written out as faults that the sandbox plays. */
export const faultCases: FaultCase[] = [
	{ name: 'connection reset', fault: { action: 'reset' }, reads: 'recovers', calls: 'fails' },
	{
		name: 'reset after it was handled',
		fault: { action: 'resetAfterHandling' },
		reads: 'recovers',
		calls: 'fails',
	},
	{ name: 'answer cut off', fault: { action: 'truncate' }, reads: 'recovers', calls: 'fails' },
	{ name: 'no answer in time', fault: { action: 'hang' }, reads: 'recovers', calls: 'fails' },
	{
		name: '200 with HTML',
		fault: { status: 200, body: html, contentType: 'text/html' },
		reads: 'recovers',
		calls: 'fails',
	},
	{
		name: '200 without a body',
		fault: { status: 200, body: '' },
		reads: 'recovers',
		calls: 'fails',
	},
	{
		name: '429 with Retry-After',
		fault: { status: 429, headers: retryAfter },
		reads: 'recovers',
		calls: 'recovers',
	},
	{ name: '429 without Retry-After', fault: { status: 429 }, reads: 'recovers', calls: 'recovers' },
	{
		name: '503 with Retry-After',
		fault: { status: 503, headers: retryAfter },
		reads: 'recovers',
		calls: 'recovers',
	},
	{ name: '503 without Retry-After', fault: { status: 503 }, reads: 'recovers', calls: 'fails' },
	...[408, 500, 502, 504].map(
		(status): FaultCase => ({
			name: String(status),
			fault: { status },
			reads: 'recovers',
			calls: 'fails',
		}),
	),
	...[400, 401, 402, 403, 404, 409, 413, 422, 418].map(
		(status): FaultCase => ({
			name: String(status),
			fault: { status },
			reads: 'fails',
			calls: 'fails',
		}),
	),
	{ name: 'success: false', fault: { transform: 'successFalse' }, reads: 'fails', calls: 'fails' },
	{
		name: 'no data.items',
		fault: { transform: 'dropItems' },
		reads: 'fails',
		calls: 'fails',
		listsOnly: true,
	},
	{
		name: 'no meta.pagination',
		fault: { transform: 'dropPagination' },
		reads: 'fails',
		calls: 'fails',
		listsOnly: true,
	},
	{
		name: 'cursor that repeats',
		fault: { transform: 'repeatCursor' },
		reads: 'fails',
		calls: 'fails',
		listsOnly: true,
		notOnFirstPage: true,
		pagination: 'cursor',
	},
	{
		name: 'page that stands still',
		fault: { transform: 'stuckPage' },
		reads: 'fails',
		calls: 'fails',
		listsOnly: true,
		notOnFirstPage: true,
		pagination: 'page',
	},
];

/** One operation of the matrix: how the node is set, and which of the sandbox's paths it calls. */
export interface OperationCase {
	name: string;
	kind: 'list' | 'call' | 'read';
	path: string;
	parameters: Record<string, unknown>;
	/** Lists: ids are those of this object type. Calls: processed bodies are counted under this name. */
	counts: 'company' | 'order' | 'item' | 'deal' | 'enrich' | 'score' | 'prospect' | 'none';
}

const send = { dataToSend: 'json', jsonBody: '{"domain":"example.com"}' };

function list(
	name: string,
	path: string,
	counts: OperationCase['counts'],
	parameters: object,
): OperationCase {
	return { name, kind: 'list', path, counts, parameters: { returnAll: true, ...parameters } };
}

/** Every operation, lists in both paginations. */
export const operationCases: OperationCase[] = [
	list('companies', '/v2/public/companies', 'company', {
		resource: 'company',
		operation: 'getAll',
	}),
	list('companies by page', '/v2/public/companies', 'company', {
		resource: 'company',
		operation: 'getAll',
		options: { pagination: 'page' },
	}),
	list('orders', '/v2/public/orders', 'order', { resource: 'order', operation: 'getAll' }),
	list('items', '/v2/public/items', 'item', { resource: 'item', operation: 'getAll' }),
	list('query deals', '/v2/public/records/query', 'deal', {
		resource: 'record',
		operation: 'query',
		objectType: 'deal',
	}),
	{
		name: 'who am I',
		kind: 'read',
		path: '/v2/public/auth/whoami',
		counts: 'none',
		parameters: { resource: 'workspace', operation: 'whoAmI' },
	},
	{
		name: 'enrich',
		kind: 'call',
		path: '/v2/enrich',
		counts: 'enrich',
		parameters: { resource: 'company', operation: 'enrich', ...send },
	},
	{
		name: 'score company',
		kind: 'call',
		path: '/v2/score',
		counts: 'score',
		parameters: { resource: 'company', operation: 'score', ...send },
	},
	{
		name: 'score deal',
		kind: 'call',
		path: '/v2/score',
		counts: 'score',
		parameters: { resource: 'deal', operation: 'score', ...send },
	},
	{
		name: 'prospect',
		kind: 'call',
		path: '/v2/prospect/companies',
		counts: 'prospect',
		parameters: { resource: 'company', operation: 'prospect', ...send },
	},
	{
		name: 'prospect by GET',
		kind: 'call',
		path: '/v2/prospect/companies',
		counts: 'prospect',
		parameters: {
			resource: 'company',
			operation: 'prospect',
			...send,
			options: { httpMethod: 'GET' },
		},
	},
];
