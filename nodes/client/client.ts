import type { ApiRequest } from './api';
import { readBody, readListEnvelope } from './envelope';
import { asServiceFailure, ServiceFailure } from './failures';
import type { Start } from './rate-limiter';
import { timeOfAnswer } from './refusal';
import type { JsonResponse, Client, ClientParts, RequestLimits } from './request';
import { decideRetry, wasNotProcessed } from './retry';

/** A wait is done in steps of at most this, in ms, so that one which has become pointless ends soon. */
const LONGEST_STEP_MS = 250;
/** Who waits longer than this to start is told in the log, and again every so often, in ms. */
const LONG_TURN_MS = 10_000;
const TELL_TURN_EVERY_MS = 30_000;

/**
 * The one way a request leaves this package: waits for its turn, sends, reads the answer, and retries by the table
 * of docs/reliability.md. Throws ServiceFailure for whatever did not end in a JSON body with a success status. One client
 * serves one run: after an outage that was too long, nothing more is sent.
 */
export function createClient(parts: ClientParts): Client {
	const run: Run = { parts, pause: { untilMs: 0 }, processed: 0, tellsTurnMs: 0 };
	return async (...call) => await new PendingRequest(run, ...call).complete();
}

/** What all requests of a run share, also of what they know of a service that processes none of them. */
interface Run {
	parts: ClientParts;
	/** Until when all wait, and the failure that began it. */
	pause: { untilMs: number; failure?: ServiceFailure };
	/** One could not wait any longer: no other waits or is sent, since each would end in the same way. */
	end?: ServiceFailure;
	/** How many requests the service has processed: while the number grows, it is no outage. */
	processed: number;
	/** When the log may be told next of a long wait to start. */
	tellsTurnMs: number;
}

/** One request: waits for its turn, is sent, and again where that is allowed and there is time. */
class PendingRequest {
	private readonly run: Run;
	private readonly request: ApiRequest;
	private readonly limits: RequestLimits;
	private readonly isWanted: () => boolean;
	private readonly spent = { temporaryErrors: 0, unprocessed: 0, waitedMs: 0, unconnectedMs: 0 };
	private lastUnprocessed: ServiceFailure | undefined;
	/** How many requests of the run the service had processed when `waitedMs` began. */
	private processedBefore = 0;

	constructor(run: Run, request: ApiRequest, limits: RequestLimits, isWanted = () => true) {
		this.run = run;
		this.request = request;
		this.limits = limits;
		this.isWanted = isWanted;
	}

	private get attempts(): number {
		return this.spent.temporaryErrors + this.spent.unprocessed;
	}

	async complete(): Promise<JsonResponse> {
		const { secrets } = this.run.parts;
		for (;;) {
			const start = await this.waitForTurn();
			const answer = await this.send(start).catch(async (error: unknown) => {
				const failure = asServiceFailure(error).withoutSecrets(secrets);
				await this.retryAfter(failure.with({ attempts: this.attempts + 1 }), start);
			});
			if (answer) return answer;
		}
	}

	private async send(start: Start): Promise<JsonResponse> {
		const { transport, rateLimiter, timeOfDay, now } = this.run.parts;
		const sentAt = timeOfDay();
		const response = await transport(this.request, this.limits.timeoutMs);
		const tookMs = now() - start.atMs;
		const body = readBody(response, timeOfAnswer(response.headers, sentAt));
		if (this.request.reads === 'list') readListEnvelope(body);
		rateLimiter.accepted(start);
		this.run.processed += 1;
		return { statusCode: response.statusCode, body, text: response.text, tookMs };
	}

	/** Other requests may pause the queue or raise its rate while this one waits, so it asks again. */
	private async waitForTurn(): Promise<Start> {
		const { rateLimiter, now } = this.run.parts;
		const { maxPerMinute = Infinity, turnByMs = Infinity } = this.limits;
		this.assertNeeded();
		const place = rateLimiter.join();
		let waitsSinceMs = now();
		for (;;) {
			const serviceMs = rateLimiter.waitMs(place, now());
			const boundMs = rateLimiter.boundMs(maxPerMinute, now());
			if (serviceMs <= 0 && boundMs <= 0) return rateLimiter.start(now());
			if (boundMs > 0 && now() + boundMs > turnByMs) throw new ServiceFailure('noTurn');
			const pausedMs = this.pausedMs();
			const tookMs = await this.step(Math.max(serviceMs, boundMs));
			// What only the user's own bound makes it wait is not the service's doing.
			this.noteWaited(Math.min(tookMs, serviceMs));
			// Of a pause, the log has been told.
			if (pausedMs > boundMs) waitsSinceMs = now();
			this.tellLongTurn(now() - waitsSinceMs);
		}
	}

