import type { ApiRequest, Client, ClientParts, JsonResponse, RequestLimits } from './api';
import { readBody, readListEnvelope } from './envelope';
import { asServiceFailure, ServiceFailure } from './failures';
import { meaningOf } from './meaning';
import type { Start } from './rate-limiter';
import { decideRetry } from './retry';

/** Waits are split into steps of at most this, in ms, since another request may end the run or move its pause meanwhile. */
const LONGEST_STEP_MS = 250;
/** So often, in ms, the log is told that a request still waits to start. */
const TELL_TURN_EVERY_MS = 30_000;

/**
 * The client of one run: waits, sends, and retries by the table of docs/reliability.md. Throws ServiceFailure for whatever
 * did not end in a JSON body with a success status; after an outage that was too long, for every further request.
 */
export function createClient(parts: ClientParts): Client {
	const run: ClientRun = { ...parts, pause: { untilMs: 0 }, uncountedToMs: 0, toldUntilMs: 0 };
	return async (request, limits, signal = parts.signal) => {
		const spent = { temporaryErrors: 0, unprocessed: 0 };
		return await complete({ run, request, limits, signal, spent });
	};
}

interface ClientRun extends ClientParts {
	/** Until when no request starts, and the failure after which that is so. */
	pause: { untilMs: number; failure?: ServiceFailure };
	/** Why nothing more is sent that may wait no longer: one request has waited as long as it may. */
	end?: ServiceFailure;
	/** Since when the service has processed nothing, and since when no connection was made. */
	refusedSinceMs?: number;
	unconnectedSinceMs?: number;
	/** Until when it is decided what of the time counts towards Max Wait. */
	uncountedToMs: number;
	/** Until when the log says why requests wait. */
	toldUntilMs: number;
}

interface Pending {
	run: ClientRun;
	request: ApiRequest;
	limits: RequestLimits;
	signal?: AbortSignal;
	/** Attempts that may have been processed, and those that surely were not. */
	spent: { temporaryErrors: number; unprocessed: number };
	/** Until when this request alone waits, after a temporary error. */
	backoffUntilMs?: number;
}

async function complete(pending: Pending): Promise<JsonResponse> {
	for (;;) {
		const start = await waitForTurn(pending);
		try {
			return await send(pending, start);
		} catch (error) {
			const failure = asServiceFailure(error).withoutSecrets(pending.run.secrets);
			prepareRetry(pending, failure.with({ attempts: attemptsOf(pending) + 1 }), start);
		}
	}
}

async function send({ run, request, limits }: Pending, start: Start): Promise<JsonResponse> {
	const response = await run.transport(request, limits);
	const body = readBody(response, run.timeOfDay());
	if (request.reads === 'list') readListEnvelope(body);
	run.rateLimiter.accepted(start);
	run.refusedSinceMs = run.unconnectedSinceMs = undefined;
	return { statusCode: response.statusCode, body, text: response.text };
}

/** Waits in short steps, since other requests may pause the queue or raise its rate meanwhile. */
async function waitForTurn(pending: Pending): Promise<Start> {
	const { run, limits, signal, backoffUntilMs = 0 } = pending;
	const { rateLimiter, turns, turnKey, now, sleep } = run;
	const { maxPerMinute = Infinity, endByMs = Infinity, timeoutMs } = limits;
	const position = rateLimiter.join();
	const joinedMs = now();
	for (;;) {
		assertNeeded(pending);
		const nowMs = now();
		// The last attempt is made when Max Wait ends, whatever the rate limiter says.
		const serviceMs = Math.min(rateLimiter.waitMs(position, nowMs), leftToWaitMs(pending));
		const turnInMs = turns.inMs(turnKey, maxPerMinute, nowMs);
		const waitMs = Math.max(serviceMs, turnInMs, backoffUntilMs - nowMs);
		if (waitMs <= 0) {
			turns.take(turnKey, nowMs);
			return rateLimiter.start(nowMs);
		}
		if (turnInMs > 0 && nowMs + turnInMs + timeoutMs > endByMs) throw new ServiceFailure('noTurn');
		assertTimeLeft(pending);
		// Pauses and backoffs are in the log already.
		const pausedUntilMs = Math.max(run.pause.untilMs, backoffUntilMs);
		if (pausedUntilMs > nowMs + turnInMs) run.toldUntilMs = pausedUntilMs;
		await sleep(Math.ceil(Math.min(waitMs, LONGEST_STEP_MS)), signal);
		// What only the user's own bound makes it wait does not count towards Max Wait.
		if (serviceMs < turnInMs) leaveOut(run, nowMs + serviceMs);
		if (now() < Math.max(joinedMs, run.toldUntilMs) + TELL_TURN_EVERY_MS) continue;
		run.toldUntilMs = now();
		run.onTurn(now() - joinedMs);
	}
}

