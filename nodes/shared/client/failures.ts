import { redact, shorten } from './secrets';

/** Everything that can go wrong between a request and its records, without wording: nodes/shared/ says it to the user. */
export type FailureKind =
	/** An answer with a status that is not a success. */
	| 'status'
	| 'redirected'
	/** No connection was made, so nothing can have been done: it may be sent again, whatever it costs. */
	| 'notSent'
	/** No secure connection was made, and trying again does not help. */
	| 'insecure'
	/** The connection broke after the request may have been sent. */
	| 'connectionLost'
	| 'timeout'
	/** A success status with a body that is not JSON, or with one that says `success: false`. */
	| 'invalidBody'
	| 'unsuccessful'
	/** An answer that came and cannot be read, also not the next time: in another encoding, or longer than text can be. */
	| 'notUtf8'
	| 'tooLong'
	/** n8n refused to send it (for example the credential's allowed domains). */
	| 'blocked'
	/** Requests per Minute left no time for it. */
	| 'quotaExceeded'
	| 'cancelled'
	| ListFailure;

/** `errors/kind-texts.ts` says what each of them means. */
type ListFailure = PagingFailure | DateFailure | NumberFailure | 'incompleteList';
type PagingFailure = 'missingItems' | 'missingPagination' | RoundFailure;
type RoundFailure = 'repeatedPage' | 'emptyPages' | 'endlessList';
type DateFailure = 'undatedList' | 'notAscending' | 'tooManyUndated' | 'endlessSearch';
type NumberFailure = 'unnumbered' | 'changedList' | 'wrongPage';

/** What is known about a failure; every field only when it is known. */
export interface FailureFacts {
	statusCode?: number;
	/** What the service said itself, or n8n where it is `blocked`. */
	words?: string;
	/** Set if the response has the service's envelope, so the address is right. */
	isEnvelope?: boolean;
	/** What the service's support asks for. */
	ctxId?: string;
	retryAfterMs?: number;
	/** Network error code such as ECONNRESET. */
	code?: string;
	/** How many times the request was sent, or tried to be; 0 if an earlier failure of the run made sending pointless. */
	attempts?: number;
	/** Why it was not tried again, when that is not obvious, and the longest wait allowed. */
	gaveUp?: 'retriesUsed' | 'waitTooLong' | 'waitUsed' | 'mayHaveActed' | 'mayBeBilled';
	maxWaitMs?: number;
	/** The base URL to which the service has moved, or (`redirectedTo`) the address of another path that it redirects to. */
	movedTo?: string;
	redirectedTo?: string;
	/** The title of the web page that came in place of an answer; empty where it has none. */
	webPage?: string;
	/** An error whose body is no JSON: a service may write so, or what stands between it and n8n. */
	isText?: boolean;
	host?: string;
	isFromProxy?: boolean;
	timeoutMs?: number;
	/** Of a list: the page that failed (from 1), the records on it, and the cursor to continue from with its limit. */
	page?: number;
	received?: number;
	/** Its pages were asked for by their numbers, where neither dates nor their order can be chosen. */
	isByNumber?: boolean;
	nextCursor?: string;
	pageSize?: number;
	/** The node chose the limit of the page that failed: by this one, it may not. */
	smallerPageSize?: number;
	/** Records read before the failure, and how many the list has by its last answer. */
	recordsRead?: number;
	total?: number;
	dateField?: string;
	/** Most of its dates are ahead of the clock of n8n. */
	isAhead?: boolean;
}

/** A failed request or a list that cannot go on. The message is for logs and tests alone. */
export class ServiceFailure extends Error {
	override name = 'ServiceFailure';
	readonly kind: FailureKind;
	readonly facts: FailureFacts;

	constructor(kind: FailureKind, facts: FailureFacts = {}) {
		super(facts.statusCode === undefined ? kind : `${kind} ${facts.statusCode}`);
		this.kind = kind;
		this.facts = facts;
	}

	/** The same failure as it may be shown: every secret is hidden in its texts, before the long ones are cut. */
	withoutSecrets(secrets: readonly string[]): ServiceFailure {
		const facts = { ...this.facts } as Record<string, unknown>;
		for (const [name, value] of Object.entries(facts)) {
			if (typeof value !== 'string' || name === 'gaveUp') continue;
			const clean = redact(value, secrets);
			// A cursor is to be copied.
			facts[name] = name === 'nextCursor' ? clean : shorten(clean, name === 'ctxId' ? 100 : 400);
		}
		return new ServiceFailure(this.kind, facts);
	}

	/** Its status or code, for a sentence that goes on. */
	get shortName(): string {
		const { statusCode, code = this.kind } = this.facts;
		return statusCode === undefined ? code : `HTTP ${statusCode}`;
	}

	/** The same failure with more known about it. */
	with(facts: FailureFacts): ServiceFailure {
		return new ServiceFailure(this.kind, { ...this.facts, ...facts });
	}
}

/** A failure of the service as it is. Throws whatever else was caught. */
export function asServiceFailure(error: unknown): ServiceFailure {
	if (error instanceof ServiceFailure) return error;
	throw error;
}

/** Whether the user has stopped the execution, or nobody wants the answer any more. */
export function isCancelled(error: unknown): boolean {
	return error instanceof ServiceFailure && error.kind === 'cancelled';
}

/** The one rule for a rate limit (docs/maintainers/assumptions.md, A6): refused for a time, and nothing was done. */
export function isRateLimit(refusal: { statusCode?: number; retryAfterMs?: number }): boolean {
	const { statusCode = 0, retryAfterMs } = refusal;
	return statusCode === 429 || ([403, 503].includes(statusCode) && retryAfterMs !== undefined);
}

/** The code of a secure connection to what speaks no TLS. */
export const NOT_TLS = 'ERR_SSL_WRONG_VERSION_NUMBER';