	private tellLongTurn(waitedMs: number): void {
		const { parts, tellsTurnMs } = this.run;
		if (waitedMs < LONG_TURN_MS || parts.now() < tellsTurnMs) return;
		this.run.tellsTurnMs = parts.now() + TELL_TURN_EVERY_MS;
		parts.onTurn(waitedMs);
	}

	/**
	 * Waits where another attempt follows; throws the failure otherwise. A rate limit slows all requests of the run; where
	 * the service is down or cannot be reached, they only wait.
	 */
	private async retryAfter(failure: ServiceFailure, start: Start): Promise<void> {
		const { run, spent, limits } = this;
		const { rateLimiter, now, random, onWait } = run.parts;
		const isUnprocessed = wasNotProcessed(failure);
		const { statusCode } = failure.facts;
		// Who is down for a time says nothing of how fast requests may come.
		const isTooFast = isUnprocessed && statusCode !== undefined && statusCode !== 503;
		if (isUnprocessed) {
			this.lastUnprocessed = failure;
			this.noteWaited(now() - start.atMs);
		}
		const decision = decideRetry(failure, { ...limits, ...spent, risk: this.request.risk, random });
		const afterMs = typeof decision === 'number' ? decision : 0;
		const untilMs = now() + afterMs;
		if (isTooFast) rateLimiter.refused(start, untilMs);
		else if (isUnprocessed) rateLimiter.pauseUntil(untilMs);
		// What got no answer is no reason for more requests at once.
		else if (statusCode !== undefined) rateLimiter.accepted(start);
		if (decision === 'final') throw failure;
		if (typeof decision !== 'number') {
			const end = failure.with({ gaveUp: decision, maxWaitMs: limits.maxWaitMs });
			if (isUnprocessed && decision !== 'retriesUsed') run.end ??= end;
			throw end;
		}
		spent[isUnprocessed ? 'unprocessed' : 'temporaryErrors'] += 1;
		this.assertNeeded();
		onWait({ afterMs, failure, retry: this.attempts });
		if (!isUnprocessed) while (now() < untilMs) await this.step(untilMs - now());
		// Otherwise the queue itself waits, which keeps this request's place before later ones. A longer pause stays.
		else if (untilMs > run.pause.untilMs) run.pause = { untilMs, failure };
	}

	/** Waits a part of the time and tells how long that was. */
	private async step(ms: number): Promise<number> {
		const { now, sleep } = this.run.parts;
		const fromMs = now();
		await sleep(Math.ceil(Math.min(ms, LONGEST_STEP_MS)));
		this.assertNeeded();
		return now() - fromMs;
	}

	private noteWaited(ms: number): void {
		const { spent, run } = this;
		// A service that has processed another request meanwhile is only slow, so the time begins anew.
		if (run.processed !== this.processedBefore) spent.waitedMs = spent.unconnectedMs = 0;
		this.processedBefore = run.processed;
		spent.waitedMs += ms;
		spent.unconnectedMs = this.lastUnprocessed?.kind === 'notSent' ? spent.unconnectedMs + ms : 0;
	}

	private assertNeeded(): void {
		if (!this.isWanted()) throw new ServiceFailure('cancelled');
		if (this.run.end !== undefined) throw this.run.end.with({ attempts: this.attempts });
	}

	/** How long all requests still have to wait: the service may have told another one, and it may be too long for this one. */
	private pausedMs(): number {
		const { run } = this;
		const pausedMs = Math.max(0, run.pause.untilMs - run.parts.now());
		const failure = pausedMs > 0 ? run.pause.failure : this.lastUnprocessed;
		const { maxWaitMs } = this.limits;
		// A shortened last wait ends at its limit, give or take a rounding.
		if (failure !== undefined && this.spent.waitedMs + pausedMs > maxWaitMs + 1) {
			run.end ??= failure.with({ gaveUp: 'waitUsed', maxWaitMs });
			this.assertNeeded();
		}
		return pausedMs;
	}
}
