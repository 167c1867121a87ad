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

/**
 * Maximum number of sleeps and of requests before the test fails, because the client seems to run forever. A waiting
 * client wakes up several times per second.
 */
const MAX_TIMES = 100_000;

type Answer = RawResponse | Error;
/** Responses in order, or a function that returns the response to a request sent at `atMs` (ms after the start). */
type Service = Answer[] | ((atMs: number, request: ApiRequest) => Answer | Promise<Answer>);

interface Bench {
	client: Client;
	/** Sent attempts: the request, its timeout in ms, and the time of sending in ms after the start. */
	sent: Array<{ request: ApiRequest; timeoutMs: number; atMs: number }>;
	waits: Wait[];
	/** Returns the time since the start, in ms. */
	tookMs: () => number;
}

/** Returns a response with this status. A body that is not a string is written as JSON. */
export const answer = (statusCode: number, body: unknown = {}, headers = {}): RawResponse => ({
	statusCode,
	headers,
	text: typeof body === 'string' ? body : JSON.stringify(body),
});
/** Returns a failure of this kind, such as a lost connection. */
export const lost = (kind: ServiceFailure['kind']): ServiceFailure => new ServiceFailure(kind);

/** Returns a client whose clock hardly moves and whose waits end at once, unless `parts` replaces `now` or `sleep`. */
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

/**
 * Returns a client with a simulated clock, which moves while the client sleeps. The transport throws after too many
 * requests.
 */
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

/** Returns the failure of a request. Throws if the request succeeds or throws another error. */
export async function failureOf(work: Promise<unknown>): Promise<ServiceFailure> {
	const end = await work.then(
		(value) => new Error(`expected a failure, not ${JSON.stringify(value)}`),
		(error: unknown) => error,
	);
	if (end instanceof ServiceFailure) return end;
	throw end;
}

/** Returns a response with HTTP 429, and with a Retry-After header if a number of seconds is given. */
export const throttled = (retryAfter?: number) =>
	answer(429, {}, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });
