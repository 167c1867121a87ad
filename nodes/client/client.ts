import { isRateLimit, type ApiRequest, type RawResponse } from './api';
import { contextIdOf, findServiceWords, parseJson, readBody } from './envelope';
import { ServiceFailure } from './failures';
import type { Start } from './pace';
import { announcementOf, parseRetryAfter, timeOfAnswer } from './rate-limit';
import type { Answer, AnswerHooks, Client, ClientParts, RequestLimits } from './request';
import { decideRetry, wasNotProcessed } from './retry';
import { Stagger } from './stagger';

/** A wait is done in steps of at most this, in ms, so that one which has become pointless ends soon. */
const LONGEST_STEP_MS = 250;

/**
 * The one way a request leaves this package: waits for its turn, sends, reads the answer, and retries by the table
 * of docs/reliability.md. One client serves one run: after an outage that was too long, nothing more is sent.
 *
 * @returns a function that throws ServiceFailure for whatever did not end in a JSON body with a success status
 */
export function createClient(parts: ClientParts): Client {
	const run: Run = { parts, stagger: new Stagger(), outage: { processed: 0 } };
	return async (request, limits, hooks) =>
		await new PendingRequest(run, request, limits, hooks).complete();
}

/** What all requests of a run share. */
interface Run {
	parts: ClientParts;
	stagger: Stagger;
	outage: Outage;
}

/** What the requests of a run know together of a service that processes none of them. */
interface Outage {
	/** Until when all wait, and the failure that began it. */
	pause?: { untilMs: number; failure: ServiceFailure };
	/** One could not wait any longer: no other waits or is sent, since each would end in the same way. */
	end?: ServiceFailure;
	/** How many requests the service has accepted: while the number grows, it is no outage. */
	processed: number;
}

/** One request: waits for its turn, is sent, and again where that is allowed and there is time. */
class PendingRequest {
	private readonly run: Run;
	private readonly request: ApiRequest;
	private readonly limits: RequestLimits;
	private readonly hooks: AnswerHooks | undefined;
	private attempts = 0;
	/** Attempts that ended in a temporary error: they may have been processed. */
	private temporaryErrors = 0;
	/** Attempts that were surely not processed, the last of them, and how much time went by because of them. */
	private unprocessed = 0;
	private lastUnprocessed: ServiceFailure | undefined;
	private waitedMs = 0;
	/** For how much of it no connection could be made, until now. */
	private unconnectedMs = 0;
	/** How many requests of the run the service had processed when that time began. */
	private processedBefore = 0;

	constructor(run: Run, request: ApiRequest, limits: RequestLimits, hooks?: AnswerHooks) {
		this.run = run;
		this.request = request;
		this.limits = limits;
		this.hooks = hooks;
	}

	/** @throws ServiceFailure for whatever did not end in a JSON body with a success status */
	async complete(): Promise<Answer> {
		const { parts, stagger, outage } = this.run;
		for (;;) {
			const start = await this.waitForTurn();
			const sentMs = parts.now();
			const sentAt = parts.timeOfDay();
			this.attempts += 1;
			const response = await parts
				.transport(this.request, this.limits.timeoutMs)
				.catch((error: unknown) => ({ error }));
			const tookMs = parts.now() - sentMs;
			stagger.took(tookMs);
			const outcome = 'error' in response ? response : this.read(response, start, sentAt);
			if ('body' in outcome) {
				parts.pace.accepted(start);
				outage.processed += 1;
				return { ...outcome, tookMs };
			}
			if (!(outcome.error instanceof ServiceFailure)) throw outcome.error;
			const failure = outcome.error.withoutSecrets(parts.secrets);
			await this.retryAfter(failure.with({ attempts: this.attempts }), start, tookMs);
		}
	}

	/** Other requests may pause the queue or raise its rate while this one waits, so it asks again. */
	private async waitForTurn(): Promise<Start> {
		const { stagger, parts } = this.run;
		const { pace, now } = parts;
		this.assertNeeded();
		await this.delay(stagger.waitMs(now(), pace.concurrency));
		const place = pace.join();
		const { maxWaitMs } = this.limits;
		const waitMs = (): number => pace.waitMs(place, now(), maxWaitMs - this.waitedMs);
		for (let ms = waitMs(); ms > 0; ms = waitMs()) {
			const pausedMs = this.pausedMs();
			const tookMs = await this.step(ms);
			// One that was always processed only waits for its turn; all that another one waits is counted.
			const isCounted = this.lastUnprocessed !== undefined;
			this.noteWaited(isCounted ? tookMs : Math.min(tookMs, pausedMs));
		}
		return pace.start(now());
	}

	/** @param sentAt when the request was sent, in ms since 1970: what a service without a clock announces counts from then */
	private read(
		response: RawResponse,
		start: Start,
		sentAt: number,
	): Omit<Answer, 'tookMs'> | { error: unknown } {
		const { pace, timeOfDay } = this.run.parts;
		const { headers, text } = response;
		const failure = response.statusCode < 300 ? undefined : failureOf(response, timeOfDay());
		const announced = announcementOf(headers, timeOfAnswer(headers, sentAt));
		const isProcessed = failure === undefined || !wasNotProcessed(failure);
		if (announced !== undefined) pace.hear(announced, start, isProcessed);
		if (failure !== undefined) return { error: failure };
		try {
			return { body: readBody(response), text };
		} catch (error) {
			return { error };
		}
	}

