import { isRateLimit, type FailureKind, type ServiceFailure } from './failures';

/** Class of a failure. It decides about retries and error texts. docs/reliability.md is generated from the classes. */
interface FailureClass {
	processed: 'no' | 'maybe' | 'yes';
	/** `wait`: retry all requests once the service accepts any. `repeat`: only if a request is safe to send twice. */
	retry: 'wait' | 'repeat' | 'never';
	/** Cause of the failure. `credential`: the key or the Base URL. `network`: between n8n and the service. */
	scope: 'request' | 'credential' | 'service' | 'network' | 'list' | 'run';
}

const THROTTLED: FailureClass = { processed: 'no', retry: 'wait', scope: 'service' };
const UNCERTAIN: FailureClass = { processed: 'maybe', retry: 'repeat', scope: 'service' };
const REJECTED: FailureClass = { processed: 'no', retry: 'never', scope: 'request' };
const OF_CREDENTIAL: FailureClass = { processed: 'no', retry: 'never', scope: 'credential' };
const BLOCKED: FailureClass = { processed: 'no', retry: 'never', scope: 'network' };
const UNREADABLE: FailureClass = { processed: 'yes', retry: 'never', scope: 'service' };
const OF_LIST: FailureClass = { processed: 'yes', retry: 'never', scope: 'list' };
const OF_RUN: FailureClass = { processed: 'no', retry: 'never', scope: 'run' };

const KIND_CLASSES: Record<Exclude<FailureKind, 'status' | 'redirected'>, FailureClass> = {
	notSent: { processed: 'no', retry: 'wait', scope: 'network' },
	insecure: BLOCKED,
	blocked: BLOCKED,
	connectionLost: { processed: 'maybe', retry: 'repeat', scope: 'network' },
	timeout: UNCERTAIN,
	invalidBody: UNCERTAIN,
	missingItems: UNCERTAIN,
	missingPagination: UNCERTAIN,
	unsuccessful: { ...REJECTED, processed: 'maybe' },
	notUtf8: UNREADABLE,
	tooLong: UNREADABLE,
	quotaExceeded: OF_RUN,
	cancelled: OF_RUN,
	repeatedPage: OF_LIST,
	emptyPages: OF_LIST,
	endlessList: OF_LIST,
	undatedList: OF_LIST,
	notAscending: OF_LIST,
	tooManyUndated: OF_LIST,
	endlessSearch: OF_LIST,
	unnumbered: OF_LIST,
	changedList: OF_LIST,
	incompleteList: OF_LIST,
	wrongPage: OF_LIST,
};

/** Classes of the HTTP 4xx statuses whose cause is not the content of the request. For example, a proxy sends 407. */
export const STATUS_CLASSES: Partial<Record<number, FailureClass>> = {
	401: OF_CREDENTIAL,
	402: OF_CREDENTIAL,
	403: OF_CREDENTIAL,
	407: BLOCKED,
	408: UNCERTAIN,
	425: UNCERTAIN,
	499: UNCERTAIN,
};

/** Returns whether the service processed the request, which requests are retried, and what caused the failure. */
export function failureClassOf(failure: Pick<ServiceFailure, 'kind' | 'facts'>): FailureClass {
	const failureClass = classOf(failure);
	// A request with 0 attempts was never sent, because earlier failures ended the run.
	return failure.facts.attempts === 0 ? { ...failureClass, processed: 'no' } : failureClass;
}

function classOf({ kind, facts }: Pick<ServiceFailure, 'kind' | 'facts'>): FailureClass {
	const { statusCode = 0, movedTo, attempts = 0 } = facts;
	if (kind === 'redirected') {
		// HTTP 302 or 303 to another path can mean that the request was processed, and that the path shows the result.
		const mayHaveResult = [302, 303].includes(statusCode) && movedTo === undefined;
		return mayHaveResult ? { ...UNREADABLE, processed: 'maybe' } : OF_CREDENTIAL;
	}
	// A request that was cancelled after it was sent may have reached the service.
	if (kind === 'cancelled' && attempts > 0) return { ...OF_RUN, processed: 'maybe' };
	if (kind !== 'status') return KIND_CLASSES[kind];
	if (isRateLimit(facts)) return THROTTLED;
	if (statusCode >= 500) return UNCERTAIN;
	return STATUS_CLASSES[statusCode] ?? (statusCode >= 400 ? REJECTED : OF_CREDENTIAL);
}

/** Checks whether the service certainly did not process the request, but may accept it later, as after HTTP 429. */
export function isUnprocessed(failure: Pick<ServiceFailure, 'kind' | 'facts'>): boolean {
	return failureClassOf(failure).retry === 'wait';
}

/** Checks whether the service rejects the content of this request, and not its key or the number of requests. */
export function isRejection(failure: ServiceFailure): boolean {
	return failureClassOf(failure).scope === 'request';
}

/** Matches words that services use for a cursor. */
export const NAMES_CURSOR = /cursor|page.?token|continuation/i;

/** Checks whether a later list page is rejected: the cursor expired, or the service limits how far a list is read. */
export function isRejectedPage(failure: ServiceFailure): boolean {
	const { statusCode = 0, words = '', page = 1, recordsRead } = failure.facts;
	const mayMeanCursor = [400, 404, 410, 422].includes(statusCode) || NAMES_CURSOR.test(words);
	return isRejection(failure) && mayMeanCursor && page > 1 && recordsRead !== 0;
}

/** Checks whether a failure may mean that the service does not accept the page size. */
export function rejectsPageSize({ kind, facts }: ServiceFailure): boolean {
	return kind === 'unsuccessful' || [400, 413, 422].includes(facts.statusCode ?? 0);
}
