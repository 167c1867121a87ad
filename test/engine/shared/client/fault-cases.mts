import {
	ServiceFailure,
	type FailureFacts,
	type FailureKind,
} from '../../../../nodes/shared/client/failures.ts';
import { decisionsOn, STATUSES } from '../../../failures.mts';
import type { Fault } from '../../../sandbox/types.mts';

/** End of a request after a fault: a retry succeeds without loss, or the request fails. */
type End = 'recovers' | 'fails';

/** Fault of the matrix, and the expected behaviour of the node. */
export interface FaultCase {
	name: string;
	fault: Omit<Fault, 'path' | 'skip' | 'times'>;
	reads: End;
	/** End of requests that change something or are billed. They are retried only if they were surely not processed. */
	calls: End;
	/** Set if the fault concerns the pages of a list. */
	listsOnly?: true;
	/** Set if the fault needs an earlier page: a cursor or page number cannot repeat on the first page. */
	notOnFirstPage?: true;
	/** Kind of pagination that the fault concerns. Default: both. */
	readsBy?: 'cursor' | 'page';
}

const endOf = (decision: string): End => (decision === 'again' ? 'recovers' : 'fails');

/**
 * Returns the case of a fault and the failure that it must be reported as. docs/reliability.md says how the failure
 * ends.
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
	faultCase('reset after it was handled', { action: 'resetAfterHandling' }, 'connectionLost'),
	faultCase('answer cut off', { action: 'truncate' }, 'connectionLost'),
	faultCase('no answer in time', { action: 'hang' }, 'timeout'),
	faultCase('200 with HTML', { status: 200, body: html, contentType: 'text/html' }, 'invalidBody'),
	faultCase('200 without a body', { status: 200, body: '' }, 'invalidBody'),
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
		...faultCase('cursor that repeats', { transform: 'repeatCursor' }, 'repeatedPage'),
		...{ listsOnly: true, notOnFirstPage: true, readsBy: 'cursor' },
	},
	{
		...faultCase('page that stands still', { transform: 'stuckPage' }, 'wrongPage'),
		...{ listsOnly: true, notOnFirstPage: true, readsBy: 'page' },
	},
];
