import type { Failure } from 'n8n-workflow';

import type { FailureFacts, FailureKind, ServiceFailure } from '../client/failures';
import {
	isRejectedPage,
	isRejection,
	isUnprocessed,
	failureClassOf,
	NAMES_CURSOR,
} from '../client/failure-classes';
import { MAX_UNCONNECTED_MS } from '../client/rate-limiter';
import { KIND_TEXTS } from './kind-texts';
import { ASK_EVERY_TIME, IF_PROXY, RUN_AGAIN, type FailureContext, type Text } from './texts';
import { textOfStatus } from './status-texts';
import { shorten } from '../client/secrets';
import { counted, formatNumber, formatTime } from './words';

/** Returns the message and description of a failure for the user, and its cause for n8n, such as `rate-limited`. */
export function explain(failure: ServiceFailure, context: FailureContext) {
	const [title, fixes, why] = textOf(failure, context);
	const message = withServiceWords(title, failure);
	const { gaveUp, ctxId } = failure.facts;
	const isUncertain = gaveUp === 'mayBeBilled' || gaveUp === 'mayHaveActed';
	const done = gaveUp === 'mayBeBilled' ? 'processed and billed it' : 'processed it';
	const lines = [
		...numbered(adviceOn(failure, [fixes].flat(), isUncertain, context)),
		isUncertain && `The request was not sent again, because the service may have ${done}.`,
		why,
		remarkOnWaiting(failure, context),
		remarkOfService(failure, message),
		ctxId && `Request ID for the service's support (ctx_id): ${ctxId}`,
		whatWasRead(failure, context),
	];
	const description = lines.filter(Boolean).join('\n');
	// Do not tell n8n the cause if the service may have processed a call, because n8n might then retry the call.
	return { message, description, cause: isUncertain ? undefined : causeOf(failure) };
}

/** Appends the service's error message to the title, unless the status is 5xx or the message is not from the API. */
function withServiceWords(title: string, { kind, facts }: ServiceFailure): string {
	const { words, webPage, statusCode = 0 } = facts;
	const isSaid =
		words && webPage === undefined && statusCode < 500 && !KINDS_NOT_FROM_API.includes(kind);
	return isSaid && !title.includes(words) ? `${title}: "${shorten(words, 200)}"` : title;
}

/** Kinds of failure whose message comes from n8n or from another server, not from the API. */
const KINDS_NOT_FROM_API: readonly FailureKind[] = ['blocked', 'invalidBody'];

/** Returns all advice in the order in which the user should try it, the likeliest fix first. */
function adviceOn(
	failure: ServiceFailure,
	fixes: readonly string[],
	isUncertain: boolean,
	context: FailureContext,
): string[] {
	const { recordsRead = 0, movedTo, isEnvelope } = failure.facts;
	// If the service has responded, the Base URL is right. So leave out the advice to check it.
	const hasAnswered = recordsRead > 0 || context.othersAnswered || isEnvelope;
	const isRight = hasAnswered && movedTo === undefined;
	const known = isRight ? fixes.filter((fix) => !fix.includes("'Base URL'")) : fixes;
	// Do not advise to run the node again without a check in the service, because the user could pay twice.
	if (isUncertain) {
		const again = 'If the request was not processed, run this again.';
		return [
			'Check in the service whether it processed the request.',
			...known.map((fix) => (fix === RUN_AGAIN ? again : fix)),
		];
	}
	const likely = known.filter((fix) => !UNLIKELY_ADVICE.includes(fix));
	const least = known.filter((fix) => UNLIKELY_ADVICE.includes(fix));
	const smaller = smallerPages(failure);
	const first = likely.length + smaller.length > 0 ? likely : [RUN_AGAIN];
	// Without a temporary cause, advise a smaller page size first, because the same size would fail again.
	const isSizeFirst = failure.facts.smallerPageSize !== undefined && first[0] !== RUN_AGAIN;
	const ways = isSizeFirst ? [...smaller, ...first] : [...first, ...smaller];
	if (!isLost(failure, context)) return [...ways, ...onwardFrom(failure), ...least];
	const lost = `n8n did not keep the ${counted(recordsRead, 'record')} read so far.`;
	const [way, ...others] = ways;
	if (way === RUN_AGAIN) {
		const keep = `Set On Error to Continue in the settings of this node, and run it again from the beginning: ${lost}`;
		return [keep, ...others, ...least];
	}
	const keep = `To keep the records that were read before an error, set On Error to Continue in the settings of this node: ${lost}`;
	return [...ways.filter((fix) => fix !== RUN_AGAIN), keep, ...least];
}

/** Checks whether n8n discarded the records read before the failure, as with On Error: Stop Workflow. */
function isLost(failure: ServiceFailure, { keepsOutput }: FailureContext): boolean {
	const { recordsRead = 0 } = failure.facts;
	return recordsRead > 0 && keepsOutput === false && failureClassOf(failure).scope !== 'run';
}

/** Returns the advice to continue the list with Start Cursor. Returns an empty array if there is no usable cursor. */
function onwardFrom(failure: ServiceFailure): string[] {
	const isOver = isRejectedPage(failure) && namesCursor(failure.facts);
	const cursor = isOver ? undefined : cursorToContinue(failure);
	const { page = 1, recordsRead = 0, pageSize: limit } = failure.facts;
	const after = recordsRead > 0 ? `after ${counted(recordsRead, 'record')}` : 'from here';
	// On page 1, the cursor is the Start Cursor that the user already has.
	if (!cursor || page === 1) return [];
	// Put the cursor on a line of its own, so that the user can copy it.
	return [
		`To continue ${after}, set the option 'Page Size' to ${limit} (the cursor needs this size) and 'Start Cursor' to:\n${cursor}`,
	];
}

/** Returns the advice to read smaller pages, if a response took too long or was too large. */
function smallerPages(failure: ServiceFailure): string[] {
	const { kind, facts } = failure;
	const { statusCode = 0, page, smallerPageSize } = facts;
	const isTooMuch = kind === 'timeout' || kind === 'tooLong' || statusCode === 413;
	if (page === undefined || isRejectedPage(failure)) return [];
	const canHelp = isTooMuch || (smallerPageSize && (statusCode === 408 || statusCode >= 500));
	if (!canHelp) return [];
	const size = smallerPageSize
		? `the option 'Page Size' to ${smallerPageSize}`
		: "a smaller 'Page Size'";
	const start = cursorToContinue(failure)
		? " from the list's beginning, without 'Start Cursor'"
		: '';
	return [`Set ${size}, and run this again${start}.`];
}

/** Advice that rarely helps, so it comes last. */
const UNLIKELY_ADVICE: readonly string[] = [ASK_EVERY_TIME, IF_PROXY];

/** Numbers the pieces of advice. A single piece of advice is not numbered. */
function numbered(advice: string[]): string[] {
	if (advice.length < 2) return advice;
	return advice.map((one, index) => `${index + 1}. ${one}`);
}

function causeOf(failure: ServiceFailure): Failure | undefined {
	const { kind, facts } = failure;
	if (isRejectedPage(failure)) return undefined;
	const { statusCode = 0, retryAfterMs, isText } = facts;
	const { retry, scope } = failureClassOf(failure);
	if (kind === 'status' && isUnprocessed(failure)) return { cause: 'rate-limited', retryAfterMs };
	const isAway = kind === 'status' || kind === 'timeout' || scope === 'network';
	if (isAway && retry !== 'never') return { cause: 'temporarily-unavailable', retryAfterMs };
	if (statusCode === 401 && !isText) return { cause: 'credential-invalid' };
	if (statusCode === 402) return { cause: 'quota-exhausted' };
	// Other failures may not need any action from the user. So do not set a cause such as `credential-invalid`, which
	// would make n8n pause the trigger for half an hour.
	return undefined;
}

/** Returns a sentence that quotes the service's error message; undefined if the title already contains it whole. */
function remarkOfService({ kind, facts }: ServiceFailure, message: string): string | undefined {
	const { words, isText } = facts;
	if (!words || kind === 'blocked' || message.includes(words)) return undefined;
	const who = isText ? 'The response says' : 'The service said';
	return `${who}: "${words}"${/[.!?…]$/.test(words) ? '' : '.'}`;
}

function whatWasRead(failure: ServiceFailure, context: FailureContext): string | undefined {
	const { page = 1, recordsRead = 0 } = failure.facts;
	if (recordsRead === 0 || isLost(failure, context)) return undefined;
	return `Records read before this error: ${formatNumber(recordsRead)} (page ${page}).`;
}

/** Returns the cursor to continue with; undefined if the service rejected the Start Cursor or repeats a page. */
export function cursorToContinue(failure: ServiceFailure): string | undefined {
	const isOver = failure.kind === 'repeatedPage' || isOfStartCursor(failure);
	return isOver ? undefined : failure.facts.nextCursor;
}

/** Returns sentences about the requested wait, why the node stopped waiting, and the number of attempts. */
function remarkOnWaiting(failure: ServiceFailure, { hasRequestOptions }: FailureContext): string {
	const { gaveUp, attempts = 1, retryAfterMs = 0 } = failure.facts;
	const isOutOfTime = gaveUp === 'waitTooLong' || gaveUp === 'waitUsed';
	const remarks: string[] = [];
	if (retryAfterMs > 0) remarks.push(`The service asked to wait ${formatTime(retryAfterMs)}.`);
	if (isOutOfTime) {
		const isPoll = hasRequestOptions === false;
		const poll = 'A poll cannot wait that long. The next poll tries again.';
		remarks.push(isPoll ? poll : whyNoLonger(failure));
	}
	if (attempts === 0) remarks.push(UNSENT);
	if (attempts > 1 && (isOutOfTime || gaveUp === 'retriesUsed')) {
		remarks.push(`The node made ${attempts} attempts.`);
	}
	return remarks.join(' ');
}

const UNSENT = 'Nothing was sent for this item, because the service accepted no request before it.';

function whyNoLonger({ kind, facts: { gaveUp, maxWaitMs = 0 } }: ServiceFailure): string {
	const limit = `'Retry For' (${formatTime(maxWaitMs)})`;
	if (gaveUp === 'waitTooLong') return `That is longer than ${limit} allows.`;
	const isUnconnected = kind === 'notSent' && maxWaitMs >= MAX_UNCONNECTED_MS;
	const unconnected = `No connection was made for ${formatTime(MAX_UNCONNECTED_MS)}.`;
	return isUnconnected ? unconnected : `${limit} is used up.`;
}

function textOf(failure: ServiceFailure, context: FailureContext): Text {
	const { kind, facts } = failure;
	if (isRejectedPage(failure)) return rejectedPage(facts);
	if (kind !== 'status') return KIND_TEXTS[kind](facts, context);
	const [message, fixes, why] = textOfStatus(facts, context);
	if (!isOfStartCursor(failure)) return [message, fixes, why];
	// Also use this text if the response has no error message. The cause may then be a filter or the Base URL too, and
	// the text mentions both.
	if (!facts.words || NAMES_CURSOR.test(facts.words)) return rejectedStartCursor(context);
	const tooOld = "Clear the option 'Start Cursor' to read from the beginning: it may be too old.";
	return [message, [fixes, tooOld].flat(), why];
}

const rejectedStartCursor = ({ objectType, isFixedType }: FailureContext): Text => [
	"The service refused this 'Start Cursor'",
	[
		"Clear the option 'Start Cursor' to read from the beginning.",
		"Enter the whole cursor that the last run reported, and set 'Page Size' to the pageSize next to it.",
		`Check ${objectType && !isFixedType ? "'Object Type', " : ''}'Filters' and the 'Base URL'.`,
	],
	"A cursor may be valid for a short time only, and only with the same 'Page Size' and key.",
];

/** Checks whether the service rejected the user's Start Cursor, without which the first request has no cursor. */
function isOfStartCursor(failure: ServiceFailure): boolean {
	const { page, recordsRead, nextCursor } = failure.facts;
	return isRejection(failure) && page === 1 && recordsRead === 0 && nextCursor !== undefined;
}

/**
 * Returns the text for a rejected list page other than the first. Blames the cursor only if the service mentions it,
 * because many services limit how far a list can be read.
 */
function rejectedPage(facts: FailureFacts): Text {
	const { page = 2, statusCode = 0, recordsRead, isByNumber } = facts;
	// The trigger and Sync have no options for dates. Their failures are recognized by the missing `recordsRead`.
	const dates =
		recordsRead === undefined || isByNumber ? '' : ", 'Changed After' and 'Changed Before'";
	const less = `Read fewer records at once, with 'Filters'${dates}.`;
	const faster = "Set a larger 'Page Size': fewer pages take less time.";
	const idle = 'If your workflow reads one page per run, let it do less between two pages.';
	const isOfCursor = namesCursor(facts);
	const fixes = isOfCursor ? [faster, ...(dates ? [idle] : []), less] : [less, faster];
	const why = isOfCursor
		? 'The cursors of the service may be valid for a short time only.'
		: undefined;
	return [`The service refused page ${page} (HTTP ${statusCode})`, fixes, why];
}

/** Checks whether the service rejects the cursor: by HTTP 410, or by an error message that mentions a cursor. */
const namesCursor = ({ statusCode, words = '' }: FailureFacts): boolean =>
	statusCode === 410 || NAMES_CURSOR.test(words);
