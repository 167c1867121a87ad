import type { Failure } from 'n8n-workflow';

import { isRateLimit, type ApiVersion } from '../client/api';
import type { FailureFacts, ServiceFailure } from '../client/failures';
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
	/** False where n8n throws away what was read before a failure. */
	keepsOutput?: boolean;
	/** False where the user has no options for retries, timeout and page size. */
	hasRequestOptions?: boolean;
	/** True where every request is for a page of a list. */
	readsPages?: boolean;
}

/** Writes the explanation of one kind of failure. */
export type Writer = (facts: FailureFacts, context: ExplanationContext) => Explanation;

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
export function writerOf({ kind, facts }: ServiceFailure): Writer {
	return kind === 'status' ? writerOfStatus(facts.statusCode ?? 0) : KINDS[kind];
}

const credentialName = ({ apiVersion }: ExplanationContext): string =>
	apiVersion === 'v1' ? 'access token' : 'API key';

/** Only what reads a list gets smaller with Page Size. A list's requests know which page they asked for. */
const isForPage = ({ page }: FailureFacts, { readsPages }: ExplanationContext): boolean =>
	page !== undefined || readsPages === true;

function adviceForSlowAnswers(facts: FailureFacts, context: ExplanationContext): string {
	const pages = isForPage(facts, context) ? ', or ask for less at once (a smaller Page Size)' : '';
	return context.hasRequestOptions === false
		? `Look after the service${pages}.`
		: `Raise Timeout in the options${pages}.`;
}

const STATUSES: Record<number, Writer> = {
	400: () => ({
		message: 'The service did not accept the request',
		description: 'Check the values of this node against what the service says below.',
		cause: { cause: 'configuration-invalid' },
	}),
	401: (_facts, context) => ({
		message: `The service does not know this ${credentialName(context)}`,
		description: `Open the credential of this node: check that the ${credentialName(context)} was copied whole, and that API Version fits it (V2 for an API key, V1 for an access token). If it was deleted in ${WHERE_KEYS_ARE}, create a new one there and paste it.`,
		cause: { cause: 'credential-invalid' },
	}),
	402: () => ({
		message: 'The workspace has no credit left for this',
		description: "Check the workspace's plan or balance with the service, then run this again.",
		cause: { cause: 'quota-exhausted' },
	}),
	403: (_facts, context) => ({
		message: `This ${credentialName(context)} is not allowed to use ${context.operation ?? 'this operation'}`,
		description: context.permission
			? `This operation needs ${context.permission}. Create one in ${WHERE_KEYS_ARE} and enter it in the credential of this node.`
			: `Look up its permission level in ${WHERE_KEYS_ARE}, or create one with more access there and enter it in the credential of this node.`,
		cause: { cause: 'configuration-invalid' },
	}),
	404: () => ({
		message: 'The service does not know this address',
		description:
			'Check the Base URL of the credential (it is the part before /v1 or /v2) and, where this node has them, the Object Type and the Record ID.',
		cause: { cause: 'configuration-invalid' },
	}),
	408: () => ({
		message: 'The service gave up waiting for the request',
		description: 'Run this again in a while.',
		cause: { cause: 'temporarily-unavailable' },
	}),
	409: () => ({
		message: 'The request conflicts with something in the workspace',
		description:
			'Look at what the service says below, change it there or here, and run this again.',
		cause: { cause: 'configuration-invalid' },
	}),
	413: (facts, context) => ({
		message: 'The request is too large for the service',
		description: isForPage(facts, context)
			? 'Use a smaller Page Size.'
			: 'Send fewer or shorter fields per item.',
		cause: { cause: 'configuration-invalid' },
	}),
	422: (facts, context) => ({
		message: 'The service could not work with the data that was sent',
		description: isForPage(facts, context)
			? 'Check the values of this node, Page Size among them, against what the service says below.'
			: 'Check the names and values of the fields to send against what the service says below.',
		cause: { cause: 'configuration-invalid' },
	}),
};

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
			description: 'The trouble is on the side of the service. Run this again in a while.',
			cause: { cause: 'temporarily-unavailable', retryAfterMs },
		});
	}
	return () => ({
		message: `The service refused the request (HTTP ${statusCode})`,
		description: 'Check the values of this node and the Base URL of the credential.',
		cause: { cause: 'configuration-invalid' },
	});
}

const unavailable: Failure = { cause: 'temporarily-unavailable' };
const misconfigured: Failure = { cause: 'configuration-invalid' };

const KINDS: Record<Exclude<ServiceFailure['kind'], 'status'>, Writer> = {
	redirected: ({ redirectedTo }) => ({
		message: redirectedTo
			? `The service moved this address to ${redirectedTo}`
			: 'The service answered with a redirect that cannot be followed',
		description: redirectedTo
			? 'Nothing was sent there, since the key would go with it. If that is where the service is now, set it as the Base URL of the credential.'
			: 'Set the Base URL of the credential to the address where the service really is.',
		cause: misconfigured,
	}),
	notSent: ({ host, code }) => ({
		message: `No connection to ${host ?? 'the service'} could be made`,
		description: `Check the Base URL of the credential and its port, that the service is running, and that n8n may reach it${code ? ` (${code})` : ''}. Nothing was sent.`,
		cause: unavailable,
	}),
	insecure: ({ host, code }) => ({
		message: `No secure connection to ${host ?? 'the service'} could be made`,
		description: `Its certificate was not accepted${code ? ` (${code})` : ''}. Check that the Base URL of the credential starts with the right one of https:// and http://, and the certificate of the service. Nothing was sent.`,
		cause: misconfigured,
	}),
	connectionLost: ({ host, code }) => ({
		message: `The connection to ${host ?? 'the service'} broke off before the answer was complete`,
		description: `Run this again in a while${code ? ` (${code})` : ''}.`,
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
			'Check the Base URL of the credential: a website or a proxy may be answering in place of the service.',
	}),
	unsuccessful: () => ({
		message: 'The service reports that the request failed',
		description: 'Look at what the service says below.',
	}),
	...LIST_KINDS,
	blocked: ({ words = '' }) => ({
		message: 'n8n did not send the request',
		description: words.includes('restricted IP address')
			? `The Base URL is at an address that this n8n is set to protect. Ask its administrator to allow it: N8N_SSRF_ALLOWED_HOSTNAMES for a name, N8N_SSRF_ALLOWED_IP_RANGES for an IP address. n8n says: ${words}`
			: words || 'Check the settings of the credential and of this n8n.',
		cause: misconfigured,
	}),
	cancelled: () => ({
		message: 'The execution was cancelled',
		description: 'No further request was sent. Run the workflow again to start over.',
	}),
};
