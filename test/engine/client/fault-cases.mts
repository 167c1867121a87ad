import type { Fault } from '../../sandbox/types.mts';

/** What becomes of a request: tried again with nothing lost, or an error. */
type End = 'recovers' | 'fails';

/** One fault of the matrix, and what the node must make of it. */
export interface FaultCase {
	name: string;
	fault: Omit<Fault, 'path' | 'skip' | 'times'>;
	reads: End;
	/** Whatever acts or is billed: not sent twice unless surely not processed. */
	calls: End;
	/** Only lists have pages to go wrong. */
	listsOnly?: true;
	/** Needs a page before it: a cursor or page number can only repeat after a first one. */
	notOnFirstPage?: true;
	/** Only in this pagination; both otherwise. */
	readsBy?: 'cursor' | 'page';
}

const html = '<html><head><title>Gateway</title></head><body><h1>It works!</h1></body></html>';
const headers = { 'retry-after': '0' };

const statuses = (codes: number[], reads: End): typeof rows =>
	codes.map((status) => [String(status), { status }, reads, 'fails']);

/** docs/reliability.md's table, written out as faults that the sandbox plays. */
const rows: Array<[name: string, fault: FaultCase['fault'], reads: End, calls: End]> = [
	['connection reset', { action: 'reset' }, 'recovers', 'fails'],
	['reset after it was handled', { action: 'resetAfterHandling' }, 'recovers', 'fails'],
	['answer cut off', { action: 'truncate' }, 'recovers', 'fails'],
	['no answer in time', { action: 'hang' }, 'recovers', 'fails'],
	['200 with HTML', { status: 200, body: html, contentType: 'text/html' }, 'recovers', 'fails'],
	['200 without a body', { status: 200, body: '' }, 'recovers', 'fails'],
	['429 with Retry-After', { status: 429, headers }, 'recovers', 'recovers'],
	['429 without Retry-After', { status: 429 }, 'recovers', 'recovers'],
	['503 with Retry-After', { status: 503, headers }, 'recovers', 'recovers'],
	['503 without Retry-After', { status: 503 }, 'recovers', 'fails'],
	...statuses([408, 500, 502, 504], 'recovers'),
	...statuses([400, 401, 402, 403, 404, 409, 413, 422, 418], 'fails'),
	['success: false', { transform: 'successFalse' }, 'fails', 'fails'],
];

const ofLists = { reads: 'recovers', calls: 'fails', listsOnly: true } as const;
const ofNext = { ...ofLists, reads: 'fails', notOnFirstPage: true } as const;

export const faultCases: FaultCase[] = [
	...rows.map(([name, fault, reads, calls]) => ({ name, fault, reads, calls })),
	{ name: 'no data.items', fault: { transform: 'dropItems' }, ...ofLists },
	{ name: 'no meta.pagination', fault: { transform: 'dropPagination' }, ...ofLists },
	{
		name: 'cursor that repeats',
		fault: { transform: 'repeatCursor' },
		...ofNext,
		readsBy: 'cursor',
	},
	{
		name: 'page that stands still',
		fault: { transform: 'stuckPage' },
		...ofNext,
		readsBy: 'page',
	},
];
