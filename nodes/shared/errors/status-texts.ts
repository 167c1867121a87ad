import { isRateLimit, type FailureFacts } from '../client/failures';
import { CREDENTIAL_KINDS, DEFAULT_VERSION } from '../client/credential';
import { failureClassOf } from '../client/failure-classes';
import { KIND_TEXTS } from './kind-texts';
import {
	ASK_EVERY_TIME,
	BASE_URL,
	checkInput,
	IF_PROXY,
	RUN_AGAIN,
	type FailureContext,
	type Text,
	type Writer,
} from './texts';

const WHERE_KEYS_ARE = 'the workspace developer settings of the service';

/** Returns the texts for an HTTP error status. `rejectedPage` writes them for a rejected later page of a list. */
export function textOfStatus(facts: FailureFacts, given: FailureContext): Text {
	const { statusCode = 0, webPage, isText } = facts;
	if (statusCode < 500 && isRateLimit(facts)) return tooMany(facts, given);
	if (webPage !== undefined && [401, 403, 407].includes(statusCode)) return fromBetween(facts);
	// A web page with HTTP 404 does not come from the API, so the object type and the values are not the cause.
	const isOfService = webPage === undefined || given.othersAnswered;
	const context = statusCode === 404 && !isOfService ? {} : given;
	const [message, fixes, why] = (STATUS_TEXTS[statusCode] ?? otherStatus)(facts, context);
	if (!isText || ![401, 403].includes(statusCode)) return [message, fixes, why];
	const who = 'The service, or a firewall or proxy in front of it,';
	return [`${who} refused the request (HTTP ${statusCode})`, [fixes, IF_PROXY].flat(), why];
}

const credentialName = ({ apiVersion = DEFAULT_VERSION }: FailureContext): string =>
	CREDENTIAL_KINDS[apiVersion].shortWords;

const VERSIONS = Object.entries(CREDENTIAL_KINDS)
	.map(([version, { shortWords }]) => `${version.toUpperCase()} for an ${shortWords}`)
	.join(', ');

/** Texts for single HTTP statuses. `otherStatus` writes the texts for all other statuses. */
export const STATUS_TEXTS: Partial<Record<number, Writer>> = {
	401: (_facts, context) => [
		'Key or token not recognized',
		[
			`In the credential, check that the ${context.apiVersion === undefined ? 'key or token' : credentialName(context)} was copied whole.`,
			`Check that 'API Version' fits it: ${VERSIONS}.`,
			`If it was deleted, create a new one in ${WHERE_KEYS_ARE}.`,
		],
	],
	402: () => [
		'The workspace has no credit left for this',
		"Check the workspace's plan or balance with the service, then run this again.",
	],
	403: ({ words }, context) => [
		`This ${credentialName(context)} is not allowed to use ${context.operation ?? 'this operation'}`,
		[
			`In the credential, enter ${context.permission ?? `an ${credentialName(context)} with more access`}.`,
			...(words ? [] : [IF_PROXY]),
		],
		`Keys and their permissions are in ${WHERE_KEYS_ARE}.`,
	],
	404: (facts, context) => {
		const { objectType, isFixedType, values, othersAnswered } = context;
		if (objectType !== undefined) {
			const type = isFixedType
				? "Use Record: Query, and enter the name that your service has for this type as 'Object Type'."
				: "Choose another 'Object Type' in this node, or correct its name.";
			const fixes = [type, `If the type is right, check ${BASE_URL}.`];
			return [`Object type "${objectType}" not found`, fixes];
		}
		if (values) {
			const otherwise = `If every item fails with this error, check ${BASE_URL}.`;
			const fixes = [`Check the values of ${values}.`, otherwise];
			return ['The service found nothing for these values', fixes];
		}
		if (facts.isEnvelope || othersAnswered) return otherStatus(facts, context);
		return ['Address not found at the service', `Check ${BASE_URL}.`];
	},
	407: (facts, context) => KIND_TEXTS.notSent({ ...facts, isFromProxy: true }, context),
	413: ({ page }) => [
		'The request is too large for the service',
		page === undefined ? 'Send fewer or shorter fields per item.' : [],
	],
};

const tooMany: Writer = (_facts, { hasRequestOptions }) => [
	'The service is receiving too many requests',
	[
		'Run fewer workflows against this workspace at the same time.',
		"Set 'Requests per Minute' in the options.",
		...(hasRequestOptions === false ? [] : ["To wait longer for the service, raise 'Retry For'."]),
	],
];

/** Returns the texts for a web page from a firewall or proxy. The API did not send it, so the key may be right. */
function fromBetween({ statusCode, webPage }: FailureFacts): Text {
	const page = webPage ? `a web page, "${webPage}"` : 'a web page';
	return [
		`A firewall or proxy refused the request (HTTP ${statusCode}): it answered with ${page}`,
		[
			'Ask the administrator of the firewall or proxy, or the support of the service, to allow requests from this n8n.',
			IF_PROXY,
		],
		'The key or token may be right: a web page does not come from the API.',
	];
}

const otherStatus: Writer = (facts, context) => {
	const { statusCode = 0 } = facts;
	if (failureClassOf({ kind: 'status', facts }).retry !== 'never') {
		const proxy = [502, 503, 504].includes(statusCode) ? [IF_PROXY] : [];
		const message = `The service could not process the request (HTTP ${statusCode})`;
		return [message, [RUN_AGAIN, ASK_EVERY_TIME, ...proxy]];
	}
	const message = `The service refused the request (HTTP ${statusCode})`;
	return [message, [checkInput(facts, context), `If they are right, check ${BASE_URL}.`]];
};
