import { redact, shorten } from './secrets';

/** Kinds of failure of a request or a list. The texts for users are in nodes/shared/errors/. */
export type FailureKind =
	/** The response has an HTTP error status. */
	| 'status'
	/** The service redirects to another address. The node does not follow redirects. */
	| 'redirected'
	/** n8n could not connect, so nothing was processed, and even a call that costs money can be retried. */
	| 'notSent'
	/** n8n could not make a secure connection, for example because of an invalid certificate. A retry does not help. */
	| 'insecure'
	/** The connection broke, possibly after the request was sent. */
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
	/** n8n refused to send the request, for example because the credential does not allow the domain. */
	| 'blocked'
	/** The option Requests per Minute would make the request wait until after its deadline. */
	| 'quotaExceeded'
	| 'cancelled'
	| ListFailure;

/** Kinds of failure that only lists can have. Their texts are in nodes/shared/errors/kind-texts.ts. */
type ListFailure = PagingFailure | DateFailure | NumberFailure | 'incompleteList';
type PagingFailure = 'missingItems' | 'missingPagination' | RoundFailure;
type RoundFailure = 'repeatedPage' | 'emptyPages' | 'endlessList';
type DateFailure = 'undatedList' | 'notAscending' | 'tooManyUndated' | 'endlessSearch';
type NumberFailure = 'unnumbered' | 'changedList' | 'wrongPage';

/** Facts about a failure. Retries and error texts depend on them. A fact that is not known is undefined. */
export interface FailureFacts {
	statusCode?: number;
	/** Error message from the response, or from n8n if the kind is `blocked`. */
	words?: string;
	/** True if the body has `success` or `meta`, as the service sends it. This proves that the Base URL is right. */
	isEnvelope?: boolean;
	/** ID of the request, for questions to the service's support. */
	ctxId?: string;
	/** Wait that the header `Retry-After` asks for, in ms. */
	retryAfterMs?: number;
	/** Network error code such as ECONNRESET. */
	code?: string;
	/** Number of attempts, even without a connection. 0 if earlier failures ended the run before the first attempt. */
	attempts?: number;
	/** Reason why the request was not retried. Undefined if a retry would not help. */
	gaveUp?: 'retriesUsed' | 'waitTooLong' | 'waitUsed' | 'mayHaveActed' | 'mayBeBilled';
	/** Value of the option Retry For, in ms. */
	maxWaitMs?: number;
	/** New Base URL, if the service redirects to the same path at another address. */
	movedTo?: string;
	/** Target address, if the service redirects to another path. */
	redirectedTo?: string;
	/** Title of the web page that arrived instead of JSON. Empty if the page has no title. */
	webPage?: string;
	/** True if the body is text but not JSON. It may come from the service, or from a proxy in front of it. */
	isText?: boolean;
	host?: string;
	/** True if the connection failed at the proxy that n8n uses, not at the service. */
	isFromProxy?: boolean;
	timeoutMs?: number;
	/** Number of the list page that could not be read, from 1. Undefined if the request does not read a list. */
	page?: number;
	/** Number of records on the page that failed. */
	received?: number;
	/** True if the list is read by page number. The options Changed After and Changed Before cannot be used then. */
	isByNumber?: boolean;
	/** Cursor with which the user can continue the list. */
	nextCursor?: string;
	/** Page size with which the list was read. `nextCursor` may be valid only with this page size. */
	pageSize?: number;
	/** Smaller page size that may succeed. Set only if the node chose the page size, not the user. */
	smallerPageSize?: number;
	/** Number of records that were read before the failure. */
	recordsRead?: number;
	/** Total number of records in the list, according to the service. */
	total?: number;
	dateField?: string;
	/** True if most records without a usable date are dated more than a day in the future. */
	isAhead?: boolean;
}

/** Error for a failed request or list. `message` is for logs and tests: users see the texts of nodes/shared/errors/. */
export class ServiceFailure extends Error {
	override name = 'ServiceFailure';
	readonly kind: FailureKind;
	readonly facts: FailureFacts;

	constructor(kind: FailureKind, facts: FailureFacts = {}) {
		super(facts.statusCode === undefined ? kind : `${kind} ${facts.statusCode}`);
		this.kind = kind;
		this.facts = facts;
	}

	/** Returns a copy without secrets. Hides them before shortening texts, because a cut secret would not be found. */
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

	with(facts: FailureFacts): ServiceFailure {
		return new ServiceFailure(this.kind, { ...this.facts, ...facts });
	}
}

/** Returns a ServiceFailure unchanged. Throws any other error. */
export function asServiceFailure(error: unknown): ServiceFailure {
	if (error instanceof ServiceFailure) return error;
	throw error;
}

/** Checks whether an error is a cancelled request: the user stopped the run, or its response is no longer needed. */
export function isCancelled(error: unknown): boolean {
	return error instanceof ServiceFailure && error.kind === 'cancelled';
}

/**
 * Checks whether the service rejected a request because of a rate limit, without processing it: HTTP 429, or 403 or 503
 * with `Retry-After` (docs/maintainers/assumptions.md, A6).
 */
export function isRateLimit(facts: { statusCode?: number; retryAfterMs?: number }): boolean {
	const { statusCode = 0, retryAfterMs } = facts;
	return statusCode === 429 || ([403, 503].includes(statusCode) && retryAfterMs !== undefined);
}

/** Error code of OpenSSL after a TLS handshake with a server that does not use TLS. */
export const NOT_TLS = 'ERR_SSL_WRONG_VERSION_NUMBER';
