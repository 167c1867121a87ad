import type { ApiRequest, RawResponse } from './api';
import { contextIdOf, parseJson, readBody } from './envelope';
import { ServiceFailure, type FailureFacts } from './failures';
import type { Pace } from './pace';
import { decideRetry, parseRetryAfter } from './retry';
import { findServiceWords, redact } from './words';

/** Sends one request once. Throws a ServiceFailure when there is no complete answer; any status is an answer. */
export type Transport = (request: ApiRequest, timeoutMs: number) => Promise<RawResponse>;

/** A wait that is about to begin, to tell the user about. */
export interface Wait {
	afterMs: number;
	failure: ServiceFailure;
	/** The coming retry's number, from 1. */
	retry: number;
}

/** What a client is made of; everything that touches n8n, the network or the clock is passed in. */
export interface ClientParts {
	transport: Transport;
	pace: Pace;
	/** Resolves after that many ms; rejects at once with a `cancelled` ServiceFailure when the execution is cancelled. */
	sleep: (ms: number) => Promise<void>;
	/** Milliseconds since 1970. */
	now: () => number;
	/** Uniform in [0, 1). */
	random: () => number;
	/** Values that must not appear in any text. */
	secrets: readonly string[];
	onWait: (wait: Wait) => void;
}

/** Limits of one request. */
export interface RequestLimits {
	/** Retries after the first attempt. */
	maxRetries: number;
	/** Longest time for one attempt, in ms. */
	timeoutMs: number;
}

/** Sends a request, again where that is allowed, and gives the JSON body of its success. */
export type Client = (request: ApiRequest, limits: RequestLimits) => Promise<unknown>;

/**
 * The one way a request leaves this package: waits for its turn, sends, reads the answer, and retries by the table
 * of design section 6.
 *
 * @returns a function that throws ServiceFailure for whatever did not end in a JSON body with a success status
 */
export function createClient(parts: ClientParts): Client {
	return async (request, limits) => {
		for (let attempts = 1; ; attempts++) {
			await waitForTurn(parts);
			const outcome = await attempt(parts, request, limits);
			if ('body' in outcome) return outcome.body;
			if (!(outcome.error instanceof ServiceFailure)) throw outcome.error;
			const failure = withoutSecrets(outcome.error, parts.secrets).with({ attempts });
			const decision = decideRetry(
				{ kind: failure.kind, ...failure.facts },
				{
					risk: request.risk,
					retriesMade: attempts - 1,
					maxRetries: limits.maxRetries,
					random: parts.random,
				},
			);
			if (!decision.retry) {
				throw decision.reason === 'final' ? failure : failure.with({ gaveUp: decision.reason });
			}
			parts.onWait({ afterMs: decision.afterMs, failure, retry: attempts });
			if (failure.facts.statusCode === 429) parts.pace.pauseUntil(parts.now() + decision.afterMs);
			else await parts.sleep(decision.afterMs);
		}
	};
}

/** Another request may lengthen the pause while this one waits, so it asks again. */
async function waitForTurn({ pace, now, sleep }: ClientParts): Promise<void> {
	for (let ms = pace.waitMs(now()); ms > 0; ms = pace.waitMs(now())) await sleep(ms);
}

async function attempt(
	parts: ClientParts,
	request: ApiRequest,
	{ timeoutMs }: RequestLimits,
): Promise<{ body: unknown } | { error: unknown }> {
	try {
		const response = await parts.transport(request, timeoutMs);
		if (response.statusCode >= 300) return { error: failureOfStatus(response, parts.now()) };
		return { body: readBody(response) };
	} catch (error) {
		return { error };
	}
}

function failureOfStatus(response: RawResponse, nowMs: number): ServiceFailure {
	const { statusCode, headers, text } = response;
	const body = parseJson(text);
	const facts: FailureFacts = {
		statusCode,
		words: findServiceWords(text, body),
		ctxId: contextIdOf(body),
		retryAfterMs: parseRetryAfter(headers['retry-after'], nowMs),
	};
	if (statusCode < 400) {
		return new ServiceFailure('redirected', { ...facts, redirectedTo: hostOf(headers.location) });
	}
	return new ServiceFailure('status', facts);
}

function hostOf(location: unknown): string | undefined {
	try {
		return new URL(String(location)).origin;
	} catch {
		return undefined;
	}
}

/** The service may echo a key in its words; nothing of it goes further than here. */
function withoutSecrets(failure: ServiceFailure, secrets: readonly string[]): ServiceFailure {
	const { words, ctxId } = failure.facts;
	return failure.with({
		words: words === undefined ? undefined : redact(words, secrets),
		ctxId: ctxId === undefined ? undefined : redact(ctxId, secrets),
	});
}
