import type { RateLimiter } from '../../nodes/client/rate-limiter.ts';
import { decideRetry } from '../../nodes/client/retry.ts';
import { Waits } from '../../nodes/client/waits.ts';

/** Longest time that a call may wait for a service that refuses it: the node's Retry For. */
const RETRY_FOR_MS = 300_000;
/** The client looks again at least so often while it waits, as in nodes/client/client.ts. */
const LONGEST_STEP_MS = 250;

/** What the rate limiter needs to have to be judged. */
export type JudgedRateLimiter = Pick<
	RateLimiter,
	| 'concurrency'
	| 'join'
	| 'waitMs'
	| 'pauseMs'
	| 'pauseUntil'
	| 'start'
	| 'accepted'
	| 'refused'
	| 'ended'
	| 'leave'
	| 'comeBack'
>;

/** A run of calls against a service, in simulated time. */
export interface Run {
	rateLimiter: JudgedRateLimiter;
	/** 0 where the service accepts a request at a time, otherwise the ms until it may; nothing for one that refuses nothing. */
	take?: (nowMs: number, call: number) => number;
	/** What a refusal says about when to come back, by how long it has to wait; nothing where it is undefined. */
	retryAfterMs?: (waitMs: number) => number;
	/** From sending to the answer, on average, and by which part either way may take more or less. */
	latencyMs: number;
	spread?: number;
	calls: number;
	/** Uniform in [0, 1). */
	random: () => number;
}

export type Outcome = ReturnType<typeof simulate>[number];

/** Plays runs beside each other as `runPool` and the client do, every wait and answer an event in order of its time. */
export function simulate(...runs: Run[]) {
	const events = new Events();
	const outcomes = runs.map((run) => begin(run, events));
	events.play();
	return outcomes;
}

interface Call {
	number: number;
	joinedMs: number;
	refusals: number;
	waits: Waits;
}

function begin(run: Run, events: Events) {
	const { rateLimiter, take, latencyMs, spread, calls, random } = run;
	const outcome = {
		durationMs: 0,
		/** When each of the calls succeeded. */
		succeededAtMs: [] as number[],
		sent: 0,
		refused: 0,
		failed: 0,
		/** When the first request was refused. */
		refusedFromMs: Infinity,
		/** Longest time of one call, from when it first asked for its turn to its answer. */
		longestMs: 0,
	};
	const waits = new Waits();
	let hasEnded = false;
	let begun = 0;
	let underWay = 0;

	const end = (): void => {
		underWay -= 1;
		outcome.durationMs = events.nowMs;
		fill();
	};
	/** How long a refused call waits, as in `waitToRetry`. Undefined where it fails. */
	const decide = (
		call: Call,
		retryAfterMs: number | undefined,
		{ leastMs, mostMs }: ReturnType<RateLimiter['refused']>,
	) => {
		const isOfAll = mostMs === Infinity;
		const facts = { statusCode: 429, retryAfterMs };
		const counted = isOfAll ? waits : call.waits;
		const waitLeftMs = counted.leftMs(events.nowMs, RETRY_FOR_MS, false);
		const decision = decideRetry(
			{ kind: 'status', facts },
			{
				repeat: 'billed',
				temporaryErrors: 0,
				maxRetries: 0,
				unprocessed: call.refusals++,
				maxWaitMs: RETRY_FOR_MS,
				leastMs,
				waitLeftMs,
				leftMs: Infinity,
				random,
			},
		);
		if (typeof decision === 'number') {
			const pauseMs = Math.min(decision, mostMs);
			if (pauseMs > 0) rateLimiter.pauseUntil(events.nowMs + pauseMs);
			counted.add(events.nowMs, decision, false);
			return decision;
		}
		if (isOfAll) hasEnded = true;
		return undefined;
	};
	const oneWayMs = (usual: number) =>
		(latencyMs / 2) * (1 + (spread ?? usual) * (2 * random() - 1));
	const attempt = (place: number, call: Call): void => {
		if (hasEnded) {
			outcome.failed += 1;
			return end();
		}
		const waitMs = rateLimiter.waitMs(place, events.nowMs);
		// Timers are late under load.
		const lateMs = 1 + random() * 2;
		const stepMs = Math.min(waitMs, LONGEST_STEP_MS);
		if (waitMs > 0) return events.add(stepMs + lateMs, () => attempt(place, call));
		const start = rateLimiter.start(events.nowMs, call);
		outcome.sent += 1;
		events.add(oneWayMs(4 / latencyMs), () => {
			const refusedForMs = take?.(events.nowMs, call.number) ?? 0;
			events.add(oneWayMs(0.2), () => {
				rateLimiter.ended();
				if (refusedForMs === 0) {
					rateLimiter.accepted(start);
					waits.clear();
					outcome.succeededAtMs.push(events.nowMs);
					outcome.longestMs = Math.max(outcome.longestMs, events.nowMs - call.joinedMs);
					return end();
				}
				outcome.refused += 1;
				outcome.refusedFromMs = Math.min(outcome.refusedFromMs, events.nowMs);
				const told = run.retryAfterMs?.(refusedForMs);
				const pauses = rateLimiter.refused(start, events.nowMs, told);
				const aloneMs = decide(call, told, pauses);
				if (aloneMs === undefined) {
					outcome.failed += 1;
					return end();
				}
				const isFree = pauses.leaves;
				if (isFree) {
					rateLimiter.leave();
					underWay -= 1;
				}
				events.add(aloneMs + lateMs, () => {
					if (isFree) {
						rateLimiter.comeBack();
						underWay += 1;
					}
					attempt(rateLimiter.join(), call);
				});
				fill();
			});
		});
	};
	const fill = (): void => {
		while (underWay < rateLimiter.concurrency && begun < calls) {
			underWay += 1;
			begun += 1;
			const call = { number: begun, joinedMs: events.nowMs, refusals: 0, waits: new Waits() };
			attempt(rateLimiter.join(), call);
		}
	};
	fill();
	return outcome;
}

/** What will happen, in the order of time. */
class Events {
	nowMs = 0;
	private readonly coming: Array<{ atMs: number; run: () => void }> = [];

	add(ms: number, run: () => void): void {
		const atMs = this.nowMs + Math.max(0, ms);
		const before = this.coming.findLastIndex((other) => other.atMs <= atMs);
		this.coming.splice(before + 1, 0, { atMs, run });
	}

	play(): void {
		for (let event = this.coming.shift(); event !== undefined; event = this.coming.shift()) {
			this.nowMs = event.atMs;
			event.run();
		}
	}
}
