// nodes/client/: the service's API, and nothing of n8n's panel: requests, retries, the rate limiter, failures, secrets.

import type { ApiRequest, Client, ClientParts, JsonResponse, RequestBounds } from './api';
import { readBody, readListEnvelope } from './envelope';
import { asServiceFailure, ServiceFailure } from './failures';
import { failureClassOf } from './failure-classes';
import type { Start } from './refusals';
import { decideRetry } from './retry';
import { Waits } from './waits';

/** Waits are split into steps of at most this, in ms, since another request may end the run or move its pause meanwhile. */
const MAX_STEP_MS = 250;
/** The user is notified of a longer wait for their own bound, in ms: it may be another run that has used it up. */
const LONG_TURN_MS = 10_000;

/**
 * The client of one run: waits, sends, and retries by the table of docs/reliability.md. Throws ServiceFailure for whatever
 * did not end in a JSON body with a success status; after an outage that was too long, for every further request.
 */
export function createClient(parts: ClientParts): Client {
	const run: ClientRun = { ...parts, waits: new Waits(), turnNotifiedUntilMs: -Infinity };
	/** Sends one request, and again as long as that helps. */
	return async function client(request, bounds, signal = parts.signal) {
		const spent = { temporaryErrors: 0, unprocessed: 0, errorWaitMs: 0 };
		return await complete({ run, request, bounds, signal, spent, waits: new Waits() });
	};
}

interface ClientRun extends ClientParts {
	/** How long it has waited since something was accepted, and the last refusal that meant everybody. */
	waits: Waits;
	refusal?: ServiceFailure;
	/** Why nothing more is sent that may wait no longer. */
	end?: ServiceFailure;
	/** When the wait for the user's own bound is over that the user was last notified of. */
	turnNotifiedUntilMs: number;
}

interface Pending {
	run: ClientRun;
	request: ApiRequest;
	bounds: RequestBounds;
	signal?: AbortSignal;
	/** Attempts that may have been processed, and how long was waited after them; and attempts that surely were not. */
	spent: { temporaryErrors: number; errorWaitMs: number; unprocessed: number };
	/** How long it has waited itself, because it was refused. */
	waits: Waits;
}

/** Sends until the request is answered or given up. Every failure passes here, so here its secrets are hidden. */
async function complete(pending: Pending): Promise<JsonResponse> {
	const { rateLimiter, secrets } = pending.run;
	for (;;) {
		const start = await waitForTurn(pending).finally(() => rateLimiter.unqueue(pending));
		try {
			return await send(pending, start).finally(() => rateLimiter.ended());
		} catch (error) {
			const failure = asServiceFailure(error).withoutSecrets(secrets);
			await waitToRetry(pending, failure.with({ attempts: attemptsOf(pending) + 1 }), start);
		}
	}
}

/** One attempt, whose answer is checked here and not by its reader: what is no list is tried again as other errors are. */
async function send({ run, request, bounds }: Pending, start: Start): Promise<JsonResponse> {
	const response = await run.transport(request, bounds);
	const body = readBody(response, run.timeOfDay());
	if (request.reads === 'list') readListEnvelope(body);
	noteAccepted(run, start);
	return { statusCode: response.statusCode, body, text: response.text };
}

function noteAccepted(run: ClientRun, start: Start): void {
	run.rateLimiter.accepted(start);
	run.waits.clear();
	run.refusal = undefined;
}

/** Waits in short steps, since other requests may pause the queue or raise its rate meanwhile. */
async function waitForTurn(pending: Pending): Promise<Start> {
	const { run, bounds } = pending;
	const { rateLimiter, turns, turnKey, now } = run;
	const { maxPerMinute = Infinity, endByMs = Infinity, timeoutMs } = bounds;
	const position = rateLimiter.join(pending);
	for (;;) {
		assertNeeded(pending);
		const nowMs = now();
		const turnWaitMs = turns.waitMs(turnKey, maxPerMinute, nowMs);
		const waitMs = Math.max(rateLimiter.waitMs(position, nowMs, pending), turnWaitMs);
		if (waitMs <= 0) {
			turns.take(turnKey, maxPerMinute, nowMs);
			return rateLimiter.start(nowMs, pending);
		}
		if (turnWaitMs > 0 && nowMs + turnWaitMs + timeoutMs > endByMs)
			throw new ServiceFailure('noTurn');
		if (turnWaitMs > LONG_TURN_MS) notifyOfTurn(run, turnWaitMs, nowMs);
		if (rateLimiter.pauseMs(nowMs) > 0) assertTimeLeft(pending);
		await step(pending, waitMs);
	}
}

/** Once for all requests of the run that wait for it. */
function notifyOfTurn(run: ClientRun, afterMs: number, nowMs: number): void {
	if (nowMs < run.turnNotifiedUntilMs) return;
	run.turnNotifiedUntilMs = nowMs + afterMs;
	run.onWait({ afterMs, failure: new ServiceFailure('noTurn'), retry: 0 });
}

async function step({ run, signal }: Pending, ms: number): Promise<void> {
	await run.sleep(Math.ceil(Math.min(ms, MAX_STEP_MS)), signal);
}

