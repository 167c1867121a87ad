import fc from 'fast-check';
import { expect, it } from 'vitest';

import type { ApiRequest, RawResponse, RepeatRisk } from '../../../nodes/client/api.ts';
import { resultOf } from '../../../nodes/client/envelope.ts';
import { ServiceFailure, type FailureKind } from '../../../nodes/client/failures.ts';
import { explain } from '../../../nodes/common/errors/explain.ts';
import { bench } from './request-bench.mts';

const KEY = 'fake-v2-full-access-key-0123456789';
const CODE = 'fake-workspace-code-9876';
const FIVE_MINUTES = 300_000;

const text = fc.oneof(
	fc.string({ unit: 'binary', maxLength: 300 }),
	fc.constantFrom(KEY, CODE, `Bearer ${KEY} refused`, `${KEY}${CODE}`, `<b>${KEY}</b>`),
);
const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), text, fc.constantFrom(1e308, -0, 2 ** 60));
const key = fc.constantFrom(
	...['success', 'data', 'meta', 'items', 'pagination', 'ctx_id', 'message', 'toString'],
	...['error', 'errors', 'details', 'field', '__proto__', 'constructor'],
);
const record = fc.dictionary(key, fc.oneof(value, fc.dictionary(key, value), fc.array(value)));
const json = fc.oneof(record, value).map((body) => JSON.stringify(body) ?? '');
const deep = fc
	.tuple(fc.constantFrom('[', '{"a":', '{"message":', '{"errors":[', '<b>'), fc.nat(20_000))
	.map(([open, times]) => open.repeat(times));
const closedDeep = fc.nat(5_000).map((times) => `${'['.repeat(times)}${']'.repeat(times)}`);
const body = fc.oneof(
	{ weight: 12, arbitrary: json },
	{ weight: 3, arbitrary: fc.tuple(json, fc.nat(200)).map(([whole, end]) => whole.slice(0, end)) },
	{ weight: 3, arbitrary: text },
	{ weight: 2, arbitrary: text.map((words) => `<!doctype html><title>${words}</title>`) },
	{ weight: 1, arbitrary: fc.oneof(deep, closedDeep) },
	{ weight: 1, arbitrary: fc.constantFrom('', ' ', 'null', 'NaN', '\u0000', '\ufeff{}', '{}{}') },
);
const headers = fc.dictionary(
	fc.constantFrom(
		...['retry-after', 'location', '__proto__', 'date', 'ratelimit', 'ratelimit-policy'],
		...['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'],
	),
	fc.oneof(
		fc.constantFrom<unknown>('0', '1', '299', '301', '-1', 'NaN', '9'.repeat(400), undefined, []),
		fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
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

/** The answers after which what may be billed can be sent again: the service did not process it. */
function isUnprocessed(seen: RawResponse | ServiceFailure): boolean {
	if (seen instanceof ServiceFailure) return seen.kind === 'notSent';
	return seen.statusCode === 429 || (seen.statusCode === 503 && 'retry-after' in seen.headers);
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

it('whatever a service answers, a request ends in a body or a ServiceFailure, within its retries and waits', async () => {
	const answers = fc.array(answer, { minLength: 1, maxLength: 4 });
	const risks = fc.constantFrom<RepeatRisk>('safe', 'billed');
	await fc.assert(
		fc.asyncProperty(answers, risks, fc.nat(4), async (given, risk, maxRetries) => {
			const seen: typeof given = [];
			const { client, waits } = bench(
				() => {
					// The answers come around again when they are used up.
					seen.push(given[seen.length % given.length]);
					return seen[seen.length - 1];
				},
				{ random: 0.999, secrets: [KEY, CODE] },
			);
			const request: ApiRequest = { method: 'POST', path: '/v2/enrich', body: {}, risk };
			const limits = { maxRetries, maxWaitMs: FIVE_MINUTES, timeoutMs: 1_000 };
			await client(request, limits).then(({ body: read }) => resultOf(read), expectReadable);
			const temporary = seen.filter((one) => !isUnprocessed(one)).length;
			expect(temporary).toBeLessThanOrEqual(maxRetries + 1);
			// The last wait may have been too long after all.
			expect(seen.length - waits.length).toBeOneOf([0, 1]);
			for (const { afterMs } of waits) {
				expect(Number.isSafeInteger(afterMs) && afterMs >= 0).toBe(true);
				expect(afterMs).toBeLessThanOrEqual(FIVE_MINUTES + 250);
			}
			const refusals = waits.filter((_wait, index) => isUnprocessed(seen[index]));
			const refusedMs = refusals.reduce((sum, { afterMs }) => sum + afterMs, 0);
			expect(refusedMs).toBeLessThanOrEqual(FIVE_MINUTES + 10);
			if (risk === 'billed') expect(seen.slice(0, -1).every(isUnprocessed)).toBe(true);
		}),
		{ numRuns: 300 },
	);
});
