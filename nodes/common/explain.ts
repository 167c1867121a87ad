import type { Failure } from 'n8n-workflow';

import { isTemporary, type FailureKind, type ServiceFailure } from '../client/failures';
import { isRateLimit } from '../client/refusal';
import { LONGEST_UNCONNECTED_MS } from '../client/retry';
import { isForStartCursor, textOf } from './failure-texts';
import type { FailureContext } from './kind-texts';
import { counted, formatTime } from './words';

/**
 * Says a failure in plain English: the message is what happened. The description begins with what to do; after it, one
 * thing a line, come the service's own words, its request id, and how to continue. The cause is what n8n calls it.
 */
export function explain(failure: ServiceFailure, context: FailureContext) {
	const [message, fix] = textOf(failure, context);
	const { gaveUp, isChosenLimit, ctxId } = failure.facts;
	const isUncertain = gaveUp === 'mayBeBilled' || gaveUp === 'mayHaveActed';
	const done = gaveUp === 'mayBeBilled' ? 'processed and billed it' : 'done its work already';
	const lines = [
		// Comes before all else: a person who just runs it again may pay twice.
		isUncertain &&
			`Check in the service before you repeat it. The request was not sent again, because the service may have ${done}.`,
		isChosenLimit && "Set the option 'Page Size' to 100, and run this again.",
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
	const { statusCode = 0, retryAfterMs, webPage } = facts;
	if (kind === 'status' && isRateLimit(facts)) return { cause: 'rate-limited', retryAfterMs };
	if (isTemporary(statusCode)) return { cause: 'temporarily-unavailable', retryAfterMs };
	if (UNREACHED.includes(kind)) return { cause: 'temporarily-unavailable' };
	if (statusCode === 401 && webPage === undefined) return { cause: 'credential-invalid' };
	if (statusCode === 402) return { cause: 'quota-exhausted' };
	return BY_SETTINGS.includes(kind) ? { cause: 'configuration-invalid' } : undefined;
}

/** The service's own words, unless the message or the fix has them already. */
function remarkOfService({ kind, facts }: ServiceFailure, message: string): string | undefined {
	const { words, webPage } = facts;
	if (!words || kind === 'blocked' || message.includes(words)) return undefined;
	const who = webPage === undefined ? 'The service said' : 'The page says';
	return `${who}: "${words}"${/[.!?…]$/.test(words) ? '' : '.'}`;
}

/** A cursor alone is half the truth where n8n throws away what a failing node had read. */
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
	return `To continue ${where}, set the option 'Page Size' to ${limit} and 'Start Cursor' to:\n${cursor}`;
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
