import {
	ServiceFailure,
	type FailureFacts,
	type FailureKind,
} from '../../../../nodes/shared/client/failures.ts';
import { decisionsOn, STATUSES } from '../../../failures.mts';
import type { Fault } from '../../../sandbox/types.mts';

/** Outcome of a request with a fault: a retry succeeds, or the node reports an error. */
type End = 'recovers' | 'fails';

/** Fault that tests inject into a request, and the outcome that the node must reach. */
export interface FaultCase {
	name: string;
	fault: Omit<Fault, 'path' | 'skip' | 'times'>;
	reads: End;
	/**
	 * Outcome of requests that change data or are billed. The node retries them only if the service has surely not
	 * processed them.
	 */
	calls: End;
	/** Set if the fault can only occur in a list. */
	listsOnly?: true;
	/** Set if the fault repeats a cursor or page number, so that it cannot occur on the first page. */
	notOnFirstPage?: true;
	/** Kind of pagination in which the fault can occur. Default: both. */
	readsBy?: 'cursor' | 'page';
}

const endOf = (decision: string): End => (decision === 'again' ? 'recovers' : 'fails');

/**
 * Returns a fault with the outcomes that docs/reliability.md promises. `kind` and `facts` describe the failure that the
 * node must report for this fault.
 */
function faultCase(
	name: string,
	fault: FaultCase['fault'],
	kind: FailureKind,
	facts: FailureFacts = {},
): FaultCase {
	const { safe, billed } = decisionsOn(new ServiceFailure(kind, facts));
	return { name, fault, reads: endOf(safe), calls: endOf(billed) };
}

const html = '<html><head><title>Gateway</title></head><body><h1>It works!</h1></body></html>';
const headers = { 'retry-after': '0' };

export const faultCases: FaultCase[] = [
	faultCase('connection reset', { action: 'reset' }, 'connectionLost'),
	faultCase(
		'connection reset after the request was processed',
		{ action: 'resetAfterHandling' },
		'connectionLost',
	),
	faultCase('truncated response', { action: 'truncate' }, 'connectionLost'),
	faultCase('no response within the timeout', { action: 'hang' }, 'timeout'),
	faultCase(
		'HTTP 200 with HTML',
		{ status: 200, body: html, contentType: 'text/html' },
		'invalidBody',
	),
	faultCase('HTTP 200 without a body', { status: 200, body: '' }, 'invalidBody'),
	...STATUSES.map((statusCode) =>
		faultCase(String(statusCode), { status: statusCode }, 'status', { statusCode }),
	),
	...[429, 503].map((statusCode) => {
		const facts = { statusCode, retryAfterMs: 0 };
		return faultCase(
			`${statusCode}, Retry-After`,
			{ status: statusCode, headers },
			'status',
			facts,
		);
	}),
	faultCase('success: false', { transform: 'successFalse' }, 'unsuccessful'),
	{ ...faultCase('no data.items', { transform: 'dropItems' }, 'missingItems'), listsOnly: true },
	{
		...faultCase('no meta.pagination', { transform: 'dropPagination' }, 'missingPagination'),
		listsOnly: true,
	},
	{
		...faultCase('repeated cursor', { transform: 'repeatCursor' }, 'repeatedPage'),
		...{ listsOnly: true, notOnFirstPage: true, readsBy: 'cursor' },
	},
	{
		...faultCase('repeated page number', { transform: 'stuckPage' }, 'wrongPage'),
		...{ listsOnly: true, notOnFirstPage: true, readsBy: 'page' },
	},
];
