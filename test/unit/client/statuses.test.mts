import type { IExecuteFunctions } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { WorkspaceDataApi } from '../../../credentials/WorkspaceDataApi.credentials.ts';
import { RATE_LIMIT_STATUSES } from '../../../nodes/client/api.ts';
import { isRejection, ServiceFailure } from '../../../nodes/client/failures.ts';
import { Pace } from '../../../nodes/client/pace.ts';
import { decideRetry } from '../../../nodes/client/retry.ts';
import { explain } from '../../../nodes/common/explanations.ts';
import { isSurelyUnprocessed } from '../../../nodes/WorkspaceData/call/outcomes.ts';
import { sessionsFor } from '../../../nodes/WorkspaceData/sessions.ts';
import { findOperation } from '../../../nodes/WorkspaceData/operations.ts';
import { answer, bench, clientOf, failureOf, LIMITS, LIST } from './request-bench.mts';
import { RULES } from './retry-rules.mts';

/** A status that an operator may come to use in place of 429: whatever does not go by the one list is found by it. */
const TAUGHT = 420;

/** Everything that depends on what a status means. */
interface Meaning {
	/** What becomes of a request that is harmless, and of one that may be billed. */
	retry: [safe: boolean, billed: boolean];
	/** How often a harmless request is sent where every answer is this one: as fits into a minute, or thrice. */
	attempts: number;
	/** What the pace of the run hears of it. */
	pace: 'refused' | 'paused' | 'accepted';
	/** Whether what its headers announce counts as said of an accepted request. */
	isProcessed: boolean;
	/** Whether nothing was done with it, so that a billed call counts as not sent. */
	isUnprocessed: boolean;
	/** Whether it says no to this very request. */
	isRejection: boolean;
	/** What n8n is told. */
	cause: string | undefined;
	/** What a hint says after a long wait; empty where nothing is waited for. */
	hint: 'limits' | 'faults' | '';
}

const RATE_LIMIT: Meaning = {
	retry: [true, true],
	attempts: 4,
	pace: 'refused',
	isProcessed: false,
	isUnprocessed: true,
	isRejection: false,
	cause: 'rate-limited',
	hint: 'limits',
};
const NOT_PROCESSED: Meaning = {
	retry: [true, true],
	attempts: 6,
	pace: 'paused',
	isProcessed: false,
	isUnprocessed: true,
	isRejection: false,
	cause: 'temporarily-unavailable',
	hint: 'faults',
};
const TEMPORARY: Meaning = {
	...NOT_PROCESSED,
	retry: [true, false],
	attempts: 3,
	pace: 'accepted',
	isProcessed: true,
	isUnprocessed: false,
};
const REFUSED: Meaning = {
	retry: [false, false],
	attempts: 1,
	pace: 'accepted',
	isProcessed: true,
	isUnprocessed: false,
	isRejection: true,
	cause: 'configuration-invalid',
	hint: '',
};
const OF_THE_KEY: Meaning = { ...REFUSED, isRejection: false };

const TABLE: Array<[status: number, retryAfter: number | undefined, Meaning]> = [
	...[429, TAUGHT].flatMap((status): typeof TABLE => [
		[status, undefined, { ...RATE_LIMIT, attempts: 6, hint: '' }],
		[status, 11, RATE_LIMIT],
	]),
	[503, 11, NOT_PROCESSED],
	[503, 0, { ...NOT_PROCESSED, attempts: 67, hint: '' }],
	[503, undefined, { ...TEMPORARY, hint: '' }],
	...[408, 500, 502, 504].map((status): (typeof TABLE)[0] => [status, 11, TEMPORARY]),
	[501, 11, { ...TEMPORARY, retry: [false, false], attempts: 1, hint: '' }],
	...[400, 404, 409, 413, 418, 422].map((status): (typeof TABLE)[0] => [status, 11, REFUSED]),
	[401, 11, { ...OF_THE_KEY, cause: 'credential-invalid' }],
	[402, 11, { ...OF_THE_KEY, cause: 'quota-exhausted' }],
	[403, 11, OF_THE_KEY],
];

