import type { Failure } from 'n8n-workflow';

import { isTemporary, type FailureKind, type ServiceFailure } from '../client/failures';
import { isRateLimit } from '../client/refusal';
import { LONGEST_UNCONNECTED_MS } from '../client/retry';
import { isForStartCursor, seconds, textOf, type FailureContext } from './failure-texts';

/**
 * Says a failure in plain English: the message is what happened. The description begins with what to do; after it, one
 * thing a line, come the service's own words, its request id, and how to continue. The cause is what n8n calls it.
 */
export function explain(failure: ServiceFailure, context: FailureContext) {
	const [message, fix] = textOf(failure, context);
	const { gaveUp, isChosenLimit } = failure.facts;
	const smaller = isChosenLimit ? ['Set the option Page Size to 100, and run this again.'] : [];
	const lines = [...smaller, fix, ...remarks(failure, context, message)];
	if (gaveUp !== 'mayBeBilled' && gaveUp !== 'mayHaveActed') {
		return { message, description: lines.join('\n'), cause: causeOf(failure) };
	}
	// Comes before all else: a person who just runs it again may pay twice. It must not be repeated by n8n either.
	const done = gaveUp === 'mayBeBilled' ? 'processed and billed it' : 'done its work already';
	const warning = `Check in the service before you repeat it. The request was not sent again, because the service may have ${done}.`;
	return { message, description: [warning, ...lines].join('\n') };
}

/** What is more than a service that answers in its own way, by kind or status. */
const CAUSES: Partial<Record<FailureKind | number, Failure['cause']>> = {
	redirected: 'configuration-invalid',
	insecure: 'configuration-invalid',
	blocked: 'configuration-invalid',
	tooManyUndated: 'configuration-invalid',
	unnumbered: 'configuration-invalid',
	notSent: 'temporarily-unavailable',
	connectionLost: 'temporarily-unavailable',
	timeout: 'temporarily-unavailable',
	401: 'credential-invalid',
	402: 'quota-exhausted',
};

function causeOf({ kind, facts }: ServiceFailure): Failure | undefined {
	const { statusCode = 0, retryAfterMs, webPage } = facts;
	if (kind === 'status' && isRateLimit(facts)) return { cause: 'rate-limited', retryAfterMs };
	if (isTemporary(statusCode)) return { cause: 'temporarily-unavailable', retryAfterMs };
	const otherwise = kind === 'status' ? 'configuration-invalid' : undefined;
	const cause =
		(webPage === undefined && CAUSES[kind === 'status' ? statusCode : kind]) || otherwise;
	return cause && ({ cause } as Failure);
}

/** One line each. The request id and the cursor have nothing after them, so that they can be copied. */
function remarks(failure: ServiceFailure, context: FailureContext, message: string): string[] {
	const { kind, facts } = failure;
	const { words, ctxId, recordsRead = 0, page = 1 } = facts;
	const waits = remarksOnWaiting(failure, context);
	const lines = waits.length > 0 ? [waits.join(' ')] : [];
	if (words && kind !== 'blocked' && !message.includes(words)) {
		const who = facts.webPage === undefined ? 'The service said' : 'The page says';
		lines.push(`${who}: "${words}"${/[.!?…]$/.test(words) ? '' : '.'}`);
	}
	if (ctxId) lines.push(`Request ID for the service's support (ctx_id): ${ctxId}`);
	const isRefused = kind === 'repeatedPage' || isForStartCursor(failure);
	const cursor = isRefused ? undefined : facts.nextCursor;
	const lost = context.keepsOutput === false && recordsRead > 0 ? LOST : '';
	if (recordsRead > 0 || (facts.recordsRead === 0 && cursor !== undefined)) {
		lines.push(`${recordsRead} records had been read before this (page ${page}).${lost}`);
		const where = lost ? 'without them' : 'from here';
		if (cursor !== undefined)
			lines.push(
				`To continue ${where}, set the option Page Size to ${facts.limit} and Start Cursor to:`,
				cursor,
			);
	}
	return lines;
}

/** A cursor alone is half the truth where n8n throws away what a failing node had read. */
const LOST =
	' n8n does not keep them, because this node stops on errors: run it again from the start, or set On Error to Continue in its settings first to keep what was read.';

/** How long was waited, and why no longer. The trigger has no option for it, and its next poll tries again. */
function remarksOnWaiting(
	{ kind, facts }: ServiceFailure,
	{ hasRequestOptions }: FailureContext,
): string[] {
	const { gaveUp, maxWaitMs, attempts = 1, retryAfterMs = 0 } = facts;
	const tries = attempts > 1 ? [`It was tried ${attempts} times.`] : [];
	const asked = retryAfterMs > 0 ? [`The service asked to wait ${duration(retryAfterMs)}.`] : [];
	if (gaveUp === 'retriesUsed') return [...tries, ...asked];
	if (gaveUp !== 'waitTooLong' && gaveUp !== 'waitUsed') return asked;
	if (hasRequestOptions === false) {
		return [...asked, 'A poll cannot wait that long; the next one tries again.', ...tries];
	}
	const limit = maxWaitMs === undefined ? 'Max Wait' : `Max Wait (${seconds(maxWaitMs)})`;
	let why = `${limit} is used up.`;
	if (gaveUp === 'waitTooLong') why = `That is longer than ${limit} allows.`;
	else if (kind === 'notSent' && (maxWaitMs ?? Infinity) >= LONGEST_UNCONNECTED_MS)
		why = `No connection was made for ${seconds(LONGEST_UNCONNECTED_MS)}.`;
	if (attempts > 0) return [...asked, why, ...tries];
	const unsent =
		'Nothing was sent for this item, because an earlier one had shown that the service accepts no requests now.';
	return [...asked, why, unsent];
}

/** A time of any length as people say it. */
function duration(ms: number): string {
	if (ms > 48 * 3_600_000) return 'more than two days';
	if (ms >= 3_600_000) return `${(ms / 3_600_000).toFixed(1)} hours`;
	return ms > 120_000 ? `${Math.ceil(ms / 60_000)} minutes` : seconds(ms);
}
