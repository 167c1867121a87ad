import type { ApiRequest, RawResponse } from './api';
import { contextIdOf, parseJson, readBody } from './envelope';
import { ServiceFailure } from './failures';
import type { Start } from './pace';
import { announcementOf, parseRetryAfter, timeOfAnswer } from './rate-limit-headers';
import type { Answer, AnswerHooks, Client, ClientParts, RequestLimits } from './request';
import { decideRetry, wasNotTaken } from './retry';
import { Spread } from './spread';
import { Standstill } from './standstill';
import { isRateLimit } from './statuses';
import { findServiceWords } from './words';

/** A wait is done in steps of at most this, in ms, so that one which has become pointless ends soon. */
const LONGEST_STEP_MS = 250;

/**
 * The one way a request leaves this package: waits for its turn, sends, reads the answer, and retries by the table
 * of docs/reliability.md. One client serves one run: once the service could not be waited for, nothing more is sent.
 *
 * @returns a function that throws ServiceFailure for whatever did not end in a JSON body with a success status
 */
export function createClient(parts: ClientParts): Client {
	const run: Run = { parts, spread: new Spread(), standstill: new Standstill() };
	const answer: Client['answer'] = async (request, limits, hooks) =>
		await new Sending(run, request, limits, hooks).complete();
	const client = async (request: ApiRequest, limits: RequestLimits): Promise<unknown> =>
		(await answer(request, limits)).body;
	return Object.assign(client, { answer });
}

/** What all requests of a run share. */
interface Run {
	parts: ClientParts;
	spread: Spread;
	standstill: Standstill;
}

/** One request on its way: waits for its turn, is sent, and again where that is allowed and there is time. */
class Sending {
	private readonly run: Run;
	private readonly request: ApiRequest;
	private readonly limits: RequestLimits;
	private readonly hooks: AnswerHooks | undefined;
	private attempts = 0;
	/** Attempts that may have been processed. */
	private faults = 0;
	/** Attempts that were surely not taken, the last of them, and how much time went by because of them. */
	private refusals = 0;
	private refusal: ServiceFailure | undefined;
	private waitedMs = 0;
	/** For how much of it no connection could be made, until now. */
	private unconnectedMs = 0;
	/** What the service had taken of the run when that time began. */
	private takenBefore = 0;

	constructor(run: Run, request: ApiRequest, limits: RequestLimits, hooks?: AnswerHooks) {
		this.run = run;
		this.request = request;
		this.limits = limits;
		this.hooks = hooks;
	}

	/** @throws ServiceFailure for whatever did not end in a JSON body with a success status */
	async complete(): Promise<Answer> {
		const { parts, spread, standstill } = this.run;
		for (;;) {
			const start = await this.turn();
			const sentMs = parts.now();
			const sentAt = parts.timeOfDay();
			this.attempts += 1;
			const response = await parts
				.transport(this.request, this.limits.timeoutMs)
				.catch((error: unknown) => ({ error }));
			const tookMs = parts.now() - sentMs;
			spread.took(tookMs);
			const outcome = 'error' in response ? response : this.read(response, start, sentAt);
			if ('body' in outcome) {
				parts.pace.accepted(start);
				standstill.taken += 1;
				return { ...outcome, tookMs };
			}
			if (!(outcome.error instanceof ServiceFailure)) throw outcome.error;
			const failure = outcome.error.withoutSecrets(parts.secrets);
			await this.afterFailure(failure.with({ attempts: this.attempts }), start, tookMs);
		}
	}

	/** @param sentAt when the request was sent, in ms since 1970: what a service without a clock announces counts from then */
	private read(
		response: RawResponse,
		start: Start,
		sentAt: number,
	): { body: unknown; text: string } | { error: unknown } {
		const { parts } = this.run;
		const { statusCode, headers, text } = response;
		const failure = statusCode < 300 ? undefined : failureOfStatus(response, parts);
		const said = announcementOf(headers, timeOfAnswer(headers, sentAt));
		const isTaken = failure === undefined || !wasNotTaken({ kind: failure.kind, ...failure.facts });
		if (said !== undefined) parts.pace.hear(said, start, isTaken);
		if (failure !== undefined) return { error: failure };
		try {
			return { body: readBody(response, parts.secrets), text };
		} catch (error) {
			return { error };
		}
	}

	/** Other requests may pause the queue or raise its rate while this one waits, so it asks again. */
	private async turn(): Promise<Start> {
		const { spread, parts } = this.run;
		const { pace, now } = parts;
		this.assertNeeded();
		await this.rest(spread.waitMs(now(), pace.concurrency));
		const place = pace.join();
		const { maxWaitMs } = this.limits;
		const waitMs = (): number => pace.waitMs(place, now(), maxWaitMs - this.waitedMs);
		for (let ms = waitMs(); ms > 0; ms = waitMs()) {
			const pausedMs = this.pausedMs();
			const tookMs = await this.step(ms);
			// One that was never refused only waits for its turn; all that one which was refused waits is counted.
			this.noteWaited(this.refusal === undefined ? Math.min(tookMs, pausedMs) : tookMs);
		}
		return pace.start(now());
	}

