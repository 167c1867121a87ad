import fc from 'fast-check';
import { expect } from 'vitest';

import type { ApiRequest, RawResponse, RepeatRisk } from '../../../nodes/client/api.ts';
import { readListEnvelope, resultOf } from '../../../nodes/client/envelope.ts';
import { explain } from '../../../nodes/common/explanations.ts';
import { ServiceFailure, type FailureKind } from '../../../nodes/client/failures.ts';
import type { Wait } from '../../../nodes/client/request.ts';
import { clientOf } from './request-bench.mts';

const KEY = 'fake-v2-full-access-key-0123456789';
const CODE = 'fake-workspace-code-9876';
const FIVE_MINUTES = 300_000;
/** Longest that one wait may be: as Retry-After says, and a little spread. */
const LONGEST_WAIT = FIVE_MINUTES + 250;
/** Longest that all waits may be for a service that takes no requests, and a rounding. */
const LONGEST_WAITS = FIVE_MINUTES + 10;

const secretive = fc.constantFrom(
	KEY,
	CODE,
	`Bearer ${KEY} refused`,
	`${KEY}${CODE}`,
	`<b>${KEY}</b>`,
);
const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), secretive);
const value = fc.oneof(
	fc.jsonValue({ maxDepth: 3 }),
	text,
	fc.constantFrom(Number.MAX_VALUE, -0, 2 ** 60),
);
const key = fc.constantFrom(
	...['success', 'data', 'meta', 'items', 'pagination', 'ctx_id', 'next_cursor', 'message'],
	...['error', 'errors', 'details', 'field', '__proto__', 'constructor', 'toString'],
);
const record = fc.dictionary(key, fc.oneof(value, fc.dictionary(key, value), fc.array(value)));
const list = fc.record({
	success: fc.constantFrom<unknown>(true, false, 'true', 1),
	data: fc.record({ items: fc.oneof(fc.array(record, { maxLength: 3 }), value) }),
	meta: fc.record({ pagination: fc.oneof(record, value), ctx_id: value }),
});
const json = fc.oneof(record, list, value).map((body) => JSON.stringify(body) ?? '');
const deep = fc
	.tuple(fc.constantFrom('[', '{"a":', '{"message":', '{"errors":[', '<b>'), fc.nat(20_000))
	.map(([open, times]) => open.repeat(times));
const closedDeep = fc.nat(5_000).map((times) => `${'['.repeat(times)}${']'.repeat(times)}`);
const body = fc.oneof(
	{ weight: 12, arbitrary: json },
	{ weight: 3, arbitrary: fc.tuple(json, fc.nat(200)).map(([whole, end]) => whole.slice(0, end)) },
	{ weight: 3, arbitrary: text },
	{
		weight: 2,
		arbitrary: text.map((words) => `<!doctype html><title>${words}</title><p>${words}`),
	},
	{ weight: 1, arbitrary: fc.oneof(deep, closedDeep) },
	{ weight: 1, arbitrary: fc.constantFrom('', ' ', 'null', 'NaN', '\u0000', '\ufeff{}', '{}{}') },
);
const headers = fc.dictionary(
	fc.constantFrom('retry-after', 'location', 'content-type', '__proto__'),
	fc.oneof(
		fc.constantFrom<unknown>('0', '1', '299', '301', '-1', 'NaN', '9'.repeat(400), undefined, []),
		fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
		fc.webUrl(),
		value,
	),
);
const statusCode = fc.oneof(
	fc.constantFrom(200, 200, 200, 201, 204, 302, 408, 429, 500, 502, 503, 504),
	fc.integer({ min: 100, max: 599 }),
);
const response: fc.Arbitrary<RawResponse> = fc.record({ statusCode, headers, text: body });
const noAnswer = fc
	.constantFrom<FailureKind>('notSent', 'connectionLost', 'timeout', 'insecure', 'blocked')
	.map((kind) => new ServiceFailure(kind, { code: 'ECONNRESET', host: 'api.example.com' }));
const answer = fc.oneof({ weight: 9, arbitrary: response }, { weight: 1, arbitrary: noAnswer });

/** The client looks at its queue ten times a second while it waits. */
const MOST_SLEEPS = 100_000;

interface Run {
	/** What the service answered, attempt by attempt. */
	seen: Array<RawResponse | ServiceFailure>;
	waits: Wait[];
	body?: unknown;
	error?: unknown;
}

