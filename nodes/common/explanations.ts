import {
	duration,
	isForStartCursor,
	seconds,
	writerOf,
	type Explanation,
	type ExplanationContext,
} from './explanation-texts';
import type { FailureFacts, ServiceFailure } from '../client/failures';
import { LONGEST_UNCONNECTED_MS } from '../client/retry';

export type { Explanation, ExplanationContext } from './explanation-texts';

/**
 * Says a failure in plain English: the message is what happened. The first sentence of the description is what to do;
 * after it, one thing a line, come the service's own words, its request id, and how to continue where a list broke off.
 */
export function explain(failure: ServiceFailure, context: ExplanationContext): Explanation {
	const { facts } = failure;
	const { message, description, cause } = writerOf(failure, context)(facts, context);
	return {
		message,
		description: [...beforeRepeating(facts), description, ...remarks(failure, context)].join('\n'),
		// A call that may have been processed must not be repeated by anybody, n8n included.
		cause: isUncertain(facts) ? undefined : cause,
	};
}

function isUncertain({ gaveUp }: FailureFacts): boolean {
	return gaveUp === 'mayBeBilled' || gaveUp === 'mayHaveActed';
}

/** Comes before all else: a person who just runs it again may pay twice. */
function beforeRepeating(facts: FailureFacts): string[] {
	if (!isUncertain(facts)) return [];
	const done = facts.gaveUp === 'mayBeBilled' ? 'processed and billed it' : 'done its work already';
	return [
		`Check in the service before you repeat it. The request was not sent again, because the service may have ${done}.`,
	];
}

/** One line each. The request id and the cursor have nothing after them, so that they can be copied. */
function remarks(failure: ServiceFailure, context: ExplanationContext): string[] {
	const { kind, facts } = failure;
	const { gaveUp, attempts = 1, retryAfterMs = 0, words, ctxId, recordsRead, page } = facts;
	const waits: string[] = [];
	if (gaveUp === 'retriesUsed' && attempts > 1) waits.push(`It was tried ${attempts} times.`);
	if (retryAfterMs > 0) waits.push(`The service asked to wait ${duration(retryAfterMs)}.`);
	waits.push(...whyNotWaited(failure, context));
	const lines: string[] = waits.length > 0 ? [waits.join(' ')] : [];
	if (words && kind !== 'blocked') {
		lines.push(`The service said: "${words}"${/[.!?…]$/.test(words) ? '' : '.'}`);
	}
	if (ctxId) lines.push(`Request ID for the service's support (ctx_id): ${ctxId}`);
	const cursor = cursorToContinue(failure);
	if (recordsRead !== undefined && (recordsRead > 0 || cursor !== undefined)) {
		const isLost = context.keepsOutput === false && recordsRead > 0;
		lines.push(
			`${recordsRead} records had been read before this (page ${page ?? 1}).${isLost ? LOST : ''}`,
		);
		const where = isLost ? 'without them' : 'from here';
		if (cursor !== undefined)
			lines.push(`To continue ${where}, set the option Start Cursor to:`, cursor);
	}
	return lines;
}

/** A cursor alone is half the truth where n8n throws away what a failing node had read. */
const LOST =
	' n8n does not keep them, because this node stops on errors: run it again from the start, or set On Error to Continue in its settings first to keep what was read.';

function cursorToContinue(failure: ServiceFailure): string | undefined {
	const isRefused = failure.kind === 'repeatedCursor' || isForStartCursor(failure);
	return isRefused ? undefined : failure.facts.nextCursor;
}

/** Why the service was not waited for any longer. The trigger has no option for it, and its next poll tries again. */
function whyNotWaited(
	{ kind, facts }: ServiceFailure,
	{ hasRequestOptions }: ExplanationContext,
): string[] {
	const { gaveUp, maxWaitMs, attempts = 1 } = facts;
	if (gaveUp !== 'waitTooLong' && gaveUp !== 'waitUsed') return [];
	const tries = attempts > 1 ? ` It was tried ${attempts} times.` : '';
	if (hasRequestOptions === false) {
		return [`A poll cannot wait that long; the next one tries again.${tries}`];
	}
	const isUnconnected = kind === 'notSent' && (maxWaitMs ?? Infinity) >= LONGEST_UNCONNECTED_MS;
	const limit = maxWaitMs === undefined ? 'Max Wait' : `Max Wait (${seconds(maxWaitMs)})`;
	const used = isUnconnected
		? `No connection was made for ${seconds(LONGEST_UNCONNECTED_MS)}.`
		: `${limit} is used up.`;
	const why = gaveUp === 'waitTooLong' ? `That is longer than ${limit} allows.` : used;
	const unsent =
		'Nothing was sent for this item, because an earlier one had shown that the service accepts no requests now.';
	return attempts === 0 ? [why, unsent] : [`${why}${tries}`];
}