	/** Waits where another attempt follows; throws the failure otherwise. */
	private async retryAfter(failure: ServiceFailure, start: Start, tookMs: number): Promise<void> {
		const { parts, outage } = this.run;
		const isUnprocessed = wasNotProcessed(failure);
		if (isUnprocessed) this.noteWaited(tookMs, failure);
		const { temporaryErrors, unprocessed, waitedMs, unconnectedMs, limits } = this;
		const spent = { temporaryErrors, unprocessed, waitedMs, unconnectedMs };
		const rules = { ...limits, ...spent, risk: this.request.risk, random: parts.random };
		const decision = decideRetry(failure, rules);
		const afterMs = decision.retry ? decision.afterMs : 0;
		const untilMs = parts.now() + afterMs;
		this.tellPace(failure, start, untilMs);
		if (!decision.retry) {
			const { reason } = decision;
			if (reason === 'final') throw failure;
			const end = failure.with({ gaveUp: reason, maxWaitMs: limits.maxWaitMs });
			if (isUnprocessed && reason !== 'retriesUsed') outage.end ??= end;
			throw end;
		}
		if (isUnprocessed) {
			this.unprocessed += 1;
			this.lastUnprocessed = failure;
		} else {
			this.temporaryErrors += 1;
		}
		this.assertNeeded();
		parts.onWait({ afterMs, failure, retry: this.attempts });
		if (!isUnprocessed || failure.kind !== 'status') await this.delay(afterMs, isUnprocessed);
		// Otherwise the queue itself waits, which keeps this request's place before later ones. A longer pause stays.
		else if (untilMs > (outage.pause?.untilMs ?? -Infinity)) outage.pause = { untilMs, failure };
	}

	/** A rate limit slows all requests of the run; "come back later" only pauses them. */
	private tellPace(failure: ServiceFailure, start: Start, untilMs: number): void {
		const { pace } = this.run.parts;
		const { statusCode } = failure.facts;
		if (isRateLimit(statusCode)) pace.refused(start, untilMs);
		else if (wasNotProcessed(failure)) pace.pauseUntil(untilMs);
		else if (statusCode !== undefined) pace.accepted(start);
	}

	private async delay(ms: number, isCounted = false): Promise<void> {
		const { now } = this.run.parts;
		const untilMs = now() + ms;
		for (let leftMs = ms; leftMs > 0; leftMs = untilMs - now()) {
			const tookMs = await this.step(leftMs);
			if (isCounted) this.noteWaited(tookMs);
		}
	}

	/** Waits a part of the time and tells how long that was. */
	private async step(ms: number): Promise<number> {
		const { now, sleep } = this.run.parts;
		const fromMs = now();
		await sleep(Math.ceil(Math.min(ms, LONGEST_STEP_MS)));
		this.assertNeeded();
		return now() - fromMs;
	}

	private noteWaited(ms: number, failure = this.lastUnprocessed): void {
		this.restartIfProcessed();
		this.waitedMs += ms;
		this.unconnectedMs = failure?.kind === 'notSent' ? this.unconnectedMs + ms : 0;
	}

	/** A service that has processed another request meanwhile is only slow, so the time begins anew. */
	private restartIfProcessed(): void {
		const { processed } = this.run.outage;
		if (processed !== this.processedBefore) this.waitedMs = this.unconnectedMs = 0;
		this.processedBefore = processed;
	}

	private assertNeeded(): void {
		if (this.hooks?.isWanted() === false) throw new ServiceFailure('cancelled');
		const { end } = this.run.outage;
		if (end !== undefined) throw end.with({ attempts: this.attempts });
	}

	/** How long all requests still have to wait: the service may have told another one, and it may be too long for this one. */
	private pausedMs(): number {
		const { outage, parts } = this.run;
		this.restartIfProcessed();
		const pausedMs = Math.max(0, (outage.pause?.untilMs ?? 0) - parts.now());
		const failure = pausedMs > 0 ? outage.pause?.failure : this.lastUnprocessed;
		const { maxWaitMs } = this.limits;
		// A shortened last wait ends at its limit, give or take a rounding.
		if (failure !== undefined && this.waitedMs + pausedMs > maxWaitMs + 1) {
			outage.end ??= failure.with({ gaveUp: 'waitUsed', maxWaitMs });
			this.assertNeeded();
		}
		return pausedMs;
	}
}

/** @param nowMs the present in ms since 1970 */
function failureOf({ statusCode, headers, text }: RawResponse, nowMs: number): ServiceFailure {
	const body = parseJson(text);
	return new ServiceFailure('status', {
		statusCode,
		words: findServiceWords(text, body),
		ctxId: contextIdOf(body),
		retryAfterMs: parseRetryAfter(headers['retry-after'], timeOfAnswer(headers, nowMs)),
	});
}