/** Sends one request; the answers come around again when they are used up. */
async function run(
	answers: Array<RawResponse | ServiceFailure>,
	risk: RepeatRisk,
	maxRetries: number,
): Promise<Run> {
	let nowMs = Date.UTC(2026, 10, 20);
	let sleeps = 0;
	const result: Run = { seen: [], waits: [] };
	const client = clientOf({
		transport: async () => {
			const faults = result.seen.filter((seen) => !wasNotTaken(seen)).length;
			if (faults > maxRetries) throw new RangeError('sent too often');
			const next = answers[result.seen.length % answers.length];
			result.seen.push(next);
			if (next instanceof ServiceFailure) throw next;
			return next;
		},
		sleep: async (ms) => {
			if (++sleeps > MOST_SLEEPS) throw new RangeError('waits without end');
			nowMs += ms;
		},
		now: () => nowMs,
		timeOfDay: () => nowMs,
		random: () => 0.999,
		secrets: [KEY, CODE],
		onWait: (wait) => result.waits.push(wait),
	});
	const request: ApiRequest = { method: 'POST', path: '/v2/enrich', body: {}, risk };
	try {
		const limits = { maxRetries, maxWaitMs: FIVE_MINUTES, timeoutMs: 1_000 };
		result.body = (await client(request, limits)).body;
	} catch (error) {
		result.error = error;
	}
	return result;
}

/** A failure is of the package's own kind, shows no secret, and can be said in words. */
function expectReadable(error: unknown): void {
	if (!(error instanceof ServiceFailure)) throw error;
	const { message, description } = explain(error, { apiVersion: 'v2', permission: 'a key' });
	expect(message.length).toBeGreaterThan(0);
	expect(description.length).toBeLessThan(2_000);
	const shown = `${message} ${description} ${JSON.stringify(error.facts)}`;
	expect(shown).not.toContain(KEY);
	expect(shown).not.toContain(CODE);
}

/** The answers after which what may be billed can be sent again: the service did not take it. */
function wasNotTaken(seen: RawResponse | ServiceFailure): boolean {
	if (seen instanceof ServiceFailure) return seen.kind === 'notSent';
	return seen.statusCode === 429 || (seen.statusCode === 503 && 'retry-after' in seen.headers);
}

const answers = fc.array(answer, { minLength: 1, maxLength: 4 });
const risk = fc.constantFrom<RepeatRisk>('safe', 'billed');

/**
 * Sends so many requests to a service that answers anything. Throws unless each ends in a body or a ServiceFailure,
 * within its retries and waits.
 */
export async function sendRequests(requests: number): Promise<void> {
	let responses = 0;
	await fc.assert(
		fc.asyncProperty(answers, risk, fc.nat(4), async (given, repeatRisk, maxRetries) => {
			const { seen, waits, error } = await run(given, repeatRisk, maxRetries);
			responses += seen.filter((one) => !(one instanceof ServiceFailure)).length;
			// The last wait may have been too long after all.
			expect(seen.length - waits.length).toBeOneOf([0, 1]);
			for (const { afterMs } of waits) {
				expect(Number.isSafeInteger(afterMs) && afterMs >= 0).toBe(true);
				expect(afterMs).toBeLessThanOrEqual(LONGEST_WAIT);
			}
			const refusals = waits.filter((_wait, index) => wasNotTaken(seen[index]));
			const refusedMs = refusals.reduce((sum, { afterMs }) => sum + afterMs, 0);
			expect(refusedMs).toBeLessThanOrEqual(LONGEST_WAITS);
			if (error !== undefined) expectReadable(error);
			if (repeatRisk === 'billed') expect(seen.slice(0, -1).every(wasNotTaken)).toBe(true);
		}),
		{ numRuns: requests },
	);
	// Most requests are answered, and some of them several times.
	expect(responses).toBeGreaterThan(requests);
}

/** Reads so many successes of any kind. Throws unless each gives a list or a result, or a failure that says why not. */
export async function readSuccesses(successes: number): Promise<void> {
	const success = fc.record({ statusCode: fc.constant(200), headers, text: body });
	await fc.assert(
		fc.asyncProperty(success, async (given) => {
			const { body: read, error } = await run([given], 'billed', 0);
			if (error !== undefined) return expectReadable(error);
			resultOf(read);
			try {
				const { data, meta } = readListEnvelope(read);
				expect(data.items.every((item) => typeof item === 'object')).toBe(true);
				expect(typeof meta.pagination).toBe('object');
			} catch (failure) {
				if (!(failure instanceof ServiceFailure)) throw failure;
				expect(failure.kind).toMatch(/^missing/);
			}
		}),
		{ numRuns: successes },
	);
}
