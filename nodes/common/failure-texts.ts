import type { ApiVersion } from '../client/api';
import { isRejection, type FailureFacts, type ServiceFailure } from '../client/failures';
import { shorten } from '../client/secrets';
import { isRateLimit } from '../client/refusal';
import { CONNECTION_TEXTS, FIX_OF_PROXY, IF_PROXY, PROXY } from './connection-texts';
import { LIST_TEXTS, type Text } from './list-texts';

/** What an explanation can say about the operation and the credential. */
export interface FailureContext {
	apiVersion?: ApiVersion;
	/** The permission that the operation needs, in words, for the credential's API version. */
	permission?: string;
	/** The operation as a person calls it, for example "Company: Prospect". */
	operation?: string;
	/** Only a v2 key can do it, so API Version is never what is wrong. */
	needsV2?: boolean;
	/** The records query: the type that was asked for. */
	objectType?: string;
	/** A call sends the user's data, or is about one record that the user names. */
	call?: 'data' | 'record';
	/** False where n8n throws away what was read before a failure. */
	keepsOutput?: boolean;
	/** False where the user has no options for retries, timeout and page size. */
	hasRequestOptions?: boolean;
}

type Writer = (facts: FailureFacts, context: FailureContext) => Text;

const WHERE_KEYS_ARE = 'the workspace developer settings of the service';

/** A time as people say it. */
export function seconds(ms: number | undefined): string {
	return `${Math.round((ms ?? 0) / 100) / 10} seconds`;
}

/** The texts for a failure: by its HTTP status where the service answered, by its kind otherwise. */
export function textOf(failure: ServiceFailure, context: FailureContext): Text {
	const { kind, facts } = failure;
	if (kind !== 'status') return KINDS[kind](facts, context);
	const hasStartCursor = isForStartCursor(failure);
	if (hasStartCursor && blamesCursor(facts)) {
		return [
			'The service refused this Start Cursor',
			'Clear the option Start Cursor to read from the beginning, or enter the cursor that the last run reported.\nA cursor may be valid for a short time only, and only with the Page Size and the key that it was made with. If it is right, check Object Type, Additional Parameters and the Base URL.',
		];
	}
	const { statusCode = 0, webPage } = facts;
	if (statusCode < 500 && isRateLimit(facts)) return tooMany(facts, context);
	const isInBetween = statusCode >= 500 || [401, 403, 407].includes(statusCode);
	if (webPage !== undefined && isInBetween) return fromBetween(facts);
	const [message, fix] = isForObjectType(failure, context)
		? [
				`Object type "${context.objectType}" not found`,
				'Choose another Object Type in this node, or correct its name.\nIf the type is right, check the Base URL in the credential: it is everything before /v1 or /v2.',
			]
		: (STATUSES[statusCode] ?? otherStatus)(facts, context);
	const late =
		'\nIf all that is right, the Start Cursor may be too old: clear it to read from the beginning.';
	return [message, hasStartCursor ? `${fix}${late}` : fix];
}

/** What else is wrong with a first request, such as a filter or the address, is answered in the same way. */
function blamesCursor({ words = '' }: FailureFacts): boolean {
	return words === '' || /cursor|page.?token|continuation/i.test(words);
}

/** The first request of a list has a cursor only where the user entered one. */
export function isForStartCursor(failure: ServiceFailure): boolean {
	const { page, recordsRead, nextCursor } = failure.facts;
	return isRejection(failure) && page === 1 && recordsRead === 0 && nextCursor !== undefined;
}

/** Other mistakes are answered by the same statuses, so all but 404 has to name the type. */
function isForObjectType({ facts }: ServiceFailure, { objectType }: FailureContext): boolean {
	const { statusCode = 0, words = '', recordsRead = 0 } = facts;
	if (objectType === undefined || recordsRead > 0) return false;
	return statusCode === 404 || ([400, 422].includes(statusCode) && /object.?type/i.test(words));
}

const credentialName = ({ apiVersion }: FailureContext): string =>
	apiVersion === 'v1' ? 'access token' : 'API key';

/** What the service says follows, where it says anything. */
const against = ({ words }: FailureFacts): string =>
	words ? ' against what the service says below' : '';

const gaveUpWaiting: Writer = ({ statusCode }) => [
	`The service gave up waiting for the request (HTTP ${statusCode})`,
	'Run this again in a while.',
];

