import { redact, shorten } from './secrets';

/** Kinds of failure of a request or a list. The texts for users are in nodes/shared/errors/. */
export type FailureKind =
	/** The response has an HTTP error status. */
	| 'status'
	/** The service redirects to another address. The node follows no redirect. */
	| 'redirected'
	/**
	 * No connection was made, so the service did not process the request. Even a call that costs money can be retried.
	 */
	| 'notSent'
	/** No secure connection could be made, for example because of an invalid certificate. A retry does not help. */
	| 'insecure'
	/** The connection broke. The request may have been sent before. */
	| 'connectionLost'
	| 'timeout'
	/** The status is a success, but the body is not JSON. */
	| 'invalidBody'
	/** The status is a success, but the body contains `success: false`. */
	| 'unsuccessful'
	/** The response is not in UTF-8. A retry does not help. */
	| 'notUtf8'
	/** The response is too long to be read. A retry does not help. */
	| 'tooLong'
	/** n8n did not send the request, for example because of the credential's allowed domains. */
	| 'blocked'
	/** The wait for the option Requests per Minute would end after the deadline of the request. */
	| 'quotaExceeded'
	| 'cancelled'
	| ListFailure;

/** Kinds of failure of a list. nodes/shared/errors/kind-texts.ts contains their texts. */
type ListFailure = PagingFailure | DateFailure | NumberFailure | 'incompleteList';
type PagingFailure = 'missingItems' | 'missingPagination' | RoundFailure;
type RoundFailure = 'repeatedPage' | 'emptyPages' | 'endlessList';
type DateFailure = 'undatedList' | 'notAscending' | 'tooManyUndated' | 'endlessSearch';
type NumberFailure = 'unnumbered' | 'changedList' | 'wrongPage';

/** Facts about a failure, for retries and error texts. A fact that is not known is undefined. */
export interface FailureFacts {
	statusCode?: number;
	/** Error message in the response. If the kind is `blocked`, the error message of n8n. */
	words?: string;
	/** True if the body has the service's envelope (an object with `success` or `meta`). Then the Base URL is right. */
	isEnvelope?: boolean;
	/** ID of the request, which the support of the service asks for. */
	ctxId?: string;
	/** Wait that the header `Retry-After` asks for, in ms. */
	retryAfterMs?: number;
	/** Network error code such as ECONNRESET. */
	code?: string;
	/**
	 * Number of attempts, including attempts without a connection. 0 if the request was never sent, because earlier
	 * failures ended the run.
	 */
	attempts?: number;
	/** Reason why the request was not retried. Undefined if a retry would not help. */
	gaveUp?: 'retriesUsed' | 'waitTooLong' | 'waitUsed' | 'mayHaveActed' | 'mayBeBilled';
	/** Value of the option Retry For, in ms. */
	maxWaitMs?: number;
	/** New Base URL, if the service redirects to the same path at another address. */
	movedTo?: string;
	/** Target address, if the service redirects to another path. */
	redirectedTo?: string;
	/** Title of the web page that was received in place of JSON. Empty if the page has no title. */
	webPage?: string;
	/**
	 * True if the body is text that is not JSON. The text may come from the service, or from a proxy in front of it.
	 */
	isText?: boolean;
	host?: string;
	/** True if the connection failed at the proxy that n8n uses, not at the service. */
	isFromProxy?: boolean;
	timeoutMs?: number;
	/** Number of the list page that failed, from 1. Undefined if the request does not read a list. */
	page?: number;
	/** Number of records on the page that failed. */
	received?: number;
	/** True if the list is read by page numbers. Such a list has no options for dates and order. */
	isByNumber?: boolean;
	/** Cursor with which the user can continue the list. */
	nextCursor?: string;
	/** Page size that the list was read with. The cursor may need the same size. */
	pageSize?: number;
	/** Smaller page size that may succeed. Set only if the node chose the page size, not the user. */
	smallerPageSize?: number;
	/** Number of records that were read before the failure. */
	recordsRead?: number;
	/** Total number of records in the list, according to the service. */
	total?: number;
	dateField?: string;
	/** True if most of the records without a usable date have a date later than n8n's clock. */
	isAhead?: boolean;
}

/**
 * Error for a failed request, or for a list that cannot be read to its end. `message` is for logs and tests only. Users
 * see the texts of nodes/shared/errors/.
 */
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
	 * Returns a copy that can be shown to users. Hides secrets before it shortens long texts, because a shortened
	 * secret would not be found.
	 */
	withoutSecrets(secrets: readonly string[]): ServiceFailure {
		const facts = { ...this.facts } as Record<string, unknown>;
		for (const [name, value] of Object.entries(facts)) {
			if (typeof value !== 'string' || name === 'gaveUp') continue;
			const clean = redact(value, secrets);
			// Do not shorten the cursor, because users copy it into Start Cursor.
			facts[name] = name === 'nextCursor' ? clean : shorten(clean, name === 'ctxId' ? 100 : 400);
		}
		return new ServiceFailure(this.kind, facts);
	}

	/** Returns a short name of the failure for use in a sentence, such as "HTTP 503" or "ECONNRESET". */
	get shortName(): string {
		const { statusCode, code = this.kind } = this.facts;
		return statusCode === undefined ? code : `HTTP ${statusCode}`;
	}

	/** Returns a copy of the failure with additional facts. */
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
 * Checks whether an error means that the request was cancelled. Either the user stopped the execution, or the response
 * is no longer needed.
 */
export function isCancelled(error: unknown): boolean {
	return error instanceof ServiceFailure && error.kind === 'cancelled';
}

/**
 * Checks whether the service throttles requests, and did not process this one: HTTP 429, or 403 or 503 with
 * `Retry-After` (docs/maintainers/assumptions.md, A6).
 */
export function isRateLimit(facts: { statusCode?: number; retryAfterMs?: number }): boolean {
	const { statusCode = 0, retryAfterMs } = facts;
	return statusCode === 429 || ([403, 503].includes(statusCode) && retryAfterMs !== undefined);
}

/** Error code of OpenSSL after a TLS handshake with a server that does not use TLS. */
export const NOT_TLS = 'ERR_SSL_WRONG_VERSION_NUMBER';
