import type { Failure } from 'n8n-workflow';

import {
	isRateLimit,
	isRejection,
	isTemporary,
	type FailureFacts,
	type FailureKind,
	type ServiceFailure,
} from '../client/failures';
import { LONGEST_UNCONNECTED_MS } from '../client/retry';
import { shorten } from '../client/secrets';
import {
	against,
	IF_PROXY,
	KINDS,
	type FailureContext,
	type Text,
	type Writer,
} from './kind-texts';
import { counted, formatTime } from './words';

/** Says a failure in plain English: what happened, what to do and how to continue, and what n8n calls its cause. */
export function explain(failure: ServiceFailure, context: FailureContext) {
	const [message, fix] = textOf(failure, context);
	const { gaveUp, isChosenLimit, ctxId, nextCursor } = failure.facts;
	const isUncertain = gaveUp === 'mayBeBilled' || gaveUp === 'mayHaveActed';
	const done = gaveUp === 'mayBeBilled' ? 'processed and billed it' : 'done its work already';
	const lines = [
		// Comes before all else: a person who just runs it again may pay twice.
		isUncertain &&
			`Check in the service before you repeat it. The request was not sent again, because the service may have ${done}.`,
		isChosenLimit &&
			`Set the option 'Page Size' to 100, and run this again${nextCursor ? " from the list's beginning, without 'Start Cursor'" : ''}.`,
		fix,
		remarkOnWaiting(failure, context),
		remarkOfService(failure, message),
		ctxId && `Request ID for the service's support (ctx_id): ${ctxId}`,
		...howToContinue(failure, context),
	];
	const description = lines.filter(Boolean).join('\n');
	// Without a cause, n8n does not repeat it either.
	return { message, description, cause: isUncertain ? undefined : causeOf(failure) };
}

const UNREACHED: FailureKind[] = ['notSent', 'connectionLost', 'timeout'];
const BY_SETTINGS: FailureKind[] = ['status', 'redirected', 'insecure', 'blocked'];

function causeOf({ kind, facts }: ServiceFailure): Failure | undefined {
	const { statusCode = 0, retryAfterMs, isText } = facts;
	if (kind === 'status' && isRateLimit(facts)) return { cause: 'rate-limited', retryAfterMs };
	if (isTemporary(statusCode)) return { cause: 'temporarily-unavailable', retryAfterMs };
	if (UNREACHED.includes(kind)) return { cause: 'temporarily-unavailable' };
	if (statusCode === 401 && !isText) return { cause: 'credential-invalid' };
	if (statusCode === 402) return { cause: 'quota-exhausted' };
	return BY_SETTINGS.includes(kind) ? { cause: 'configuration-invalid' } : undefined;
}

/** The service's own words, unless the message or the fix has them already. */
function remarkOfService({ kind, facts }: ServiceFailure, message: string): string | undefined {
	const { words, isText } = facts;
	if (!words || kind === 'blocked' || message.includes(words)) return undefined;
	const who = isText ? 'The answer says' : 'The service said';
	return `${who}: "${words}"${/[.!?…]$/.test(words) ? '' : '.'}`;
}

const LOST =
	' n8n does not keep them, because this node stops on errors: run it again from the start, or set On Error to Continue in its settings first to keep what was read.';

function howToContinue(failure: ServiceFailure, { keepsOutput }: FailureContext): string[] {
	const { page = 1, recordsRead, nextCursor, limit } = failure.facts;
	const isRefused = failure.kind === 'repeatedPage' || isForStartCursor(failure);
	const cursor = isRefused ? undefined : nextCursor;
	if (recordsRead === undefined || (recordsRead === 0 && cursor === undefined)) return [];
	const isLost = keepsOutput === false && recordsRead > 0;
	const read = `${counted(recordsRead, 'record')} had been read before this (page ${page}).${isLost ? LOST : ''}`;
	if (cursor === undefined) return [read];
	return [read, toContinue(isLost ? 'without them' : 'from here', limit, cursor)];
}