	/** Waits where another attempt follows; throws the failure otherwise. */
	private async afterFailure(failure: ServiceFailure, start: Start, tookMs: number): Promise<void> {
		const { parts, standstill } = this.run;
		const { maxRetries, maxWaitMs, mostRefusals } = this.limits;
		const outcome = { kind: failure.kind, ...failure.facts };
		const notTaken = wasNotTaken(outcome);
		if (notTaken) this.noteWaited(tookMs, failure);
		const { faults, refusals, waitedMs, unconnectedMs } = this;
		const { random } = parts;
		const { risk } = this.request;
		const waits = { maxWaitMs, waitedMs, unconnectedMs };
		const rules = { risk, faults, maxRetries, refusals, mostRefusals, ...waits, random };
		const decision = decideRetry(outcome, rules);
		const afterMs = decision.retry ? decision.afterMs : 0;
		this.notePace(failure, start, parts.now() + afterMs);
		if (!decision.retry) {
			if (decision.reason === 'final') throw failure;
			const end = failure.with({ gaveUp: decision.reason, maxWaitMs });
			if (notTaken && decision.reason !== 'retriesUsed') standstill.giveUp(end);
			throw end;
		}
		if (notTaken) {
			this.refusals += 1;
			this.refusal = failure;
		} else {
			this.faults += 1;
		}
		this.assertNeeded();
		parts.onWait({ afterMs, failure, retry: this.attempts });
		// After a refusal the queue itself waits, which keeps this request's place before later ones.
		if (notTaken && failure.kind === 'status')
			standstill.pauseUntil(parts.now() + afterMs, failure);
		else await this.rest(afterMs, notTaken);
	}

	/** A refusal for the rate slows all requests of the run; "come back later" only pauses them. */
	private notePace({ kind, facts }: ServiceFailure, start: Start, untilMs: number): void {
		const { pace } = this.run.parts;
		if (isRateLimit(facts.statusCode)) pace.refused(start, untilMs);
		else if (wasNotTaken({ kind, ...facts })) pace.pauseUntil(untilMs);
		else if (facts.statusCode !== undefined) pace.accepted(start);
	}

	private async rest(ms: number, isCounted = false): Promise<void> {
		const { now } = this.run.parts;
		const untilMs = now() + ms;
		for (let leftMs = ms; leftMs > 0; leftMs = untilMs - now()) {
			const tookMs = await this.step(leftMs);
			if (isCounted) this.noteWaited(tookMs);
		}
	}

	private noteWaited(ms: number, refusal = this.refusal): void {
		this.beginAnewIfTaken();
		this.waitedMs += ms;
		this.unconnectedMs = refusal?.kind === 'notSent' ? this.unconnectedMs + ms : 0;
	}

	/** A service that has taken another request meanwhile is only slow, so the time begins anew. */
	private beginAnewIfTaken(): void {
		const { taken } = this.run.standstill;
		if (taken !== this.takenBefore) this.waitedMs = this.unconnectedMs = 0;
		this.takenBefore = taken;
	}

	/** Waits a part of the time and tells how long that was. */
	private async step(ms: number): Promise<number> {
		const { now, sleep } = this.run.parts;
		const fromMs = now();
		await sleep(Math.ceil(Math.min(ms, LONGEST_STEP_MS)));
		this.assertNeeded();
		return now() - fromMs;
	}

	private assertNeeded(): void {
		if (this.hooks?.isWanted() === false) throw new ServiceFailure('cancelled');
		this.run.standstill.assertGoing(this.attempts);
	}

	/**
	 * How long all requests still have to wait. The service may have told another one, and for this one it may be too
	 * long.
	 */
	private pausedMs(): number {
		const { standstill, parts } = this.run;
		this.beginAnewIfTaken();
		const nowMs = parts.now();
		const pause = standstill.pauseAt(nowMs);
		const pausedMs = pause === undefined ? 0 : pause.untilMs - nowMs;
		const refusal = pause?.refusal ?? this.refusal;
		const { maxWaitMs } = this.limits;
		// A shortened last wait ends at its limit, give or take a rounding.
		if (refusal !== undefined && this.waitedMs + pausedMs > maxWaitMs + 1) {
			standstill.giveUp(refusal.with({ gaveUp: 'waitUsed', maxWaitMs }));
			standstill.assertGoing(this.attempts);
		}
		return pausedMs;
	}
}

function failureOfStatus(
	{ statusCode, headers, text }: RawResponse,
	{ timeOfDay, secrets }: ClientParts,
): ServiceFailure {
	const body = parseJson(text);
	return new ServiceFailure('status', {
		statusCode,
		words: findServiceWords(text, body, secrets),
		ctxId: contextIdOf(body),
		retryAfterMs: parseRetryAfter(headers['retry-after'], timeOfAnswer(headers, timeOfDay())),
	});
}
