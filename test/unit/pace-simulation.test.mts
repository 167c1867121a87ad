import { describe, expect, test } from 'vitest';
import { Pace } from '../../nodes/shared/pace.ts';

/** A rate-limited service and a pool of requests, in simulated time. */
interface Scenario {
	/** Tokens per second and bucket size of the service's limit, which the pace does not know. */
	perSecond: number;
	burst: number;
	maxConcurrent: number;
	/** Milliseconds from sending to the answer. */
	latencyMs: number;
	requests: number;
	seed: number;
}

interface Outcome {
	/** Rate reached, as a part of the service's rate. */
	reached: number;
	/** Refused requests, as a part of all. */
	refused: number;
	mostUnderWay: number;
}

/** Plays a scenario, every wait and answer as an event in order of its time; ends when all requests succeeded. */
function simulate(scenario: Scenario): Outcome {
	const { perSecond, burst, maxConcurrent, latencyMs, requests } = scenario;
	const events: Array<{ atMs: number; run: () => void }> = [];
	const random = randomNumbers(scenario.seed);
	const pace = new Pace(maxConcurrent);
	let nowMs = 0;
	let tokens = burst;
	let refilledMs = 0;
	let started = 0;
	let sent = 0;
	let succeeded = 0;
	let refused = 0;
	let underWay = 0;
	let mostUnderWay = 0;

	const later = (ms: number, run: () => void): void => void events.push({ atMs: nowMs + ms, run });
	const takeToken = (): boolean => {
		tokens = Math.min(burst, tokens + ((nowMs - refilledMs) * perSecond) / 1_000);
		refilledMs = nowMs;
		if (tokens < 1) return false;
		tokens -= 1;
		return true;
	};
	const attempt = (place: number): void => {
		const waitMs = pace.waitMs(place, nowMs);
		// Timers are late by a little.
		if (waitMs > 0) return later(waitMs + random() * 3, () => attempt(place));
		const start = pace.start(nowMs);
		sent += 1;
		later(latencyMs / 2, () => {
			const accepted = takeToken();
			later((latencyMs / 2) * (0.8 + 0.4 * random()), () => {
				if (accepted) {
					pace.accepted(start);
					succeeded += 1;
					underWay -= 1;
					fill();
				} else {
					refused += 1;
					pace.refused(start, nowMs + 1_000 + random() * 100);
					attempt(pace.join());
				}
			});
		});
	};
	const fill = (): void => {
		while (underWay < pace.concurrency && started < requests) {
			underWay += 1;
			started += 1;
			mostUnderWay = Math.max(mostUnderWay, underWay);
			attempt(pace.join());
		}
	};
	fill();
	while (events.length > 0) {
		const next = events.reduce(
			(first, event, index) => (event.atMs < (events[first]?.atMs ?? Infinity) ? index : first),
			0,
		);
		const [event] = events.splice(next, 1);
		if (event === undefined) break;
		nowMs = Math.max(nowMs, event.atMs);
		event.run();
	}
	expect(succeeded).toBe(requests);
	return { reached: requests / (nowMs / 1_000) / perSecond, refused: refused / sent, mostUnderWay };
}

/** Numbers in [0, 1) from a seed, so that a failing scenario can be run again. */
function randomNumbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
		return state / 2_147_483_648;
	};
}

const seeds = [1, 2, 3, 4];

describe('the pace against a service with an unknown rate limit, in simulated time', () => {
	test.each([5, 20, 50])('%i per second: most of the rate, few refusals', (perSecond) => {
		for (const seed of seeds) {
			for (const maxConcurrent of [5, 20]) {
				for (const latencyMs of [5, 40]) {
					const burst = Math.ceil(perSecond / 5);
					const scenario = { perSecond, burst, maxConcurrent, latencyMs, requests: 1_000, seed };
					const { reached, refused, mostUnderWay } = simulate(scenario);
					expect(reached, JSON.stringify(scenario)).toBeGreaterThan(0.8);
					expect(refused, JSON.stringify(scenario)).toBeLessThanOrEqual(0.05);
					expect(mostUnderWay).toBeLessThanOrEqual(maxConcurrent);
				}
			}
		}
	});

	test('without a limit nothing is held back but by Max Concurrent', () => {
		const free = {
			perSecond: 1e9,
			burst: 1e9,
			maxConcurrent: 20,
			latencyMs: 100,
			requests: 1_000,
			seed: 1,
		};
		const { reached, refused, mostUnderWay } = simulate(free);
		expect(refused).toBe(0);
		expect(mostUnderWay).toBe(20);
		// 1,000 requests of 100 ms, 20 at once: 5 s at best.
		expect(1_000 / (reached * 1e9)).toBeLessThan(5.6);
	});

	test('a limit of one burst per long time is waited for, not hammered', () => {
		const slow = {
			perSecond: 0.5,
			burst: 10,
			maxConcurrent: 20,
			latencyMs: 5,
			requests: 60,
			seed: 1,
		};
		expect(simulate(slow).refused).toBeLessThan(0.4);
	});
});