/** Waits as long as the next attempt has to; throws the failure where there is none. */
async function waitToRetry(pending: Pending, failure: ServiceFailure, start: Start): Promise<void> {
	const { run, spent } = pending;
	const isRefused = failureClassOf(failure).helps === 'wait';
	const decide = isRefused ? pauseAfterRefusal : pauseAfterError;
	const { afterMs, leaves } = decide(pending, failure, start);
	spent[isRefused ? 'unprocessed' : 'temporaryErrors'] += 1;
	assertNeeded(pending);
	run.onWait({ afterMs, failure, retry: attemptsOf(pending) });
	if (leaves) run.rateLimiter.leave();
	try {
		const untilMs = run.now() + afterMs;
		for (let leftMs = afterMs; leftMs > 0; leftMs = untilMs - run.now()) {
			await step(pending, leftMs);
			assertNeeded(pending);
		}
	} finally {
		if (leaves) run.rateLimiter.comeBack();
	}
}

function pauseAfterError(pending: Pending, failure: ServiceFailure, start: Start) {
	// The service has taken it.
	pending.waits.clear();
	// What got no answer is no reason for more requests at once.
	if (failure.facts.statusCode !== undefined) noteAccepted(pending.run, start);
	const { spent, bounds } = pending;
	const afterMs = decided(pending, failure, 0, bounds.maxWaitMs - spent.errorWaitMs);
	spent.errorWaitMs += afterMs;
	return { afterMs, leaves: false };
}

/** A refusal has a cause of its own: only where others are refused too does everybody wait for as long. */
function pauseAfterRefusal(pending: Pending, failure: ServiceFailure, start: Start) {
	const { run, bounds, waits } = pending;
	const { rateLimiter } = run;
	const nowMs = run.now();
	const { statusCode, retryAfterMs = 0 } = failure.facts;
	const isUnconnected = failure.kind === 'notSent';
	const isOfRate = statusCode !== undefined && statusCode !== 503;
	const { leastMs, maxMs, leaves } = rateLimiter.refused(start, nowMs, retryAfterMs, isOfRate);
	const isOfAll = maxMs === Infinity;
	const leftMs = (isOfAll ? run.waits : waits).leftMs(nowMs, bounds.maxWaitMs, isUnconnected);
	const pause = (ms: number): void => {
		if (maxMs > 0) rateLimiter.pauseUntil(nowMs + Math.min(ms, maxMs));
		if (isOfAll) run.refusal = failure;
		if (isOfAll || rateLimiter.isIdle) run.waits.add(nowMs, ms, isUnconnected);
	};
	try {
		const afterMs = decided(pending, failure, leastMs, leftMs);
		if (!isOfAll) waits.add(nowMs, afterMs, isUnconnected);
		pause(afterMs);
		return { afterMs, leaves };
	} catch (error) {
		const end = asServiceFailure(error);
		// Where this request gives up alone, the others still wait.
		if (isOfAll && end.facts.gaveUp === 'retriesUsed') pause(retryAfterMs);
		else if (isOfAll && (isUnconnected || rateLimiter.isSure)) endRun(run, end);
		throw end;
	}
}

/** How long the request waits, in ms. Throws the failure where it is not sent again. */
function decided(pending: Pending, failure: ServiceFailure, leastMs: number, waitLeftMs: number) {
	const { run, bounds, request, spent } = pending;
	const leftMs = (bounds.endByMs ?? Infinity) - bounds.timeoutMs - run.now();
	const { repeat } = request;
	const { random } = run;
	const rules = { ...bounds, ...spent, leastMs, waitLeftMs, leftMs, repeat, random };
	const decision = decideRetry(failure, rules);
	if (typeof decision === 'number') return decision;
	if (decision === 'final') throw failure;
	throw failure.with({ gaveUp: decision, maxWaitMs: bounds.maxWaitMs });
}

function attemptsOf({ spent }: Pending): number {
	return spent.temporaryErrors + spent.unprocessed;
}

/** The one place that asks whether to go on. */
function assertNeeded(pending: Pending): void {
	if (pending.signal?.aborted) throw new ServiceFailure('cancelled');
	const { end } = pending.run;
	if (end && pending.bounds.maxWaitMs <= (end.facts.maxWaitMs ?? 0))
		throw end.with({ attempts: attemptsOf(pending) });
}

/** Ends the run where its pause, which another request has met with, is too long for this one. */
function assertTimeLeft(pending: Pending): void {
	const { run, bounds } = pending;
	const { maxWaitMs } = bounds;
	const { refusal, rateLimiter, waits } = run;
	if (!refusal || !rateLimiter.isSure || !waits.isLongerThan(maxWaitMs)) return;
	endRun(run, refusal.with({ gaveUp: 'waitUsed', maxWaitMs }));
	assertNeeded(pending);
}

/** What may wait for longer than this request goes on. */
function endRun(run: ClientRun, end: ServiceFailure): void {
	const { maxWaitMs = 0 } = end.facts;
	if (maxWaitMs > (run.end?.facts.maxWaitMs ?? -1)) run.end = end;
}
