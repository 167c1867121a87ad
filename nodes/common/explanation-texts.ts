import type { Failure } from 'n8n-workflow';

import { isRateLimit, type ApiVersion } from '../client/api';
import { isRejection, type FailureFacts, type ServiceFailure } from '../client/failures';
import { fixOfInsecure, notSent, technically } from './connection-explanation-texts';
import { LIST_KINDS } from './list-explanation-texts';

/** One failure in words: what happened, what to do, and n8n's own classification of it. */
export interface Explanation {
	message: string;
	description: string;
	cause?: Failure;
}

/** What an explanation can say about the operation and the credential. */
export interface ExplanationContext {
	apiVersion?: ApiVersion;
	/** The permission that the operation needs, in words, for the credential's API version. */
	permission?: string;
	/** The operation as a person calls it, for example "Company: Prospect". */
	operation?: string;
	/** Only a v2 key can do it, so API Version is never what is wrong. */
	needsV2?: boolean;
	/** The records query: the type that was asked for. */
	objectType?: string;
	/** False where n8n throws away what was read before a failure. */
	keepsOutput?: boolean;
	/** False where the user has no options for retries, timeout and page size. */
	hasRequestOptions?: boolean;
	/** True where every request is for a page of a list. */
	readsPages?: boolean;
}

/** Writes the explanation of one kind of failure. */
export type Writer = (facts: FailureFacts, context: ExplanationContext) => Explanation;

const unavailable: Failure = { cause: 'temporarily-unavailable' };
const misconfigured: Failure = { cause: 'configuration-invalid' };

const WHERE_KEYS_ARE = 'the workspace developer settings of the service';

/** A time as people say it. */
export function seconds(ms: number | undefined): string {
	return `${Math.round((ms ?? 0) / 100) / 10} seconds`;
}

/** A time of any length as people say it. */
export function duration(ms: number): string {
	if (ms > 48 * 3_600_000) return 'more than two days';
	if (ms >= 3_600_000) return `${(ms / 3_600_000).toFixed(1)} hours`;
	return ms > 120_000 ? `${Math.ceil(ms / 60_000)} minutes` : seconds(ms);
}

/** The texts for a failure: by its HTTP status where the service answered, by its kind otherwise. */
export function writerOf(failure: ServiceFailure, context: ExplanationContext): Writer {
	const { kind, facts } = failure;
	if (kind !== 'status') return KINDS[kind];
	if (isForStartCursor(failure)) return startCursorRefused;
	if (isForObjectType(failure, context)) return objectTypeNotFound;
	return writerOfStatus(facts.statusCode ?? 0);
}

const credentialName = ({ apiVersion }: ExplanationContext): string =>
	apiVersion === 'v1' ? 'access token' : 'API key';

/** Only what reads a list gets smaller with Page Size. A list's requests know which page they asked for. */
const isForPage = ({ page }: FailureFacts, { readsPages }: ExplanationContext): boolean =>
	page !== undefined || readsPages === true;

function adviceForSlowAnswers(facts: FailureFacts, context: ExplanationContext): string {
	const pages = isForPage(facts, context) ? ', or ask for less at once (a smaller Page Size)' : '';
	return context.hasRequestOptions === false
		? `Check that the service is not overloaded${pages}.`
		: `Raise Timeout in the options${pages}.`;
}

/** What the service says follows, where it says anything. */
const against = ({ words }: FailureFacts): string =>
	words ? ' against what the service says below' : '';

const STATUSES: Record<number, Writer> = {
	400: (facts) => ({
		message: 'The service did not accept the request',
		description: `Check the values of this node${against(facts)}.`,
		cause: misconfigured,
	}),
	401: (_facts, { needsV2, apiVersion }) => ({
		message: 'Key or token not recognized',
		description: needsV2
			? `In the credential, enter an API key (v2) from ${WHERE_KEYS_ARE}.\nIf it is one, copy it again: it may be incomplete or deleted. An access token (v1) cannot be used here.`
			: `In the credential, check that the ${apiVersion === undefined ? 'key or token' : credentialName({ apiVersion })} was copied whole and that API Version fits it: V2 for an API key, V1 for an access token.\nIf it was deleted, create a new one in ${WHERE_KEYS_ARE}.`,
		cause: { cause: 'credential-invalid' },
	}),
	402: () => ({
		message: 'The workspace has no credit left for this',
		description: "Check the workspace's plan or balance with the service, then run this again.",
		cause: { cause: 'quota-exhausted' },
	}),
	403: (_facts, context) => ({
		message: `This ${credentialName(context)} is not allowed to use ${context.operation ?? 'this operation'}`,
		description: `In the credential, enter ${context.permission ?? `an ${credentialName(context)} with more access`}.\nKeys and their permissions are in ${WHERE_KEYS_ARE}.`,
		cause: misconfigured,
	}),
	404: (_facts, { operation }) => ({
		message: 'Address not found at the service',
		description: `Check the Base URL in the credential: it is everything before /v1 or /v2, for example https://api.example.com${operation === undefined ? '' : '\nIf this node has a Record ID, check that too.'}`,
		cause: misconfigured,
	}),
	408: () => ({
		message: 'The service gave up waiting for the request',
		description: 'Run this again in a while.',
		cause: unavailable,
	}),
	409: (facts) => ({
		message: 'The request conflicts with something in the workspace',
		description: `Check the values of this node${against(facts)}, and run this again.`,
		cause: misconfigured,
	}),
	413: (facts, context) => ({
		message: 'The request is too large for the service',
		description: isForPage(facts, context)
			? 'Use a smaller Page Size.'
			: 'Send fewer or shorter fields per item.',
		cause: misconfigured,
	}),
	422: (facts, context) => ({
		message: 'The service could not work with the data that was sent',
		description: isForPage(facts, context)
			? `Check the values of this node, Page Size among them${against(facts)}.`
			: `Check the names and values of the fields to send${against(facts)}.`,
		cause: misconfigured,
	}),
};

