import { describe, expect, it } from 'vitest';

import { LIMITS, LIST, answer, bench, failureOf } from './request-bench.mts';

describe('createClient', () => {
	it('makes no further attempt for an answer that nobody wants any more', async () => {
		const { client, sent, waits } = bench([answer(503)]);
		const failure = await failureOf(client(LIST, LIMITS, () => sent.length === 0));
		expect([failure.kind, sent.length, waits.length]).toEqual(['cancelled', 1, 0]);
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

	it('passes on errors of any other kind as they are, without a retry', async () => {
		const other = new RangeError('other');
		const { client, sent } = bench([other]);
		await expect(client(LIST, LIMITS)).rejects.toBe(other);
		expect(sent).toHaveLength(1);
	});
});