/** Lets the next attempt wait as long as it has to; throws the failure where there is none. */
function prepareRetry(pending: Pending, failure: ServiceFailure, start: Start): void {
	const { run, spent, limits, request } = pending;
	const isUnprocessed = meaningOf(failure).helps === 'wait';
	if (isUnprocessed) noteRefusal(run, failure, start);
	else run.refusedSinceMs = run.unconnectedSinceMs = undefined;
	const nowMs = run.now();
	const decision = decideRetry(failure, {
		...limits,
		...spent,
		waitedMs: nowMs - (run.refusedSinceMs ?? nowMs),
		unconnectedMs: nowMs - (run.unconnectedSinceMs ?? nowMs),
		leftMs: (limits.endByMs ?? Infinity) - limits.timeoutMs - nowMs,
		repeat: request.repeat,
		random: run.random,
	});
	const { retryAfterMs = 0 } = failure.facts;
	// All of the run waits for the service, also where this request is not sent again.
	const pauseMs = isUnprocessed && decision === 'retriesUsed' ? retryAfterMs : 0;
	const untilMs = nowMs + (typeof decision === 'number' ? decision : pauseMs);
	tellRateLimiter(run, failure, start, isUnprocessed ? untilMs : undefined);
	if (decision === 'final') throw failure;
	if (typeof decision !== 'number') {
		// Of a request that gives up alone, the others have that wait.
		if (pauseMs > 0) run.onWait({ afterMs: pauseMs, failure, retry: attemptsOf(pending) + 1 });
		const end = failure.with({ gaveUp: decision, maxWaitMs: limits.maxWaitMs });
		if (isUnprocessed && decision !== 'retriesUsed') endRun(run, end);
		throw end;
	}
	spent[isUnprocessed ? 'unprocessed' : 'temporaryErrors'] += 1;
	assertNeeded(pending);
	// The rate limiter may let all of the run wait for longer.
	const silentMs = isUnprocessed
		? Math.min(run.rateLimiter.pauseMs(nowMs), leftToWaitMs(pending))
		: 0;
	const afterMs = Math.max(decision, silentMs);
	run.onWait({ afterMs, failure, retry: attemptsOf(pending) });
	if (!isUnprocessed) pending.backoffUntilMs = untilMs;
	else if (untilMs > run.pause.untilMs) run.pause = { untilMs, failure };
}

/** @param untilMs when the next request may start, where this one was not processed; undefined where it was, or may have been */
function tellRateLimiter(
	{ rateLimiter }: ClientRun,
	{ facts: { statusCode, retryAfterMs = 0 } }: ServiceFailure,
	start: Start,
	untilMs: number | undefined,
): void {
	if (untilMs === undefined) {
		// What got no answer is no reason for more requests at once.
		if (statusCode !== undefined) rateLimiter.accepted(start);
		return;
	}
	// A service that is down (503, or no connection) says nothing of how fast requests may come.
	if (statusCode === undefined || statusCode === 503) rateLimiter.pauseUntil(untilMs);
	else rateLimiter.refused(start, untilMs, retryAfterMs > 0);
}

/** The time of waiting begins with the first answer, so that a Retry-After may be as long as Max Wait. */
function noteRefusal(run: ClientRun, { kind }: ServiceFailure, { atMs }: Start): void {
	if (kind !== 'notSent') {
		run.unconnectedSinceMs = undefined;
		leaveOut(run, atMs);
	}
	run.refusedSinceMs ??= run.now();
	if (kind === 'notSent') run.unconnectedSinceMs ??= run.now();
}

/** The time since then is no waiting for the service, so it counts towards no limit. It is left out once. */
function leaveOut(run: ClientRun, sinceMs: number): void {
	const nowMs = run.now();
	const ms = Math.max(0, nowMs - Math.max(sinceMs, run.uncountedToMs));
	run.uncountedToMs = nowMs;
	if (run.refusedSinceMs !== undefined) run.refusedSinceMs += ms;
	if (run.unconnectedSinceMs !== undefined) run.unconnectedSinceMs += ms;
}

/** How long a refused request may still wait for the service, in ms. */
function leftToWaitMs({ run, limits, spent }: Pending): number {
	if (run.refusedSinceMs === undefined || spent.unprocessed === 0) return Infinity;
	return Math.max(0, run.refusedSinceMs + limits.maxWaitMs - run.now());
}

function attemptsOf({ spent }: Pending): number {
	return spent.temporaryErrors + spent.unprocessed;
}

/** The one place that asks whether to go on. */
function assertNeeded(pending: Pending): void {
	if (pending.signal?.aborted) throw new ServiceFailure('cancelled');
	const { end } = pending.run;
	if (end && pending.limits.maxWaitMs <= (end.facts.maxWaitMs ?? 0))
		throw end.with({ attempts: attemptsOf(pending) });
}

/** Ends the run where a pause, also one that another request has met with, is too long for this one. */
function assertTimeLeft(pending: Pending): void {
	const { run, limits } = pending;
	const { failure, untilMs } = run.pause;
	const nowMs = run.now();
	// Outside a pause a request may queue without limit: Max Wait is about refusals.
	if (failure === undefined || untilMs <= nowMs) return;
	const { maxWaitMs } = limits;
	// A last wait that was shortened ends at its limit, give or take a rounding.
	if (untilMs - (run.refusedSinceMs ?? nowMs) <= maxWaitMs + 1) return;
	endRun(run, failure.with({ gaveUp: 'waitUsed', maxWaitMs }));
	assertNeeded(pending);
}

/** What may wait for longer than this request goes on. */
function endRun(run: ClientRun, end: ServiceFailure): void {
	const { maxWaitMs = 0 } = end.facts;
	if (maxWaitMs > (run.end?.facts.maxWaitMs ?? -1)) run.end = end;
}
