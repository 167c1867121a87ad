import type { IExecuteFunctions } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { isRejection } from '../../../nodes/client/meaning.ts';
import { RateLimiter } from '../../../nodes/client/rate-limiter.ts';
import { explain } from '../../../nodes/common/errors/explain.ts';
import { isSurelyUnprocessed } from '../../../nodes/WorkspaceData/call-outcomes.ts';
import { ItemSessions } from '../../../nodes/WorkspaceData/item-sessions.ts';
import { answer, bench, clientOf, failureOf, LIMITS, LIST } from './request-bench.mts';

/** Everything that depends on what a status means; what a request becomes after it is in retry.test.mts. */
interface Meaning {
	/** How often a harmless request is sent where every answer is this one: as fits into a minute, or thrice. */
	attempts: number;
	/** What the rate limiter of the run hears of it. */
	rateLimiter: 'refused' | 'accepted' | '';
	/** Whether a billed call that is answered so may have been processed. */
	isProcessed: boolean;
	/** Whether it says no to this very request. */
	isRejection: boolean;
	/** What n8n is told. */
	cause: string | undefined;
	/** What a hint says after a long wait; empty where nothing is waited for. */
	hint: 'limits' | 'faults' | '';
}

const RATE_LIMIT: Meaning = {
	attempts: 4,
	rateLimiter: 'refused',
	isProcessed: false,
	isRejection: false,
	cause: 'rate-limited',
	hint: 'limits',
};
const TEMPORARY: Meaning = {
	attempts: 3,
	rateLimiter: 'accepted',
	isProcessed: true,
	isRejection: false,
	cause: 'temporarily-unavailable',
	hint: 'faults',
};
const FINAL: Meaning = { ...TEMPORARY, attempts: 1, hint: '' };
const OF_THE_KEY: Meaning = { ...FINAL, cause: 'configuration-invalid' };
const REFUSED: Meaning = { ...OF_THE_KEY, isRejection: true };

const TABLE: Array<[status: number, retryAfter: number | undefined, Meaning]> = [
	[429, undefined, { ...RATE_LIMIT, attempts: 7, hint: '' }],
	...[429, 403].map((status): (typeof TABLE)[0] => [status, 11, { ...RATE_LIMIT, attempts: 6 }]),
	[503, 11, { ...RATE_LIMIT, attempts: 6, rateLimiter: '' }],
	[503, 0, { ...RATE_LIMIT, attempts: 67, rateLimiter: '', hint: '' }],
	[503, undefined, { ...TEMPORARY, hint: '' }],
	...[408, 425, 499, 500, 501, 502, 504, 511, 521, 524, 529, 599].map(
		(status): (typeof TABLE)[0] => [status, 11, TEMPORARY],
	),
	...[400, 404, 409, 413, 418, 422].map((status): (typeof TABLE)[0] => [status, 11, REFUSED]),
	[401, 11, { ...OF_THE_KEY, cause: 'credential-invalid' }],
	[402, 11, { ...OF_THE_KEY, cause: 'quota-exhausted' }],
	[403, undefined, OF_THE_KEY],
	[407, 11, { ...OF_THE_KEY, isProcessed: false }],
];

/** What the rate limiter of a run hears of an answer. */
async function limiterAfter(status: number, headers: object) {
	const rateLimiter = new RateLimiter();
	const heard: string[] = [];
	vi.spyOn(rateLimiter, 'refused').mockImplementation(() => void heard.push('refused'));
	vi.spyOn(rateLimiter, 'accepted').mockImplementation(() => void heard.push('accepted'));
	const client = clientOf({ transport: async () => answer(status, {}, headers), rateLimiter });
	await client(LIST, { ...LIMITS, maxRetries: 0, maxWaitMs: 0 }).catch(() => undefined);
	return heard.join();
}

/** How often a request is sent to a service that always answers so. */
async function attemptsAt(status: number, headers: object): Promise<number> {
	const { client, sent } = bench(() => answer(status, {}, headers), { random: 0.9999 });
	await failureOf(client(LIST, { ...LIMITS, maxWaitMs: 60_000 }));
	return sent.length;
}

/** What the first hint of a run is about whose requests are answered so; it is cancelled as soon as it waits. */
async function hintAfter(status: number, headers: object): Promise<string> {
	const cancel = new AbortController();
	const hints: string[] = [];
	const context = {
		getInputData: () => [{}],
		getCredentials: async () => ({ baseUrl: 'https://api.example.com', apiKey: 'fake-key' }),
		getExecutionCancelSignal: () => cancel.signal,
		addExecutionHints: ({ message }: { message: string }) => hints.push(message),
		logger: { info: () => cancel.abort() },
		helpers: {
			httpRequestWithAuthentication: async () => ({ statusCode: status, headers, body: '' }),
		},
	} as unknown as IExecuteFunctions;
	const { client } = await new ItemSessions(context, 1).of(0);
	await client(LIST, LIMITS).catch(() => undefined);
	const [hint = ''] = hints;
	if (/limits how many requests/.test(hint)) return 'limits';
	return hint === '' ? '' : 'faults';
}

describe('every status means the same in each place', () => {
	beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0.9999));
	afterEach(() => void vi.restoreAllMocks());

	it.each(TABLE)('HTTP %i, Retry-After %s', async (statusCode, seconds, meaning) => {
		const retryAfterMs = seconds === undefined ? undefined : seconds * 1_000;
		const headers = seconds === undefined ? {} : { 'retry-after': String(seconds) };
		const failure = new ServiceFailure('status', { statusCode, retryAfterMs });
		const found = {
			attempts: await attemptsAt(statusCode, headers),
			rateLimiter: await limiterAfter(statusCode, headers),
			// A billed call counts as not sent where nothing was done with it.
			isProcessed: !isSurelyUnprocessed(failure),
			isRejection: isRejection(failure),
			cause: explain(failure, {}).cause?.cause,
			hint: await hintAfter(statusCode, headers),
		};
		expect(found).toEqual(meaning);
	});
});

it('a failure names itself in logs, and only a status or an answer can say no to a request', () => {
	const failures = [
		new ServiceFailure('status', { statusCode: 304 }),
		new ServiceFailure('unsuccessful'),
		new ServiceFailure('timeout', { statusCode: 404 }),
	];
	const names = ['status 304', 'unsuccessful', 'timeout 404'];
	expect(failures.map(String)).toEqual(names.map((name) => `ServiceFailure: ${name}`));
	expect(failures.map(isRejection)).toEqual([false, true, false]);
});
