import type { ApiRequest, Client, ClientParts, JsonResponse, RequestLimits } from './api';
import { readBody, readListEnvelope } from './envelope';
import { asServiceFailure, ServiceFailure } from './failures';
import type { Start } from './rate-limiter';
import { timeOfAnswer } from './refusal';
import { decideRetry, wasNotProcessed } from './retry';

/** Waits are split into steps of at most this, in ms, so that one ends soon after its request is no longer wanted. */
const LONGEST_STEP_MS = 250;
/** So often, in ms, the log is told that a request still waits to start. */
const TELL_TURN_EVERY_MS = 30_000;

/**
 * The client of one run: waits, sends, and retries by the table of docs/reliability.md. Throws ServiceFailure for whatever
 * did not end in a JSON body with a success status; after an outage that was too long, for every further request.
 */
export function createClient(parts: ClientParts): Client {
	const run: Run = { ...parts, pause: { untilMs: 0 }, processed: 0, toldUntilMs: 0 };
	return async (request, limits, isWanted = () => true) =>
		await complete({ run, request, limits, isWanted, spent: { ...NOTHING_SPENT } });
}

const NOTHING_SPENT = { temporaryErrors: 0, unprocessed: 0, waitedMs: 0, unconnectedMs: 0 };

interface Run extends ClientParts {
	/** Until when no request starts, and the failure after which that is so. */
	pause: { untilMs: number; failure?: ServiceFailure };
	/** Why nothing more is sent: one request has waited as long as it may, and every other one would as well. */
	end?: ServiceFailure;
	processed: number;
	/** Until when the log says why requests wait. */
	toldUntilMs: number;
}

interface Pending {
	run: Run;
	request: ApiRequest;
	limits: RequestLimits;
	isWanted: () => boolean;
	spent: typeof NOTHING_SPENT;
	/** `run.processed` when the times in `spent` began. */
	processedBefore?: number;
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
	const sentAt = run.timeOfDay();
	const response = await run.transport(request, limits.timeoutMs);
	const body = readBody(response, timeOfAnswer(response.headers, sentAt), limits.maxWaitMs);
	if (request.reads === 'list') readListEnvelope(body);
	run.rateLimiter.accepted(start);
	run.processed += 1;
	return { statusCode: response.statusCode, body, text: response.text };
}

/** Waits in short steps, since other requests may pause the queue or raise its rate meanwhile. */
async function waitForTurn(pending: Pending): Promise<Start> {
	const { run, limits, backoffUntilMs = 0 } = pending;
	const { rateLimiter, now, sleep } = run;
	const { maxPerMinute = Infinity, turnByMs = Infinity } = limits;
	const position = rateLimiter.join();
	const joinedMs = now();
	for (;;) {
		assertNeeded(pending);
		const nowMs = now();
		const serviceMs = rateLimiter.waitMs(position, nowMs);
		const boundMs = rateLimiter.boundMs(maxPerMinute, nowMs);
		const waitMs = Math.max(serviceMs, boundMs, backoffUntilMs - nowMs);
		if (waitMs <= 0) return rateLimiter.start(nowMs);
		if (boundMs > 0 && nowMs + boundMs > turnByMs) throw new ServiceFailure('noTurn');
		assertTimeLeft(pending);
		// Pauses and backoffs are in the log already.
		const pausedUntilMs = Math.max(run.pause.untilMs, backoffUntilMs);
		if (pausedUntilMs > nowMs + boundMs) run.toldUntilMs = pausedUntilMs;
		await sleep(Math.ceil(Math.min(waitMs, LONGEST_STEP_MS)));
		// What only the user's own bound makes it wait does not count towards Max Wait.
		noteWaited(pending, Math.min(now() - nowMs, serviceMs), run.pause.failure);
		if (now() < Math.max(joinedMs, run.toldUntilMs) + TELL_TURN_EVERY_MS) continue;
		run.toldUntilMs = now();
		run.onTurn(now() - joinedMs);
	}
}

/** Lets the next attempt wait as long as it has to; throws the failure where there is none. */
function prepareRetry(pending: Pending, failure: ServiceFailure, start: Start): void {
	const { run, spent, limits, request } = pending;
	const isUnprocessed = wasNotProcessed(failure);
	if (isUnprocessed) noteWaited(pending, run.now() - start.atMs, failure);
	const rules = { ...limits, ...spent, risk: request.risk, random: run.random };
	const decision = decideRetry(failure, rules);
	const { statusCode, retryAfterMs = 0 } = failure.facts;
	// All of the run waits for the service, also where this request is not sent again.
	const pauseMs = isUnprocessed && decision === 'retriesUsed' ? retryAfterMs : 0;
	const untilMs = run.now() + (typeof decision === 'number' ? decision : pauseMs);
	// A service that is down (503, or no connection) says nothing of how fast requests may come.
	const isTooFast = isUnprocessed && statusCode !== undefined && statusCode !== 503;
	if (isTooFast) run.rateLimiter.refused(start, untilMs);
	else if (isUnprocessed) run.rateLimiter.pauseUntil(untilMs);
	// What got no answer is no reason for more requests at once.
	else if (statusCode !== undefined) run.rateLimiter.accepted(start);
	if (decision === 'final') throw failure;
	if (typeof decision !== 'number') {
		const end = failure.with({ gaveUp: decision, maxWaitMs: limits.maxWaitMs });
		if (isUnprocessed && decision !== 'retriesUsed') run.end ??= end;
		throw end;
	}
	spent[isUnprocessed ? 'unprocessed' : 'temporaryErrors'] += 1;
	assertNeeded(pending);
	run.onWait({ afterMs: decision, failure, retry: attemptsOf(pending) });
	if (!isUnprocessed) pending.backoffUntilMs = untilMs;
	else if (untilMs > run.pause.untilMs) run.pause = { untilMs, failure };
}

/** Counts time in which the service did not process the request. */
function noteWaited(pending: Pending, ms: number, failure: ServiceFailure | undefined): void {
	const { spent, run } = pending;
	// A service that has processed another request meanwhile is only slow, so the time begins anew.
	if (run.processed !== pending.processedBefore) spent.waitedMs = spent.unconnectedMs = 0;
	pending.processedBefore = run.processed;
	spent.waitedMs += ms;
	spent.unconnectedMs = failure?.kind === 'notSent' ? spent.unconnectedMs + ms : 0;
}

function attemptsOf({ spent }: Pending): number {
	return spent.temporaryErrors + spent.unprocessed;
}

/** The one place that asks whether to go on. What the user cancels ends in the transport, or in `sleep`. */
function assertNeeded(pending: Pending): void {
	if (!pending.isWanted()) throw new ServiceFailure('cancelled');
	if (pending.run.end) throw pending.run.end.with({ attempts: attemptsOf(pending) });
}

/** Ends the run where a pause, also one that another request has met with, is too long for this one. */
function assertTimeLeft(pending: Pending): void {
	const { run, spent, limits } = pending;
	const { failure, untilMs } = run.pause;
	const pausedMs = Math.max(0, untilMs - run.now());
	// Outside a pause, a request that was never refused may queue without limit: Max Wait is about refusals.
	if (failure === undefined || (pausedMs === 0 && spent.unprocessed === 0)) return;
	// A last wait that was shortened ends at its limit, give or take a rounding.
	if (spent.waitedMs + pausedMs <= limits.maxWaitMs + 1) return;
	run.end ??= failure.with({ gaveUp: 'waitUsed', maxWaitMs: limits.maxWaitMs });
	assertNeeded(pending);
}