const STATUSES: Partial<Record<number, Writer>> = {
	400: (facts) => [
		'The service did not accept the request',
		`Check the values of this node${against(facts)}.`,
	],
	401: (_facts, { needsV2, apiVersion }) => [
		'Key or token not recognized',
		needsV2
			? `In the credential, enter an API key (v2) from ${WHERE_KEYS_ARE}.\nIf it is one, copy it again: it may be incomplete or deleted. An access token (v1) cannot be used here.`
			: `In the credential, check that the ${apiVersion === undefined ? 'key or token' : credentialName({ apiVersion })} was copied whole and that API Version fits it: V2 for an API key, V1 for an access token.\nIf it was deleted, create a new one in ${WHERE_KEYS_ARE}.`,
	],
	402: () => [
		'The workspace has no credit left for this',
		"Check the workspace's plan or balance with the service, then run this again.",
	],
	403: ({ words }, context) => [
		`This ${credentialName(context)} is not allowed to use ${context.operation ?? 'this operation'}`,
		`In the credential, enter ${context.permission ?? `an ${credentialName(context)} with more access`}.\nKeys and their permissions are in ${WHERE_KEYS_ARE}.${words ? '' : `\n${IF_PROXY}`}`,
	],
	404: ({ words }, { call }) => {
		const address = 'the Base URL in the credential: it is everything before /v1 or /v2';
		if (call === undefined) {
			return [
				'Address not found at the service',
				`Check ${address}, for example https://api.example.com`,
			];
		}
		const otherwise = `If every item ends like this, check ${address}.`;
		if (call === 'record') {
			return [
				'The service has no record with this ID',
				`Check Record ID in this node: the record may have been deleted.\n${otherwise}`,
			];
		}
		return [
			`The service found no match${words ? `: "${shorten(words, 120)}"` : ''}`,
			`Check the values of the fields to send.\n${otherwise}`,
		];
	},
	407: () => [PROXY, FIX_OF_PROXY],
	408: gaveUpWaiting,
	425: gaveUpWaiting,
	499: gaveUpWaiting,
	// Only what reads a list gets smaller with Page Size. A list's requests know which page they asked for.
	413: ({ page }) => [
		'The request is too large for the service',
		page === undefined ? 'Send fewer or shorter fields per item.' : 'Use a smaller Page Size.',
	],
	422: (facts) => [
		'The service could not work with the data that was sent',
		facts.page !== undefined
			? `Check the values of this node, Page Size among them${against(facts)}.`
			: `Check the names and values of the fields to send${against(facts)}.`,
	],
};

const tooMany: Writer = (_facts, { hasRequestOptions }) => [
	'The service is receiving too many requests',
	`Run fewer workflows against this workspace at the same time, or set the option Max Requests per Minute${hasRequestOptions === false ? '' : '. To wait longer for the service, raise Max Wait'}.`,
];

/** A web page came in place of an answer: what stands between n8n and the service has made it, and knows nothing of keys. */
function fromBetween({ statusCode = 0, webPage }: FailureFacts): Text {
	const page = webPage ? `a web page, "${webPage}"` : 'a web page';
	if (statusCode >= 500) {
		return [
			`A gateway or proxy answered in place of the service: with ${page}`,
			`Run this again in a while. If it happens every time, ask the operator of the service (HTTP ${statusCode}).`,
		];
	}
	return [
		`A firewall or proxy refused the request: it answered with ${page}`,
		`Ask who runs the firewall, the proxy or the service to let requests of this n8n pass (HTTP ${statusCode}). ${IF_PROXY}\nThe key or token may be right: no API answers like this.`,
	];
}

const otherStatus: Writer = ({ statusCode = 0 }) =>
	statusCode >= 500
		? [
				`The service failed to answer (HTTP ${statusCode})`,
				`Run this again in a while. The problem is on the side of the service${[502, 503, 504].includes(statusCode) ? `, or of a proxy.\n${IF_PROXY}` : '.'}`,
			]
		: [
				`The service refused the request (HTTP ${statusCode})`,
				'Check the values of this node and the Base URL in the credential.',
			];

const KINDS: Record<Exclude<ServiceFailure['kind'], 'status'>, Writer> = {
	redirected: ({ statusCode = 0, movedTo, redirectedTo }) => {
		if (movedTo) {
			return [
				`The service has moved to ${movedTo}`,
				'If you trust that address, enter it as the Base URL in the credential.\nNothing was sent there, since the key would go with it.',
			];
		}
		const where = redirectedTo ? `\nIt redirects to ${redirectedTo}` : '';
		return [
			`The service answers by another path (HTTP ${statusCode})`,
			`Check the Base URL in the credential: it is everything before /v1 or /v2. If it is right, ask the operator of the service.\nNo redirect is followed, since filters and data would get lost on the way.${where}`,
		];
	},
	...CONNECTION_TEXTS,
	timeout: ({ host = 'The service', timeoutMs, page }, { hasRequestOptions = true }) => {
		const less = page === undefined ? '' : ', or ask for less at once (a smaller Page Size)';
		const fix = hasRequestOptions
			? 'Raise Timeout in the options'
			: 'Check that the service is not overloaded';
		return [`${host} did not answer within ${seconds(timeoutMs)}`, `${fix}${less}.`];
	},
	invalidBody: () => [
		'The service answered with something that is not JSON',
		'Check the Base URL in the credential: a website or a proxy may be answering in place of the service.',
	],
	unsuccessful: (facts) => [
		'The service reports that the request failed',
		`Check the values of this node${against(facts)}.`,
	],
	...LIST_TEXTS,
	blocked: ({ words = '' }) => [
		'n8n did not send the request',
		`${
			words.includes('restricted IP address')
				? 'Ask the administrator of this n8n to allow the address of the Base URL: N8N_SSRF_ALLOWED_HOSTNAMES for a name, N8N_SSRF_ALLOWED_IP_RANGES for an IP address.'
				: 'Check the settings of the credential and of this n8n.'
		}${words && `\nn8n says: ${words}`}`,
	],
	noTurn: () => [
		'Max Requests per Minute left this poll no time for another request',
		'Raise Max Requests per Minute to get more with each poll. The next poll continues.',
	],
	cancelled: () => [
		'The execution was cancelled',
		'Run the workflow again to start over. No further request was sent.',
	],
};
