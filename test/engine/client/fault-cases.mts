import type { Fault } from '../../sandbox/types.mts';

/** One fault of the matrix, and what the node must make of it. */
export interface FaultCase {
	name: string;
	fault: Omit<Fault, 'path' | 'skip' | 'times'>;
	/** `recovers`: tried again, nothing lost. `fails`: ends in an error. */
	reads: 'recovers' | 'fails';
	/** The same for whatever acts or is billed: not sent twice unless surely not processed. */
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

/** docs/reliability.md's table, written out as faults that the sandbox plays. */
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
