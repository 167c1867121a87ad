import type { ApiRequest, RawResponse } from './api';
import type { ServiceFailure } from './failures';
import type { RateLimiter } from './rate-limiter';

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
	rateLimiter: RateLimiter;
	/** Resolves after that many ms; rejects at once with a `cancelled` ServiceFailure when the execution is cancelled. */
	sleep: (ms: number) => Promise<void>;
	/** Milliseconds that have gone by since some moment. Not the time of day, which may be set back during a wait. */
	now: () => number;
	/** Milliseconds since 1970, for a Retry-After that is a date. */
	timeOfDay: () => number;
	/** Uniform in [0, 1). */
	random: () => number;
	/** Values that must not appear in any text. */
	secrets: readonly string[];
	onWait: (wait: Wait) => void;
	/** A request has waited for long, in ms, until it may start. */
	onTurn: (waitedMs: number) => void;
}

/** Limits of one request. */
export interface RequestLimits {
	/** Retries after temporary errors, which leave open whether the request was processed. */
	maxRetries: number;
	/** Longest time to wait, in all, for a service that surely does not process the request, in ms. */
	maxWaitMs: number;
	/** Most attempts that are surely not processed; undefined where time alone is the bound. */
	maxUnprocessed?: number;
	/** Longest time for one attempt, in ms. */
	timeoutMs: number;
	/** Most requests of the run that start in any minute; undefined where the user sets no bound. */
	maxPerMinute?: number;
	/** By when that bound must let the request start, on the client's clock; otherwise it ends as `noTurn`. */
	turnByMs?: number;
}

/** The JSON body of a success, with the text it was read from. */
export interface JsonResponse {
	/** Of HTTP: 202 and 206 are successes too, but not final ones. */
	statusCode?: number;
	body: unknown;
	/** The body as the service sent it: the only place where an integer beyond 2^53 still has all its digits. */
	text: string;
	/** How long it took from sending the request, in ms; waiting and what failed before are not in it. */
	tookMs: number;
}

/**
 * Sends a request, again where that is allowed, and returns the answer of its success.
 *
 * @param isWanted false once the caller does not need the answer any more (a page asked for ahead, a call beside one
 * that ended the node): then no further attempt is made
 */
export type Client = (
	request: ApiRequest,
	limits: RequestLimits,
	isWanted?: () => boolean,
) => Promise<JsonResponse>;
