import type { Limit, Limiter } from '../sandbox/rate-limit.mts';
import { EPOCH_MS } from './pace-simulation.mts';

type Headers = Record<string, string>;
type Announce = (limit: Limit, left: ReturnType<Limiter['left']>, nowMs: number) => Headers;

const seconds = (ms: number): number => Math.max(0, Math.ceil(ms / 1_000));

/** The ways to announce a limit, in whole seconds as services do. */
export const announcing = {
	RateLimit: ({ requests, windowMs }, { requests: remaining, resetMs }) => ({
		'ratelimit-policy': `"default";q=${requests};w=${seconds(windowMs)}`,
		ratelimit: `"default";r=${remaining};t=${seconds(resetMs)}`,
	}),
	'X-RateLimit, seconds': ({ requests }, { requests: remaining, resetMs }) => ({
		'x-ratelimit-limit': String(requests),
		'x-ratelimit-remaining': String(remaining),
		'x-ratelimit-reset': String(seconds(resetMs)),
	}),
	'X-RateLimit, time': ({ requests }, { requests: remaining, resetMs }, nowMs) => ({
		date: new Date(EPOCH_MS + nowMs).toUTCString(),
		'x-ratelimit-limit': String(requests),
		'x-ratelimit-remaining': String(remaining),
		'x-ratelimit-reset': String(seconds(EPOCH_MS + nowMs + resetMs)),
	}),
} satisfies Record<string, Announce>;

const minutely = (remaining: number | string, reset: number): Headers => ({
	'x-ratelimit-limit': '100',
	'x-ratelimit-remaining': String(remaining),
	'x-ratelimit-reset': String(reset),
});

/** What services say that limit nothing: contradictions, and plenty. */
export const untrue = {
	'0 left, in a minute more': () => minutely(0, 60),
	'0 left, in a second more': () => minutely(0, 1),
	'0 left, in an hour more': () => minutely(0, 3_600),
	'0 left, in a year more': () => minutely(0, 31_536_000),
	'0 left, at a time in a year': () => minutely(0, EPOCH_MS / 1_000 + 31_536_000),
	'0 left of a policy of 100 in a minute': () => ({
		'ratelimit-policy': '"default";q=100;w=60',
		ratelimit: '"default";r=0;t=60',
	}),
	'fewer and fewer, then 0': (count) => minutely(Math.max(0, 99 - count), 60),
	'no number': () => minutely('none', Number.NaN),
	'plenty a minute': () => minutely(1_000_000, 60),
	'plenty by policy': () => ({
		'ratelimit-policy': '"default";q=100000;w=1',
		ratelimit: '"default";r=100000;t=1',
	}),
} satisfies Record<string, (count: number) => Headers>;
