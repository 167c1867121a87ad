// nodes/shared/client/: sends requests to the service, retries them, limits their rate and hides secrets.

import type { ApiRequest, Client, ClientParts, JsonResponse, RequestLimits } from './api';
import { dateOf, readBody, readListEnvelope } from './envelope';
import { asServiceFailure, ServiceFailure } from './failures';
import { isUnprocessed } from './failure-classes';
import { MAX_UNCONNECTED_MS, type Start } from './rate-limiter';
import { decideRetry, type GiveUpReason } from './retry';

/** Maximum duration of one sleep, in ms. A longer wait is split, to notice in between if it is no longer needed. */
const MAX_STEP_MS = 250;
/** Longer waits (ms) for Requests per Minute are logged, because another execution may have used up the quota. */
const LONG_QUOTA_WAIT_MS = 10_000;

/**
 * Returns a client. Its requests can run in parallel. They start in the order of the calls, as soon as the rate limiter
 * and the option Requests per Minute allow it. docs/reliability.md shows which failures are retried. The client throws
 * ServiceFailure unless the response is a success with a JSON body; `attempts` is 0 if earlier failures ended the run.
 */
export function createClient(parts: ClientParts): Client {
	const run: ClientRun = { ...parts, lastTurn: Promise.resolve(), notifiedUntilMs: -Infinity };
	/** Sends a request, and retries it after temporary failures if a retry is safe. */
	return async function client(request, limits, signal = parts.signal) {
		const retried = { times: 0, waitedMs: 0 };
		const unprocessed = { times: 0, waitedMs: 0 };
		const spent = { retried, unprocessed, unconnectedMs: 0 };
		return await complete({ run, request, limits, signal, spent });
	};
}

/** State that all requests of one client share. */
interface ClientRun extends ClientParts {
	/** Resolves when the last queued request has started or failed. The next one waits for it, to keep the order. */
	lastTurn: Promise<unknown>;
	/** Earliest time in ms (clock of `now`) at which a wait for Requests per Minute is logged again. */
	notifiedUntilMs: number;
}

/** Unfinished request, with its failed attempts so far. */
interface Pending {
	run: ClientRun;
	request: ApiRequest;
	limits: RequestLimits;
	signal?: AbortSignal;
	/**
	 * Failed attempts and waits of this request so far. `unprocessed`: attempts that the service did not process, for
	 * example because of HTTP 429. `retried`: attempts that it may have processed. `unconnectedMs`: total wait in ms
	 * because n8n could not connect to the service.
	 */
	spent: { retried: Spent; unprocessed: Spent; unconnectedMs: number };
	failure?: ServiceFailure;
}

/** Number of failed attempts, and total wait after these attempts in ms. */
type Spent = { times: number; waitedMs: number };

/** Repeats a request until it succeeds or must not be retried. Hides secrets in the failures of all attempts. */
async function complete(pending: Pending): Promise<JsonResponse> {
	const { run } = pending;
	for (;;) {
		const turn = run.lastTurn.then(async () => await waitForTurn(pending));
		run.lastTurn = turn.catch(() => undefined);
		const start = await turn;
		try {
			return await send(pending, start).finally(() => run.rateLimiter.ended(start));
		} catch (error) {
			const failure = asServiceFailure(error).withoutSecrets(run.secrets);
			pending.failure = failure.with({ attempts: attemptsOf(pending) + 1 });
			await waitToRetry(pending, pending.failure, start);
		}
	}
}

/** Sends a request once, and checks the response. Throws even for a malformed list, so that it is retried. */
async function send({ run, request, limits }: Pending, start: Start): Promise<JsonResponse> {
	const response = await run.transport(request, limits);
	const body = readBody(response, run.timeOfDay());
	if (request.expects === 'list') readListEnvelope(body);
	run.rateLimiter.accepted(start);
	const { statusCode, text } = response;
	return { statusCode, body, text, dateMs: dateOf(response) };
}

/** Waits until the rate limiter and Requests per Minute let the request start. Throws if it must no longer be sent. */
async function waitForTurn(pending: Pending): Promise<Start> {
	const { run, request, limits } = pending;
	const { rateLimiter, minuteQuota, quotaKey, now } = run;
	const { maxPerMinute = Infinity, endByMs = Infinity, timeoutMs } = limits;
	for (;;) {
		assertNeeded(pending);
		const nowMs = now();
		const quotaWaitMs = minuteQuota.waitMs(quotaKey, maxPerMinute, nowMs);
		const waitMs = Math.max(rateLimiter.waitMs(nowMs), quotaWaitMs);
		if (waitMs <= 0) {
			minuteQuota.take(quotaKey, maxPerMinute, nowMs);
			return rateLimiter.start(nowMs, request.list ?? pending);
		}
		if (quotaWaitMs > 0 && nowMs + quotaWaitMs + timeoutMs > endByMs)
			throw new ServiceFailure('quotaExceeded');
		if (quotaWaitMs > LONG_QUOTA_WAIT_MS) reportQuotaWait(run, quotaWaitMs, nowMs);
		await step(pending, waitMs);
	}
}

