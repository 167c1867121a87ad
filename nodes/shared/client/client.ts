// nodes/shared/client/: the service's API without n8n's panel: requests, retries, the rate limiter, failures and
// secrets.

import type { ApiRequest, Client, ClientParts, JsonResponse, RequestLimits } from './api';
import { dateOf, readBody, readListEnvelope } from './envelope';
import { asServiceFailure, ServiceFailure } from './failures';
import { isUnprocessed } from './failure-classes';
import { MAX_UNCONNECTED_MS, type Start } from './rate-limiter';
import { decideRetry, type GiveUpReason } from './retry';

/**
 * Longest step of a wait, in ms. After each step, the request checks whether other requests have ended the run or a
 * silence.
 */
const MAX_STEP_MS = 250;
/**
 * Waits for Requests per Minute of more than this length (ms) are reported, because another execution may use the
 * quota.
 */
const LONG_QUOTA_WAIT_MS = 10_000;

/**
 * Returns the client of one attempt of the node. It waits for the rate limiter and for Requests per Minute, sends the
 * request, and retries it by the table of docs/reliability.md. Any number of requests may use the client at once. They
 * start in the order of their calls.
 *
 * The client throws a ServiceFailure for every response but a success with a JSON body. It throws without sending the
 * request (`attempts: 0`) if the service has accepted nothing for too long, or denies every request.
 */
export function createClient(parts: ClientParts): Client {
	const run: ClientRun = { ...parts, lastTurn: Promise.resolve(), notifiedUntilMs: -Infinity };
	/** Sends a request, and retries it if that is allowed. */
	return async function client(request, limits, signal = parts.signal) {
		const retried = { times: 0, waitedMs: 0 };
		const unprocessed = { times: 0, waitedMs: 0 };
		const spent = { retried, unprocessed, unconnectedMs: 0 };
		return await complete({ run, request, limits, signal, spent });
	};
}

interface ClientRun extends ClientParts {
	/** Resolves when the request before has started. Requests start one after the other. */
	lastTurn: Promise<unknown>;
	/** Time by `now` until which no wait for Requests per Minute is reported. */
	notifiedUntilMs: number;
}

interface Pending {
	run: ClientRun;
	request: ApiRequest;
	limits: RequestLimits;
	signal?: AbortSignal;
	/**
	 * Number of failed attempts and the time waited after them, in ms. `unprocessed`: attempts that were surely not
	 * processed. `retried`: attempts that may have been processed. `unconnectedMs`: time waited without a connection.
	 */
	spent: { retried: Spent; unprocessed: Spent; unconnectedMs: number };
	/** Failure of the last attempt. */
	failure?: ServiceFailure;
}

type Spent = { times: number; waitedMs: number };

/**
 * Makes attempts until the request succeeds or must not be retried. Hides the secrets in every failure, because every
 * failure passes here.
 */
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

/**
 * Makes one attempt. Checks here whether the response is a list, so that a malformed list is retried like other
 * failures.
 */
async function send({ run, request, limits }: Pending, start: Start): Promise<JsonResponse> {
	const response = await run.transport(request, limits);
	const body = readBody(response, run.timeOfDay());
	if (request.expects === 'list') readListEnvelope(body);
	run.rateLimiter.accepted(start);
	const { statusCode, text } = response;
	return { statusCode, body, text, dateMs: dateOf(response) };
}

/** Waits until the request may start. Throws if the request must not be sent any more. */
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

/** Reports at most one wait per minute. With few requests per minute, every request waits long. */
function reportQuotaWait(run: ClientRun, afterMs: number, nowMs: number): void {
	if (nowMs < run.notifiedUntilMs) return;
	run.notifiedUntilMs = nowMs + Math.max(afterMs, 60_000);
	run.onWait({ afterMs, failure: new ServiceFailure('quotaExceeded'), retry: 0 });
}

async function step({ run, signal }: Pending, ms: number): Promise<void> {
	await run.sleep(Math.ceil(Math.min(ms, MAX_STEP_MS)), signal);
}

/** Waits until the next attempt. Throws the failure if the request is not retried. */
async function waitToRetry(pending: Pending, failure: ServiceFailure, start: Start): Promise<void> {
	const { run, limits, request, spent } = pending;
	const { rateLimiter, random } = run;
	const nowMs = run.now();
	const pauseMs = rateLimiter.failed(start, nowMs, failure);
	const surelyUnprocessed = isUnprocessed(failure);
	const used = surelyUnprocessed ? spent.unprocessed : spent.retried;
	// An attempt that may have been processed reached the service, so the wait for the service counts anew.
	if (!surelyUnprocessed) spent.unprocessed.waitedMs = 0;
	if (failure.kind !== 'notSent') spent.unconnectedMs = 0;
	const leftMs = timeLeftMs(pending, used, nowMs, failure.kind === 'notSent');
	const { repeat } = request;
	const rules = { limits, repeat, times: used.times, leftMs, pauseMs, random };
	const decision = decideRetry(failure, rules);
	const afterMs = typeof decision === 'number' ? decision : 0;
	// If this request may not wait as long as its Retry-After, the other requests need not wait either.
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

/**
 * Waits, and throws if the request is not needed any more.
 * @param freesSlot whether another request may use the slot during the wait
 */
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

/** Returns how long the request may still wait before its next attempt, in ms. */
function timeLeftMs(pending: Pending, used: Spent, nowMs: number, isUnconnected: boolean): number {
	const { run, limits, spent } = pending;
	const { maxWaitMs, timeoutMs, endByMs = Infinity } = limits;
	return Math.min(
		// During a silence, all requests wait, so the wait of the run counts for each of them.
		maxWaitMs - Math.max(used.waitedMs, run.rateLimiter.waitedMs(nowMs)),
		isUnconnected ? MAX_UNCONNECTED_MS - spent.unconnectedMs : Infinity,
		endByMs - timeoutMs - nowMs,
	);
}

/** Returns the error of a request that is not retried. */
function giveUpError(failure: ServiceFailure, reason: GiveUpReason, { maxWaitMs }: RequestLimits) {
	return reason === 'final' ? failure : failure.with({ gaveUp: reason, maxWaitMs });
}

function attemptsOf({ spent }: Pending): number {
	return spent.retried.times + spent.unprocessed.times;
}

/** Throws if the request must not be sent any more. Only this function checks it. */
function assertNeeded(pending: Pending): void {
	const { run, signal, limits, failure } = pending;
	if (signal?.aborted) throw new ServiceFailure('cancelled');
	const end = run.rateLimiter.endOf(limits.maxWaitMs, run.now());
	const { gaveUp, maxWaitMs } = end?.facts ?? {};
	if (end)
		throw (failure?.with({ gaveUp, maxWaitMs }) ?? end).with({ attempts: attemptsOf(pending) });
}