/** What the pace of a run hears of an answer. */
async function paceAfter(
	status: number,
	headers: object,
): Promise<{ pace: string; isProcessed: boolean }> {
	const pace = new Pace();
	const heard: string[] = [];
	const announced = vi.spyOn(pace, 'hear').mockImplementation(() => undefined);
	vi.spyOn(pace, 'refused').mockImplementation(() => void heard.push('refused'));
	vi.spyOn(pace, 'accepted').mockImplementation(() => void heard.push('accepted'));
	vi.spyOn(pace, 'pauseUntil').mockImplementation(() => void heard.push('paused'));
	const client = clientOf({
		transport: async () => answer(status, {}, { ...headers, ratelimit: '"default";r=9;t=9' }),
		pace,
	});
	await client(LIST, { ...LIMITS, maxRetries: 0, maxWaitMs: 0 }).catch(() => undefined);
	return { pace: heard.join(), isProcessed: announced.mock.calls[0]?.[2] === true };
}

/** How often a request is sent to a service that always answers so. */
async function attemptsAt(status: number, headers: object): Promise<number> {
	const { client, sent } = bench(() => answer(status, {}, headers), { random: 0.9999 });
	await failureOf(client(LIST, { ...LIMITS, maxWaitMs: 60_000 }));
	return sent.length;
}

/** The first hint of a run whose requests are answered so; it is cancelled as soon as it waits. */
async function hintAfter(status: number, headers: object): Promise<string> {
	const cancel = new AbortController();
	const hints: string[] = [];
	const context = {
		getCredentials: async () => ({ baseUrl: 'https://api.example.com', apiKey: 'fake-key' }),
		getNodeParameter: (_name: string, _index: number, fallback: unknown) => fallback,
		getExecutionCancelSignal: () => cancel.signal,
		addExecutionHints: ({ message }: { message: string }) => hints.push(message),
		logger: { info: () => cancel.abort() },
		helpers: {
			httpRequestWithAuthentication: async () => ({ statusCode: status, headers, body: '' }),
		},
	} as unknown as IExecuteFunctions;
	const operation = findOperation('company', 'getAll');
	if (operation === undefined) throw new Error('no such operation');
	const { client } = await sessionsFor(context, operation).of(0);
	await client(LIST, LIMITS).catch(() => undefined);
	const [hint = ''] = hints;
	if (/limits how many requests/.test(hint)) return 'limits';
	return hint === '' ? '' : 'faults';
}

describe('every status means the same in each place', () => {
	beforeEach(() => {
		(RATE_LIMIT_STATUSES as number[]).push(TAUGHT);
		vi.spyOn(Math, 'random').mockReturnValue(0.9999);
	});
	afterEach(() => {
		(RATE_LIMIT_STATUSES as number[]).pop();
		vi.restoreAllMocks();
	});

	it.each(TABLE)('HTTP %i, Retry-After %s', async (statusCode, seconds, meaning) => {
		const retryAfterMs = seconds === undefined ? undefined : seconds * 1_000;
		const headers = seconds === undefined ? {} : { 'retry-after': String(seconds) };
		const failure = new ServiceFailure('status', { statusCode, retryAfterMs });
		const found: Meaning = {
			retry: [
				typeof decideRetry(failure, { ...RULES, risk: 'safe' }) === 'number',
				typeof decideRetry(failure, { ...RULES, risk: 'billed' }) === 'number',
			],
			attempts: await attemptsAt(statusCode, headers),
			...((await paceAfter(statusCode, headers)) as Pick<Meaning, 'pace' | 'isProcessed'>),
			isUnprocessed: isSurelyUnprocessed(failure),
			isRejection: isRejection(failure),
			cause: explain(failure, {}).cause?.cause,
			hint: (await hintAfter(statusCode, headers)) as Meaning['hint'],
		};
		expect(found).toEqual(meaning);
	});

	it('is said in the same words as HTTP 429, also when a credential is tested', () => {
		const wordsOf = (statusCode: number): string =>
			explain(new ServiceFailure('status', { statusCode }), {}).message;
		expect(wordsOf(TAUGHT)).toBe(wordsOf(429));
		const rules = new WorkspaceDataApi().test.rules ?? [];
		const rulesOf = (status: number): unknown[] =>
			rules.flatMap(({ properties }) =>
				properties.value === status ? [(properties as { message: string }).message] : [],
			);
		expect(rulesOf(429)).toHaveLength(1);
		expect(rulesOf(TAUGHT)).toEqual(rulesOf(429));
	});
});
