import { describe, expect, it } from 'vitest';

import { START, LIMITS, LIST, ENRICH, answer, lost, bench, failureOf } from './request-bench.mts';

describe('createClient', () => {
	it('gives body and text of a success and passes request and timeout on as they are', async () => {
		// Numbers that JSON.parse rounds have all their digits in the text.
		const text = '{"id":12345678901234567890}';
		const { client, sent, waits } = bench([answer(200, text)]);
		const body: unknown = JSON.parse(text);
		expect(await client(LIST, LIMITS)).toEqual({ statusCode: 200, body, text });
		expect(sent).toEqual([{ request: LIST, timeoutMs: 1_000, atMs: 0 }]);
		expect(sent[0].request).toBe(LIST);
		expect(waits).toEqual([]);
	});

	it('makes no further attempt for an answer that nobody wants any more', async () => {
		const { client, sent, waits } = bench([answer(503)]);
		const failure = await failureOf(client(LIST, LIMITS, () => sent.length === 0));
		expect([failure.kind, sent.length, waits.length]).toEqual(['cancelled', 1, 0]);
	});

	it('retries with backoff until it succeeds, and tells of every wait', async () => {
		const { client, sent, waits } = bench([
			answer(500, { message: 'oops' }),
			lost('connectionLost'),
			answer(200, 'true'),
		]);
		expect((await client(LIST, LIMITS)).body).toBe(true);
		expect(sent.map(({ atMs }) => atMs)).toEqual([0, 500, 1_500]);
		expect(waits.map(({ afterMs, retry, failure }) => [afterMs, retry, failure.kind])).toEqual([
			[500, 1, 'status'],
			[1_000, 2, 'connectionLost'],
		]);
	});

	it('waits as long as Retry-After says', async () => {
		const { client, sent } = bench(
			[
				answer(503, {}, { 'retry-after': '20' }),
				answer(429, {}, { 'retry-after': new Date(START + 60_000).toUTCString() }),
				answer(200),
			],
			{ random: 0 },
		);
		await client(ENRICH, LIMITS);
		const [first, second, third] = sent.map(({ atMs }) => atMs);
		expect([first, second]).toEqual([0, 20_000]);
		expect(third).toBeGreaterThanOrEqual(60_000);
		// After a second refusal in a row, one request a second asks again.
		expect(third).toBeLessThanOrEqual(61_000);
	});

	it('starts no more requests in a minute than the user allows, retries included, however long that takes', async () => {
		const answers = [answer(500), ...Array.from({ length: 7 }, () => answer(200))];
		const { client, sent, turns } = bench(answers);
		const limits = { ...LIMITS, maxWaitMs: 1_000, maxPerMinute: 2 };
		for (let page = 0; page < 7; page++) await client(LIST, limits);
		for (const [place, { atMs }] of sent.slice(2).entries()) {
			expect(atMs - sent[place].atMs).toBeGreaterThanOrEqual(60_000);
			expect(atMs - sent[place].atMs).toBeLessThan(61_000);
		}
		// The log is told, and not at every step.
		expect(turns.length).toBeGreaterThanOrEqual(3);
		expect(turns.length).toBeLessThanOrEqual(6);
	});

	it.each([
		['{"data":{"items":null},"meta":{"pagination":{}}}', 'missingItems'],
		['{"data":{"items":[]},"meta":{}}', 'missingPagination'],
	])('asks again for a list that is none once: %s', async (text, kind) => {
		const list = '{"data":{"items":[]},"meta":{"pagination":{}}}';
		const once = bench([answer(200, text), answer(200, list)]);
		await once.client({ ...LIST, reads: 'list' }, LIMITS);
		const always = bench(() => answer(200, text));
		const { kind: found, facts } = await failureOf(
			always.client({ ...LIST, reads: 'list' }, LIMITS),
		);
		expect([found, facts.attempts]).toEqual([kind, 3]);
		// Who reads no list takes what comes.
		await bench([answer(200, text)]).client(LIST, LIMITS);
	});

	it('holds back every request of the run after a 429', async () => {
		const refused = answer(429, {}, { 'retry-after': '10' });
		const { client, sent, waits } = bench([refused, answer(200), answer(200)], { random: 0 });
		const first = client(LIST, LIMITS);
		for (let turn = 0; waits.length === 0 && turn < 1_000; turn++) await Promise.resolve();
		await Promise.all([first, client(ENRICH, LIMITS)]);
		expect(sent[0].atMs).toBe(0);
		expect(sent.slice(1).every(({ atMs }) => atMs >= 10_000)).toBe(true);
	});

	it('passes on errors of any other kind as they are, without a retry', async () => {
		const other = new RangeError('other');
		const { client, sent } = bench([other]);
		await expect(client(LIST, LIMITS)).rejects.toBe(other);
		expect(sent).toHaveLength(1);
	});
});
