import { isRateLimit, type FailureKind, type ServiceFailure } from './failures';

/**
 * Meaning of a failure for retries, texts, lists and changes. A table of docs/reliability.md and tests are generated
 * from it.
 */
interface FailureClass {
	/** Whether the service processed the request. */
	processed: 'no' | 'maybe' | 'yes';
	/** Kind of retry: wait until the service accepts requests, repeat the request (only if it reads), or none. */
	retry: 'wait' | 'repeat' | 'never';
	/**
	 * Cause, and what the failure affects: only this request, the credential (key or address), the service, the network
	 * before it, the list, or the run.
	 */
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

/** Classes of statuses that say nothing about the request itself. 407 comes from a proxy. */
export const STATUS_CLASSES: Partial<Record<number, FailureClass>> = {
	401: OF_CREDENTIAL,
	402: OF_CREDENTIAL,
	403: OF_CREDENTIAL,
	407: BLOCKED,
	408: UNCERTAIN,
	425: UNCERTAIN,
	499: UNCERTAIN,
};

/** Returns the class of a failure. */
export function failureClassOf(failure: Pick<ServiceFailure, 'kind' | 'facts'>): FailureClass {
	const failureClass = classOf(failure);
	// An earlier failure ended the run, so this request was not sent.
	return failure.facts.attempts === 0 ? { ...failureClass, processed: 'no' } : failureClass;
}

function classOf({ kind, facts }: Pick<ServiceFailure, 'kind' | 'facts'>): FailureClass {
	const { statusCode = 0, movedTo, attempts = 0 } = facts;
	if (kind === 'redirected') {
		// HTTP 302 or 303 to another path can point to the result of a request that was processed.
		const mayHaveResult = [302, 303].includes(statusCode) && movedTo === undefined;
		return mayHaveResult ? { ...UNREADABLE, processed: 'maybe' } : OF_CREDENTIAL;
	}
	// A request under way when the run was stopped may have arrived.
	if (kind === 'cancelled' && attempts > 0) return { ...OF_RUN, processed: 'maybe' };
	if (kind !== 'status') return KIND_CLASSES[kind];
	if (isRateLimit(facts)) return THROTTLED;
	if (statusCode >= 500) return UNCERTAIN;
	return STATUS_CLASSES[statusCode] ?? (statusCode >= 400 ? REJECTED : OF_CREDENTIAL);
}

/** Checks whether the service surely did not process the request, but may accept it later. */
export function isUnprocessed(failure: Pick<ServiceFailure, 'kind' | 'facts'>): boolean {
	return failureClassOf(failure).retry === 'wait';
}

/** Checks whether the service rejects this request itself, rather than the key or all requests for a time. */
export function isRejection(failure: ServiceFailure): boolean {
	return failureClassOf(failure).scope === 'request';
}

/** Matches words that services use for a cursor. */
export const NAMES_CURSOR = /cursor|page.?token|continuation/i;

/**
 * Checks whether the service rejects a later page of a list, because the cursor is too old or the request reaches too
 * far.
 */
export function isRejectedPage(failure: ServiceFailure): boolean {
	const { statusCode = 0, words = '', page = 1, recordsRead } = failure.facts;
	const mayMeanCursor = [400, 404, 410, 422].includes(statusCode) || NAMES_CURSOR.test(words);
	return isRejection(failure) && mayMeanCursor && page > 1 && recordsRead !== 0;
}

/** Checks whether a failure may mean that the service does not accept the page size. */
export function rejectsPageSize({ kind, facts }: ServiceFailure): boolean {
	return kind === 'unsuccessful' || [400, 413, 422].includes(facts.statusCode ?? 0);
}
