import {
	duration,
	seconds,
	writerOf,
	type Explanation,
	type ExplanationContext,
} from './explanation-texts';
import type { FailureFacts, ServiceFailure } from '../client/failures';
import { LONGEST_UNCONNECTED_MS } from '../client/retry';

export type { Explanation, ExplanationContext } from './explanation-texts';

/**
 * Says a failure in plain English: the message is what happened, the description is what to do, followed by the
 * service's own words, its request id, and how to go on where a list broke off.
 */
export function explain(failure: ServiceFailure, context: ExplanationContext): Explanation {
	const { facts } = failure;
	const { message, description, cause } = writerOf(failure)(facts, context);
	return {
		message,
		description: [description, ...remarks(failure, context)]
			.filter((part) => part !== '')
			.join(' '),
		// A call that may have been processed must not be repeated by anybody, n8n included.
		cause: isUncertain(facts) ? undefined : cause,
	};
}

function isUncertain({ gaveUp }: FailureFacts): boolean {
	return gaveUp === 'mayBeBilled' || gaveUp === 'mayHaveActed';
}

function remarks(failure: ServiceFailure, context: ExplanationContext): string[] {
	const { kind, facts } = failure;
	const {
		gaveUp,
		attempts = 1,
		retryAfterMs = 0,
		words,
		ctxId,
		recordsRead,
		nextCursor,
		page,
	} = facts;
	const parts: string[] = [];
	if (isUncertain(facts)) {
		const done = gaveUp === 'mayBeBilled' ? 'processed and billed it' : 'done its work already';
		parts.push(
			`The request was not sent again, because the service may have ${done}. Check in the service before you repeat it.`,
		);
	}
	if (gaveUp === 'retriesUsed' && attempts > 1) parts.push(`It was tried ${attempts} times.`);
	if (retryAfterMs > 0) parts.push(`The service asked to wait ${duration(retryAfterMs)}.`);
	parts.push(...whyNotWaited(failure, context));
	if (words && kind !== 'blocked')
		parts.push(`The service said: "${words}"${/[.!?…]$/.test(words) ? '' : '.'}`);
	if (ctxId) parts.push(`Request ID for the service's support (ctx_id): ${ctxId}.`);
	if (recordsRead !== undefined && (recordsRead > 0 || nextCursor !== undefined)) {
		parts.push(`${recordsRead} records had been read before this (page ${page ?? 1}).`);
		parts.push(...howToGoOn(failure, context));
	}
	return parts;
}

/** A cursor alone is half the truth where n8n throws away what a failing node had read. */
function howToGoOn({ kind, facts }: ServiceFailure, { keepsOutput }: ExplanationContext): string[] {
	const { nextCursor, recordsRead = 0 } = facts;
	const canGoOn = nextCursor !== undefined && kind !== 'repeatedCursor';
	const goOn = canGoOn ? [`To go on from here, set the option Start Cursor to: ${nextCursor}`] : [];
	if (keepsOutput !== false || recordsRead === 0) return goOn;
	return [
		'n8n does not keep them, because this node stops on errors: run it again from the start, or set On Error to Continue in its settings first to keep what was read.',
		...goOn,
	];
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
		'Nothing was sent for this item, because an earlier one had shown that the service takes no requests now.';
	return attempts === 0 ? [why, unsent] : [`${why}${tries}`];
}