/** Logs a wait for Requests per Minute, at most once per minute, because a small value makes every request wait. */
function reportQuotaWait(run: ClientRun, afterMs: number, nowMs: number): void {
	if (nowMs < run.notifiedUntilMs) return;
	run.notifiedUntilMs = nowMs + Math.max(afterMs, 60_000);
	run.onWait({ afterMs, failure: new ServiceFailure('quotaExceeded'), retry: 0 });
}

async function step({ run, signal }: Pending, ms: number): Promise<void> {
	await run.sleep(Math.ceil(Math.min(ms, MAX_STEP_MS)), signal);
}

/** Waits before a failed request is retried. Throws the failure if the request must not be retried. */
async function waitToRetry(pending: Pending, failure: ServiceFailure, start: Start): Promise<void> {
	const { run, limits, request, spent } = pending;
	const { rateLimiter, random } = run;
	const nowMs = run.now();
	const pauseMs = rateLimiter.failed(start, nowMs, failure);
	const surelyUnprocessed = isUnprocessed(failure);
	const used = surelyUnprocessed ? spent.unprocessed : spent.retried;
	// The service may have accepted this attempt, so earlier throttled waits no longer count towards Retry For.
	if (!surelyUnprocessed) spent.unprocessed.waitedMs = 0;
	if (failure.kind !== 'notSent') spent.unconnectedMs = 0;
	const leftMs = timeLeftMs(pending, used, nowMs, failure.kind === 'notSent');
	const { repeat } = request;
	const rules = { limits, repeat, times: used.times, leftMs, pauseMs, random };
	const decision = decideRetry(failure, rules);
	const afterMs = typeof decision === 'number' ? decision : 0;
	// A request that gives up because of the option Retry For must not delay the other requests.
	const failsAlone = surelyUnprocessed && afterMs === 0 && decision !== 'retriesUsed';
	if (!failsAlone) rateLimiter.wait(nowMs, afterMs, pauseMs);
	if (typeof decision !== 'number') throw giveUpError(failure, decision, limits);
	used.times += 1;
	used.waitedMs += afterMs;
	if (failure.kind === 'notSent') spent.unconnectedMs += afterMs;
	assertNeeded(pending);
	run.onWait({ afterMs, failure, retry: attemptsOf(pending) });
	await waitBeforeRetry(pending, afterMs, surelyUnprocessed);
}

/** Waits before a retry. Throws if the request must not be sent any more. `freesSlot` lets another request start. */
async function waitBeforeRetry(pending: Pending, ms: number, freesSlot: boolean): Promise<void> {
	const { now, rateLimiter } = pending.run;
	if (freesSlot) rateLimiter.freeSlot();
	try {
		const untilMs = now() + ms;
		for (let leftMs = ms; leftMs > 0; leftMs = untilMs - now()) {
			await step(pending, leftMs);
			assertNeeded(pending);
		}
	} finally {
		if (freesSlot) rateLimiter.takeSlotBack();
	}
}

/** Returns the maximum time that a request can still wait before its next attempt, in ms. */
function timeLeftMs(pending: Pending, used: Spent, nowMs: number, isUnconnected: boolean): number {
	const { run, limits, spent } = pending;
	const { maxWaitMs, timeoutMs, endByMs = Infinity } = limits;
	return Math.min(
		// While the service accepts no request, the wait of the whole run counts, even if this request waited less.
		maxWaitMs - Math.max(used.waitedMs, run.rateLimiter.waitedMs(nowMs)),
		isUnconnected ? MAX_UNCONNECTED_MS - spent.unconnectedMs : Infinity,
		endByMs - timeoutMs - nowMs,
	);
}

/** Returns the failure of a request that is not retried, with the reason for not retrying it. */
function giveUpError(failure: ServiceFailure, reason: GiveUpReason, { maxWaitMs }: RequestLimits) {
	return reason === 'final' ? failure : failure.with({ gaveUp: reason, maxWaitMs });
}

function attemptsOf({ spent }: Pending): number {
	return spent.retried.times + spent.unprocessed.times;
}

/** Throws ServiceFailure if the request was cancelled, or if the rate limiter has ended the run. */
function assertNeeded(pending: Pending): void {
	const { run, signal, limits, failure } = pending;
	if (signal?.aborted) throw new ServiceFailure('cancelled');
	const end = run.rateLimiter.failureThatEndsRun(limits.maxWaitMs, run.now());
	const { gaveUp, maxWaitMs } = end?.facts ?? {};
	if (end)
		throw (failure?.with({ gaveUp, maxWaitMs }) ?? end).with({ attempts: attemptsOf(pending) });
}
