import type { ApiRequest, RawResponse } from './api';
import { contextIdOf, parseJson, readBody } from './envelope';
import { ServiceFailure, type FailureFacts } from './failures';
import type { Pace, Start } from './pace';
import { Spread } from './spread';
import { decideRetry, parseRetryAfter, type RetryDecision } from './retry';
import { findServiceWords } from './words';

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

/** The JSON body of a success, with the text it was read from. */
export interface Answer {
	body: unknown;
	/** The body as the service sent it: the only place where an integer beyond 2^53 still has all its digits. */
	text: string;
}

/** For whoever sends a request before its answer is needed. */
export interface AnswerHooks {
	/** False once nobody needs the answer any more: then no further attempt is made. */
	isWanted: () => boolean;
}

/** Sends a request, again where that is allowed, and gives the JSON body of its success. */
export interface Client {
	(request: ApiRequest, limits: RequestLimits): Promise<unknown>;
	/** The same, with the text of the body. */
	answer: (request: ApiRequest, limits: RequestLimits, hooks?: AnswerHooks) => Promise<Answer>;
}

/**
 * The one way a request leaves this package: waits for its turn, sends, reads the answer, and retries by the table
 * of design section 6.
 *
 * @returns a function that throws ServiceFailure for whatever did not end in a JSON body with a success status
 */
export function createClient(parts: ClientParts): Client {
	const answer = createAnswerFunction(parts);
	const client = async (request: ApiRequest, limits: RequestLimits): Promise<unknown> =>
		(await answer(request, limits)).body;
	return Object.assign(client, { answer });
}

function createAnswerFunction(parts: ClientParts): Client['answer'] {
	const spread = new Spread();
	return async (request, limits, hooks): Promise<Answer> => {
		for (let attempts = 1; ; attempts++) {
			assertWanted(hooks);
			const start = await waitForTurn(parts, spread);
			assertWanted(hooks);
			const outcome = await attempt(parts, request, limits);
			spread.took(parts.now() - start.atMs);
			if ('body' in outcome) {
				parts.pace.accepted(start);
				return outcome;
			}
			if (!(outcome.error instanceof ServiceFailure)) throw outcome.error;
			const failure = outcome.error.withoutSecrets(parts.secrets).with({ attempts });
			const decision = decideRetry(
				{ kind: failure.kind, ...failure.facts },
				{
					risk: request.risk,
					retriesMade: attempts - 1,
					maxRetries: limits.maxRetries,
					random: parts.random,
				},
			);
			notePace(parts, start, failure, decision);
			if (!decision.retry) {
				throw decision.reason === 'final' ? failure : failure.with({ gaveUp: decision.reason });
			}
			assertWanted(hooks);
			parts.onWait({ afterMs: decision.afterMs, failure, retry: attempts });
			// After a 429 the queue itself waits, which keeps this request's place before later ones.
			if (failure.facts.statusCode !== 429) await parts.sleep(decision.afterMs);
		}
	};
}

function assertWanted(hooks: AnswerHooks | undefined): void {
	if (hooks?.isWanted() === false) throw new ServiceFailure('cancelled');
}

/** Other requests may pause the queue or raise its rate while this one waits, so it asks again. */
async function waitForTurn({ pace, now, sleep }: ClientParts, spread: Spread): Promise<Start> {
	const spreadMs = spread.waitMs(now(), pace.concurrency);
	if (spreadMs > 0) await sleep(spreadMs);
	const place = pace.join();
	for (let ms = pace.waitMs(place, now()); ms > 0; ms = pace.waitMs(place, now())) await sleep(ms);
	return pace.start(now());
}

/** A refusal for the rate slows all requests of the run; "come back later" only pauses them. */
function notePace(
	{ pace, now }: ClientParts,
	start: Start,
	{ facts }: ServiceFailure,
	decision: RetryDecision,
): void {
	const waitMs = decision.retry ? decision.afterMs : Math.min(facts.retryAfterMs ?? 0, 60_000);
	if (facts.statusCode === 429) pace.refused(start, now() + waitMs);
	else if (facts.statusCode === 503 && facts.retryAfterMs !== undefined) {
		pace.pauseUntil(now() + waitMs);
	} else if (facts.statusCode !== undefined) pace.accepted(start);
}

async function attempt(
	parts: ClientParts,
	request: ApiRequest,
	{ timeoutMs }: RequestLimits,
): Promise<Answer | { error: unknown }> {
	try {
		const response = await parts.transport(request, timeoutMs);
		if (response.statusCode >= 300) return { error: failureOfStatus(response, parts) };
		return { body: readBody(response, parts.secrets), text: response.text };
	} catch (error) {
		return { error };
	}
}

function failureOfStatus(response: RawResponse, { now, secrets }: ClientParts): ServiceFailure {
	const { statusCode, headers, text } = response;
	const body = parseJson(text);
	const facts: FailureFacts = {
		statusCode,
		words: findServiceWords(text, body, secrets),
		ctxId: contextIdOf(body),
		retryAfterMs: parseRetryAfter(headers['retry-after'], now()),
	};
	if (statusCode < 400) {
		return new ServiceFailure('redirected', { ...facts, redirectedTo: hostOf(headers.location) });
	}
	return new ServiceFailure('status', facts);
}

function hostOf(location: unknown): string | undefined {
	try {
		const { protocol, origin } = new URL(String(location));
		return /^https?:$/.test(protocol) ? origin : undefined;
	} catch {
		return undefined;
	}
}
