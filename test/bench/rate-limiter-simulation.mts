import type { RateLimiter } from '../../nodes/client/rate-limiter.ts';
import { decideRetry } from '../../nodes/client/retry.ts';
import type { Limiter } from '../sandbox/rate-limit.mts';

/** Longest time that a call may wait for a service that refuses it: the node's Max Wait. */
const MAX_WAIT_MS = 300_000;
/** The client looks again at least so often while it waits, as in nodes/client/client.ts. */
const LONGEST_STEP_MS = 250;
/** How the client decides about a refused request, as in nodes/client/client.ts. */
const RULES = {
	repeat: 'safe',
	temporaryErrors: 0,
	maxRetries: 0,
	maxWaitMs: MAX_WAIT_MS,
	unconnectedMs: 0,
	leftMs: Infinity,
} as const;

/** What the rate limiter needs to have to be judged. */
export type JudgedRateLimiter = Pick<
	RateLimiter,
	'concurrency' | 'join' | 'waitMs' | 'start' | 'accepted' | 'refused'
>;

/** A run of calls against a service, in simulated time. */
export interface Run {
	rateLimiter: JudgedRateLimiter;
	/** Undefined for a service that refuses nothing. */
	limiter?: Limiter;
	/** What a refusal says about when to come back, by how long it has to wait; nothing where it is undefined. */
	retryAfterMs?: (waitMs: number) => number;
	/** From sending to the answer, on average, and by which part either way may take more or less. */
	latencyMs: number;
	spread?: number;
	calls: number;
	/** Uniform in [0, 1). */
	random: () => number;
}

export type Outcome = ReturnType<typeof simulate>;

/** Plays a run as `runPool` and the client do, every wait and answer an event in order of its time. */
export function simulate(run: Run) {
	const { rateLimiter, limiter, latencyMs, spread, calls, random } = run;
	const events = new Events();
	const outcome = {
		durationMs: 0,
		/** When each of the calls succeeded. */
		succeededAtMs: [] as number[],
		sent: 0,
		refused: 0,
		/** When the first request was refused. */
		refusedFromMs: Infinity,
		/** Longest time of one call, from when it first asked for its turn to its answer. */
		longestMs: 0,
	};
	let begun = 0;
	let underWay = 0;

	const end = (): void => {
		underWay -= 1;
		fill();
	};
	/** Since when nothing was accepted. */
	let refusedSinceMs: number | undefined;
	const decide = (refusedForMs: number, unprocessed: number) => {
		const retryAfterMs = run.retryAfterMs?.(refusedForMs);
		const facts = { statusCode: 429, retryAfterMs };
		const waitedMs = events.nowMs - (refusedSinceMs ??= events.nowMs);
		const rules = { ...RULES, unprocessed, waitedMs, random };
		return { waitMs: decideRetry({ kind: 'status', facts }, rules), isTold: Boolean(retryAfterMs) };
	};
	const oneWayMs = (usual: number) =>
		(latencyMs / 2) * (1 + (spread ?? usual) * (2 * random() - 1));
	const attempt = (place: number, joinedMs: number, retriesMade: number): void => {
		const waitMs = rateLimiter.waitMs(place, events.nowMs);
		// Timers are late under load.
		const lateMs = 1 + random() * 2;
		const stepMs = Math.min(waitMs, LONGEST_STEP_MS);
		if (waitMs > 0) return events.add(stepMs + lateMs, () => attempt(place, joinedMs, retriesMade));
		const start = rateLimiter.start(events.nowMs);
		outcome.sent += 1;
		events.add(oneWayMs(4 / latencyMs), () => {
			const refusedForMs = limiter?.take(events.nowMs) ?? 0;
			events.add(oneWayMs(0.2), () => {
				if (refusedForMs === 0) {
					rateLimiter.accepted(start);
					refusedSinceMs = undefined;
					outcome.succeededAtMs.push(events.nowMs);
					outcome.longestMs = Math.max(outcome.longestMs, events.nowMs - joinedMs);
					return end();
				}
				outcome.refused += 1;
				outcome.refusedFromMs = Math.min(outcome.refusedFromMs, events.nowMs);
				const { waitMs, isTold } = decide(refusedForMs, retriesMade);
				const untilMs = events.nowMs + (typeof waitMs === 'number' ? waitMs : 0);
				rateLimiter.refused(start, untilMs, isTold);
				if (typeof waitMs !== 'number') return end();
				attempt(rateLimiter.join(), joinedMs, retriesMade + 1);
			});
		});
	};
	const fill = (): void => {
		while (underWay < rateLimiter.concurrency && begun < calls) {
			underWay += 1;
			begun += 1;
			attempt(rateLimiter.join(), events.nowMs, 0);
		}
	};
	fill();
	events.play();
	outcome.durationMs = events.nowMs;
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
