import { redact, shorten } from './secrets';

/** Everything that can go wrong between a request and its records. The texts for users are in nodes/shared/errors/. */
export type FailureKind =
	/** The status of the response is not a success. */
	| 'status'
	| 'redirected'
	/** No connection was made, so the service did not process the request. Even a billed call may be retried. */
	| 'notSent'
	/** No secure connection was made. A retry does not help. */
	| 'insecure'
	/** The connection broke after the request may have been sent. */
	| 'connectionLost'
	| 'timeout'
	/** The response is a success, but its body is not JSON (`invalidBody`) or has `success: false` (`unsuccessful`). */
	| 'invalidBody'
	| 'unsuccessful'
	/** The response cannot be read, so a retry does not help: it is not in UTF-8, or it is too long. */
	| 'notUtf8'
	| 'tooLong'
	/** n8n did not send the request, for example because of the credential's allowed domains. */
	| 'blocked'
	/** The request had to wait for Requests per Minute, and no time was left. */
	| 'quotaExceeded'
	| 'cancelled'
	| ListFailure;

/** Failures of lists, explained in `errors/kind-texts.ts`. */
type ListFailure = PagingFailure | DateFailure | NumberFailure | 'incompleteList';
type PagingFailure = 'missingItems' | 'missingPagination' | RoundFailure;
type RoundFailure = 'repeatedPage' | 'emptyPages' | 'endlessList';
type DateFailure = 'undatedList' | 'notAscending' | 'tooManyUndated' | 'endlessSearch';
type NumberFailure = 'unnumbered' | 'changedList' | 'wrongPage';

/** Facts about a failure. A field is set only if its fact is known. */
export interface FailureFacts {
	statusCode?: number;
	/** Words of the service, or of n8n if the kind is `blocked`. */
	words?: string;
	/** Set if the response has the service's envelope, so the address is right. */
	isEnvelope?: boolean;
	/** Request ID that the service's support asks for. */
	ctxId?: string;
	retryAfterMs?: number;
	/** Network error code such as ECONNRESET. */
	code?: string;
	/** Number of attempts, including attempts without a connection. 0 if an earlier failure of the run ended it. */
	attempts?: number;
	/** Reason why the request was not retried, if the reason is not obvious, and Retry For in ms. */
	gaveUp?: 'retriesUsed' | 'waitTooLong' | 'waitUsed' | 'mayHaveActed' | 'mayBeBilled';
	maxWaitMs?: number;
	/** New base URL of the service, or (`redirectedTo`) the address of another path, to which the service redirects. */
	movedTo?: string;
	redirectedTo?: string;
	/** Title of the web page that came instead of a JSON response. Empty if the page has no title. */
	webPage?: string;
	/** Set if the body of an error is not JSON. It may come from the service, or from a proxy in front of it. */
	isText?: boolean;
	host?: string;
	isFromProxy?: boolean;
	timeoutMs?: number;
	/**
	 * Facts of a list: number of the page that failed (from 1), the records on it, and the cursor and page size to
	 * continue with.
	 */
	page?: number;
	received?: number;
	/** Set if the list is read by page numbers. Such a list has no options for dates and order. */
	isByNumber?: boolean;
	nextCursor?: string;
	pageSize?: number;
	/** Set if the node chose the page size: a smaller page size that may succeed. */
	smallerPageSize?: number;
	/** Number of records read before the failure, and the total of the list by its last response. */
	recordsRead?: number;
	total?: number;
	dateField?: string;
	/** Set if most dates of the list are ahead of n8n's clock. */
	isAhead?: boolean;
}

/** A failed request, or a list that cannot be read further. The message is for logs and tests only. */
export class ServiceFailure extends Error {
	override name = 'ServiceFailure';
	readonly kind: FailureKind;
	readonly facts: FailureFacts;

	constructor(kind: FailureKind, facts: FailureFacts = {}) {
		super(facts.statusCode === undefined ? kind : `${kind} ${facts.statusCode}`);
		this.kind = kind;
		this.facts = facts;
	}

	/**
	 * Returns a copy that may be shown. Hides every secret first and then shortens long texts, so that no part of a
	 * secret remains.
	 */
	withoutSecrets(secrets: readonly string[]): ServiceFailure {
		const facts = { ...this.facts } as Record<string, unknown>;
		for (const [name, value] of Object.entries(facts)) {
			if (typeof value !== 'string' || name === 'gaveUp') continue;
			const clean = redact(value, secrets);
			// Users copy the cursor, so it stays whole.
			facts[name] = name === 'nextCursor' ? clean : shorten(clean, name === 'ctxId' ? 100 : 400);
		}
		return new ServiceFailure(this.kind, facts);
	}

	/** Returns the status or the code, for use inside a sentence. */
	get shortName(): string {
		const { statusCode, code = this.kind } = this.facts;
		return statusCode === undefined ? code : `HTTP ${statusCode}`;
	}

	/** Returns a copy with more facts. */
	with(facts: FailureFacts): ServiceFailure {
		return new ServiceFailure(this.kind, { ...this.facts, ...facts });
	}
}

/** Returns a ServiceFailure unchanged. Throws any other error. */
export function asServiceFailure(error: unknown): ServiceFailure {
	if (error instanceof ServiceFailure) return error;
	throw error;
}

/**
 * Checks whether the request was cancelled, because the user stopped the execution or the response is not needed any
 * more.
 */
export function isCancelled(error: unknown): boolean {
	return error instanceof ServiceFailure && error.kind === 'cancelled';
}

/**
 * Checks whether the service throttles (docs/maintainers/assumptions.md, A6): it rejects the request for a time, and
 * did not process it.
 */
export function isRateLimit(facts: { statusCode?: number; retryAfterMs?: number }): boolean {
	const { statusCode = 0, retryAfterMs } = facts;
	return statusCode === 429 || ([403, 503].includes(statusCode) && retryAfterMs !== undefined);
}

/** Error code of a secure connection to a server that does not use TLS. */
export const NOT_TLS = 'ERR_SSL_WRONG_VERSION_NUMBER';