/** The cursor is a line of its own, so that it can be copied. */
export function toContinue(where: string, limit: number | null | undefined, cursor: string) {
	return `Another 'Page Size' needs the list from its beginning. To continue ${where}, set the option 'Page Size' to ${limit} and 'Start Cursor' to:\n${cursor}`;
}

/** How long was waited, and why no longer. The trigger has no option for it, and its next poll tries again. */
function remarkOnWaiting(failure: ServiceFailure, { hasRequestOptions }: FailureContext): string {
	const { gaveUp, attempts = 1, retryAfterMs = 0 } = failure.facts;
	const isOutOfTime = gaveUp === 'waitTooLong' || gaveUp === 'waitUsed';
	const remarks: string[] = [];
	if (retryAfterMs > 0) remarks.push(`The service asked to wait ${formatTime(retryAfterMs)}.`);
	if (isOutOfTime) {
		const isPoll = hasRequestOptions === false;
		const poll = 'A poll cannot wait that long; the next one tries again.';
		remarks.push(isPoll ? poll : whyNoLonger(failure));
		if (attempts === 0) remarks.push(UNSENT);
	}
	if (attempts > 1 && (isOutOfTime || gaveUp === 'retriesUsed')) {
		remarks.push(`It was tried ${attempts} times.`);
	}
	return remarks.join(' ');
}

const UNSENT =
	'Nothing was sent for this item, because an earlier one had shown that the service accepts no requests now.';

function whyNoLonger({ kind, facts: { gaveUp, maxWaitMs = 0 } }: ServiceFailure): string {
	const limit = `'Max Wait' (${formatTime(maxWaitMs)})`;
	if (gaveUp === 'waitTooLong') return `That is longer than ${limit} allows.`;
	const isUnconnected = kind === 'notSent' && maxWaitMs >= LONGEST_UNCONNECTED_MS;
	const unconnected = `No connection was made for ${formatTime(LONGEST_UNCONNECTED_MS)}.`;
	return isUnconnected ? unconnected : `${limit} is used up.`;
}

const WHERE_KEYS_ARE = 'the workspace developer settings of the service';
const BASE_URL = "the 'Base URL' in the credential: it is everything before /v1 or /v2";

function textOf(failure: ServiceFailure, context: FailureContext): Text {
	const { kind, facts } = failure;
	if (kind !== 'status') return KINDS[kind](facts, context);
	const [message, fix] = textOfStatus(facts, context);
	if (!isForStartCursor(failure)) return [message, fix];
	// What else is wrong with a first request, such as a filter or the address, is answered in the same way.
	const blamesCursor = !facts.words || /cursor|page.?token|continuation/i.test(facts.words);
	return blamesCursor
		? [
				"The service refused this 'Start Cursor'",
				"Clear the option 'Start Cursor' to read from the beginning, or enter the cursor that the last run reported.\nA cursor may be valid for a short time only, and only with the 'Page Size' and the key that it was made with. If it is right, check 'Object Type', 'Additional Parameters' and the 'Base URL'.",
			]
		: [
				message,
				`${fix}\nIf all that is right, the 'Start Cursor' may be too old: clear it to read from the beginning.`,
			];
}

/** The first request of a list has a cursor only where the user entered one. */
function isForStartCursor(failure: ServiceFailure): boolean {
	const { page, recordsRead, nextCursor } = failure.facts;
	return isRejection(failure) && page === 1 && recordsRead === 0 && nextCursor !== undefined;
}

function textOfStatus(facts: FailureFacts, given: FailureContext): Text {
	const { statusCode = 0, webPage, isText, words = '', recordsRead = 0 } = facts;
	if (statusCode < 500 && isRateLimit(facts)) return tooMany(facts, given);
	const isInBetween = statusCode >= 500 || [401, 403, 407].includes(statusCode);
	if (webPage !== undefined && isInBetween) return fromBetween(facts);
	// No API says by a web page that it has no such record.
	const context = statusCode === 404 && webPage !== undefined ? {} : given;
	// 400 and 422 answer many things, so they have to name the type; 404 is no answer to anything else.
	const namesType = [400, 422].includes(statusCode) && /object.?type/i.test(words);
	if (context.objectType !== undefined && recordsRead === 0 && (statusCode === 404 || namesType)) {
		return [
			`Object type "${context.objectType}" not found`,
			`Choose another 'Object Type' in this node, or correct its name.\nIf the type is right, check ${BASE_URL}.`,
		];
	}
	const [message, fix] = (STATUSES[statusCode] ?? otherStatus)(facts, context);
	if (!isText || ![401, 403].includes(statusCode)) return [message, fix];
	const who = 'The service, or a firewall or proxy before it,';
	return [`${who} refused the request (HTTP ${statusCode})`, `${fix}\n${IF_PROXY}`];
}

