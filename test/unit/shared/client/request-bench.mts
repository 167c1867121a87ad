import type {
	ApiRequest,
	RawResponse,
	Client,
	ClientParts,
	Wait,
} from '../../../../nodes/shared/client/api.ts';
import { ServiceFailure } from '../../../../nodes/shared/client/failures.ts';
import { MinuteQuota } from '../../../../nodes/shared/client/minute-quota.ts';
import { RateLimiter } from '../../../../nodes/shared/client/rate-limiter.ts';
import { TICK_MS } from '../../../bench/virtual-clock.mts';
import { createClient } from '../../../../nodes/shared/client/client.ts';

export const START = Date.UTC(2026, 10, 20);
export const LIMITS = { maxRetries: 2, maxWaitMs: 300_000, timeoutMs: 1_000 };
export const LIST: ApiRequest = { method: 'GET', path: '/v2/public/items', repeat: 'safe' };
export const ENRICH: ApiRequest = {
	method: 'POST',
	path: '/v2/enrich',
	body: { a: 1 },
	repeat: 'billed',
};

/** How often a client may sleep or send: it looks at its queue ten times a second while it waits. */
const MAX_TIMES = 100_000;

type Answer = RawResponse | Error;
/** Answers in order, or an answer by when it is sent, in ms after the start, and what is asked. */
type Service = Answer[] | ((atMs: number, request: ApiRequest) => Answer | Promise<Answer>);

interface Bench {
	client: Client;
	/** Each attempt: what was sent, with which timeout, and when, in ms after the start. */
	sent: Array<{ request: ApiRequest; timeoutMs: number; atMs: number }>;
	waits: Wait[];
	/** How long all of it took by now, in ms. */
	tookMs: () => number;
}

export const answer = (statusCode: number, body: unknown = {}, headers = {}): RawResponse => ({
	statusCode,
	headers,
	text: typeof body === 'string' ? body : JSON.stringify(body),
});
export const lost = (kind: ServiceFailure['kind']): ServiceFailure => new ServiceFailure(kind);

/** A client whose clock hardly moves and whose waits are over at once, but for what is given. */
export function clientOf(parts: Partial<ClientParts> & Pick<ClientParts, 'transport'>): Client {
	let nowMs = 0;
	return createClient({
		rateLimiter: new RateLimiter(),
		minuteQuota: new MinuteQuota(),
		quotaKey: '',
		sleep: async () => {},
		now: () => (nowMs += TICK_MS),
		timeOfDay: () => START,
		random: () => 0.5,
		secrets: [],
		onWait: () => {},
		...parts,
	});
}

/** A client on a clock of its own: sleeping moves it. The transport complains when it is asked too often. */
export function bench(
	service: Service,
	{
		random = 0.5,
		secrets = [] as string[],
		timeOfDay = (nowMs: number) => nowMs,
		latencyMs = (): number => 0,
	} = {},
): Bench {
	let nowMs = START;
	let sleeps = 0;
	const sinceStart = (): number => Math.round(nowMs - START);
	const sent: Bench['sent'] = [];
	const waits: Wait[] = [];
	const client = clientOf({
		transport: async (request, { timeoutMs }) => {
			const atMs = sinceStart();
			const number = sent.push({ request, timeoutMs, atMs });
			const next = await (typeof service === 'function'
				? service(atMs, request)
				: service[number - 1]);
			nowMs += latencyMs();
			if (next === undefined || sent.length > MAX_TIMES) throw new RangeError('sent too often');
			if (next instanceof Error) throw next;
			return next;
		},
		sleep: async (ms) => {
			if (++sleeps > MAX_TIMES) throw new RangeError('waits without end');
			nowMs += ms;
		},
		now: () => (nowMs += TICK_MS),
		timeOfDay: () => timeOfDay(nowMs),
		random: () => random,
		secrets,
		onWait: (wait) => waits.push(wait),
	});
	return { client, sent, waits, tookMs: sinceStart };
}

/** The failure that a request ends in; anything else fails the test. */
export async function failureOf(work: Promise<unknown>): Promise<ServiceFailure> {
	const end = await work.then(
		(value) => new Error(`expected a failure, not ${JSON.stringify(value)}`),
		(error: unknown) => error,
	);
	if (end instanceof ServiceFailure) return end;
	throw end;
}

/** A 429, with seconds to wait where they are given. */
export const refusal = (retryAfter?: number) =>
	answer(429, {}, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });
