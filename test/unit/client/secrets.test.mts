import { describe, expect, it } from 'vitest';

import { createNodeError } from '../../../nodes/common/errors.ts';
import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { redact } from '../../../nodes/client/secrets.ts';
import { FAILURE_KINDS } from './failure-kinds.mts';
import { everythingShown, NODE } from './secret-failures.mts';

const KEY = 'fake-v2-full-access-key-0123456789';

describe('redact', () => {
	it('hides every secret everywhere', () => {
		expect(redact('a KEY b KEY TOKEN', ['KEY', 'TOKEN'])).toBe('a [hidden] b [hidden] [hidden]');
		expect(redact('nothing here', ['KEY'])).toBe('nothing here');
		expect(redact('nothing here', ['', ''])).toBe('nothing here');
		expect(redact('(.*)+$', ['(.*)+$'])).toBe('[hidden]');
		expect(redact(`Bearer ${KEY}.`, [KEY])).toBe('Bearer [hidden].');
	});

	it('leaves no rest of a secret that begins with another one', () => {
		const secrets = ['fake-workspace', 'fake-workspace-code'];
		expect(redact('refused: fake-workspace-code', secrets)).not.toContain('-code');
	});

	it('is quick on long texts, with secrets of any signs', () => {
		const started = process.threadCpuUsage();
		for (const key of [KEY, 'fake-\\\\\\\\-%25%25', 'fake-++//++//++//++']) {
			const repeated = key.slice(0, -1).repeat(20_000);
			for (const text of ['\\'.repeat(200_000), '%25'.repeat(100_000), repeated]) {
				redact(text, [key]);
			}
		}
		// The time of this thread alone, in µs: other work on the machine is not counted.
		expect(process.threadCpuUsage(started).user).toBeLessThan(5_000_000);
	});
});

describe('whatever is known of a failure', () => {
	it.each(FAILURE_KINDS)('shows no secret: %s', (kind) => {
		const facts = {
			words: `no ${KEY}`,
			ctxId: `Bearer ${KEY}`,
			code: KEY,
			host: `${KEY}.example.com`,
			redirectedTo: `https://${KEY}.example.com`,
			nextCursor: Buffer.from(`after:${KEY}`).toString('base64'),
			recordsRead: 5,
		};
		const reasons = ['retriesUsed', 'waitTooLong', 'waitUsed', 'mayBeBilled'] as const;
		for (const gaveUp of [undefined, ...reasons]) {
			for (const statusCode of [undefined, 401, 429, 500]) {
				const failure = new ServiceFailure(kind, { ...facts, gaveUp, statusCode });
				const shown = everythingShown(failure, [KEY]);
				expect(shown).not.toContain(KEY);
				expect(shown).not.toContain(facts.nextCursor);
			}
		}
	});

	it('is not longer than 400 characters of words where secrets are replaced', () => {
		const failure = new ServiceFailure('status', { words: 'k3y '.repeat(90) });
		const { words = '' } = failure.withoutSecrets(['k3y']).facts;
		expect(words.length).toBeLessThanOrEqual(400);
	});

	it('neither does anything else that is thrown', () => {
		for (const thrown of [new Error(KEY), KEY, { message: KEY, description: `It is "${KEY}".` }]) {
			const error = createNodeError(thrown, { node: NODE, secrets: [KEY] });
			expect(`${error.message} ${error.description} ${error.stack}`).not.toContain(KEY);
		}
	});
});