const credentialName = ({ apiVersion }: FailureContext): string =>
	apiVersion === 'v1' ? 'access token' : 'API key';

const STATUSES: Partial<Record<number, Writer>> = {
	401: (_facts, { needsV2, apiVersion }) => [
		'Key or token not recognized',
		needsV2
			? `In the credential, enter an API key (v2) from ${WHERE_KEYS_ARE}.\nIf it is one, copy it again: it may be incomplete or deleted. An access token (v1) cannot be used here.`
			: `In the credential, check that the ${apiVersion === undefined ? 'key or token' : credentialName({ apiVersion })} was copied whole and that 'API Version' fits it: V2 for an API key, V1 for an access token.\nIf it was deleted, create a new one in ${WHERE_KEYS_ARE}.`,
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
		if (call === undefined) return ['Address not found at the service', `Check ${BASE_URL}.`];
		const otherwise = `If every item ends like this, check ${BASE_URL}.`;
		if (call === 'record') {
			return [
				'The service has no record with this ID',
				`Check 'Record ID' in this node: the record may have been deleted.\n${otherwise}`,
			];
		}
		return [
			`The service found no match${words ? `: "${shorten(words, 120)}"` : ''}`,
			`Check the values of the fields to send.\n${otherwise}`,
		];
	},
	407: (facts, context) => KINDS.notSent({ ...facts, isOfProxy: true }, context),
	// Only the requests of a list have a page, and only they get smaller with Page Size.
	413: ({ page }) => [
		'The request is too large for the service',
		page === undefined ? 'Send fewer or shorter fields per item.' : "Use a smaller 'Page Size'.",
	],
};

const tooMany: Writer = (_facts, { hasRequestOptions }) => [
	'The service is receiving too many requests',
	`Run fewer workflows against this workspace at the same time, or set the option 'Max Requests per Minute'${hasRequestOptions === false ? '' : ". To wait longer for the service, raise 'Max Wait'"}.`,
];

/** A web page in place of an answer is made by what stands between n8n and the service, which knows nothing of keys. */
function fromBetween({ statusCode = 0, webPage }: FailureFacts): Text {
	const page = webPage ? `a web page, "${webPage}"` : 'a web page';
	if (statusCode >= 500) {
		return [
			`A gateway or proxy answered in place of the service (HTTP ${statusCode}): with ${page}`,
			`Run this again in a while. If it happens every time, ask the operator of the service. ${IF_PROXY}`,
		];
	}
	return [
		`A firewall or proxy refused the request (HTTP ${statusCode}): it answered with ${page}`,
		`Ask who runs the firewall, the proxy or the service to let requests of this n8n pass. ${IF_PROXY}\nThe key or token may be right: no API answers like this.`,
	];
}

const otherStatus: Writer = (facts, { call }) => {
	const { statusCode = 0, page } = facts;
	if (isTemporary(statusCode)) {
		const proxy = [502, 503, 504].includes(statusCode) ? `\n${IF_PROXY}` : '';
		return [
			`The service could not process the request (HTTP ${statusCode})`,
			`Run this again in a while. If it happens every time, ask the operator of the service.${proxy}`,
		];
	}
	const pageSize = page === undefined ? '' : ", 'Page Size' among them";
	const values = call === 'data' ? 'the fields to send' : `this node${pageSize}`;
	return [
		`The service did not accept the request (HTTP ${statusCode})`,
		`Check the values of ${values}${against(facts)}. If they are right, check ${BASE_URL}.`,
	];
};