/** The first request of a list has a cursor only where the user entered one. */
export function isForStartCursor(failure: ServiceFailure): boolean {
	const { page, recordsRead, nextCursor } = failure.facts;
	return isRejection(failure) && page === 1 && recordsRead === 0 && nextCursor !== undefined;
}

const startCursorRefused: Writer = () => ({
	message: 'The service refused this Start Cursor',
	description:
		'Clear the option Start Cursor to read from the beginning, or enter the cursor that the last run reported.\nA cursor may be valid for a short time only, and only with the Page Size and the key that it was made with.',
	cause: misconfigured,
});

/** Other mistakes are answered by the same statuses, so all but 404 has to name the type. */
function isForObjectType(
	{ facts: { statusCode = 0, words = '', recordsRead = 0 } }: ServiceFailure,
	{ objectType }: ExplanationContext,
): boolean {
	if (objectType === undefined || recordsRead > 0) return false;
	if (statusCode === 404) return true;
	return [400, 422].includes(statusCode) && /object.?type/i.test(words);
}

const objectTypeNotFound: Writer = (_facts, { objectType }) => ({
	message: `Object type "${objectType}" not found`,
	description:
		'Choose another Object Type in this node, or correct its name.\nIf the type is right, check the Base URL in the credential: it is everything before /v1 or /v2.',
	cause: misconfigured,
});

const rateLimit: Writer = ({ retryAfterMs }, { hasRequestOptions }) => ({
	message: 'The service is receiving too many requests',
	description:
		hasRequestOptions === false
			? 'Run fewer workflows against this workspace at the same time.'
			: 'Run fewer workflows against this workspace at the same time, or raise Max Wait in the options so that this node waits longer.',
	cause: { cause: 'rate-limited', retryAfterMs },
});

function writerOfStatus(statusCode: number): Writer {
	if (isRateLimit(statusCode)) return rateLimit;
	if (statusCode in STATUSES) return STATUSES[statusCode];
	if (statusCode >= 500) {
		return ({ retryAfterMs }) => ({
			message: `The service failed to answer (HTTP ${statusCode})`,
			description: 'Run this again in a while. The problem is on the side of the service.',
			cause: { cause: 'temporarily-unavailable', retryAfterMs },
		});
	}
	return () => ({
		message: `The service refused the request (HTTP ${statusCode})`,
		description: 'Check the values of this node and the Base URL in the credential.',
		cause: misconfigured,
	});
}

const KINDS: Record<Exclude<ServiceFailure['kind'], 'status'>, Writer> = {
	redirected: ({ redirectedTo }) => ({
		message: redirectedTo
			? `The service moved this address to ${redirectedTo}`
			: 'The service answered with a redirect that cannot be followed',
		description: redirectedTo
			? 'If you trust that address, enter it as the Base URL in the credential.\nNothing was sent there, since the key would go with it.'
			: 'Set the Base URL in the credential to the address where the service really is.',
		cause: misconfigured,
	}),
	notSent: (facts) => {
		const [message, fix] = notSent(facts);
		return {
			message,
			description: `${fix}\nNothing was sent${technically(facts.code)}.`,
			cause: unavailable,
		};
	},
	insecure: ({ host, code }) => ({
		message: `No secure connection to ${host ?? 'the service'} could be made`,
		description: `${fixOfInsecure(code)}\nNothing was sent${technically(code)}.`,
		cause: misconfigured,
	}),
	connectionLost: ({ host, code }) => ({
		message: `The connection to ${host ?? 'the service'} broke off before the response was complete`,
		description: `Run this again in a while${technically(code)}. If it happens every time, check whether the Base URL in the credential has to start with https:// in place of http://.`,
		cause: unavailable,
	}),
	timeout: (facts, context) => ({
		message: `${facts.host ?? 'The service'} did not answer within ${seconds(facts.timeoutMs)}`,
		description: adviceForSlowAnswers(facts, context),
		cause: unavailable,
	}),
	invalidBody: () => ({
		message: 'The service answered with something that is not JSON',
		description:
			'Check the Base URL in the credential: a website or a proxy may be answering in place of the service.',
	}),
	unsuccessful: (facts) => ({
		message: 'The service reports that the request failed',
		description: `Check the values of this node${against(facts)}.`,
	}),
	...LIST_KINDS,
	blocked: ({ words = '' }) => ({
		message: 'n8n did not send the request',
		description: `${
			words.includes('restricted IP address')
				? 'Ask the administrator of this n8n to allow the address of the Base URL: N8N_SSRF_ALLOWED_HOSTNAMES for a name, N8N_SSRF_ALLOWED_IP_RANGES for an IP address.'
				: 'Check the settings of the credential and of this n8n.'
		}${words && `\nn8n says: ${words}`}`,
		cause: misconfigured,
	}),
	cancelled: () => ({
		message: 'The execution was cancelled',
		description: 'Run the workflow again to start over. No further request was sent.',
	}),
};
