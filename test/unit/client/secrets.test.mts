import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createNodeError } from '../../../nodes/common/errors.ts';
import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { redact } from '../../../nodes/client/secrets.ts';
import { FAILURE_KINDS } from './failure-kinds.mts';
import { everythingShown, failureAfter, NODE, refusal } from './secret-failures.mts';

const KEY = 'fake-v2-full-access-key-0123456789';
const LONGEST_WORDS = 400;

describe('secrets', () => {
	it.each([
		['a message', refusal({ message: `Key ${KEY} is unknown` }, 401)],
		['an error list', refusal({ errors: [{ field: KEY, message: KEY }] })],
		['plain text', refusal(`no: ${KEY}`)],
		['a page', refusal(`<html><title>${KEY}</title>`, 502)],
		['a success that failed', refusal({ success: false, error: KEY }, 200)],
		['something that is not JSON', refusal(`{"a": ${KEY}`, 200)],
		['the request id', refusal({ meta: { ctx_id: `ctx-${KEY}` } }, 403)],
		['the request id of a list without records', refusal({ meta: { ctx_id: KEY } }, 200)],
	])('are hidden when the service echoes one in %s', async (_place, response) => {
		const failure = await failureAfter(response, [KEY]);
		expect(everythingShown(failure, [KEY])).not.toContain(KEY);
	});

	it.each([LONGEST_WORDS - 20, LONGEST_WORDS - 30])(
		'are hidden when the words are cut inside one, at %i',
		async (before) => {
			const message = `${'x'.repeat(before)}${KEY}`;
			const { facts } = await failureAfter(refusal({ message }), [KEY]);
			expect(facts.words).not.toContain(KEY.slice(0, 12));
		},
	);

	it('are hidden when the request id is cut inside one', async () => {
		const body = { meta: { ctx_id: `${'x'.repeat(80)}${KEY}` } };
		const { facts } = await failureAfter(refusal(body), [KEY]);
		expect(facts.ctxId).not.toContain(KEY.slice(0, 12));
	});

	it('do not make the words longer than 400 characters when they are replaced', async () => {
		const { facts } = await failureAfter(refusal({ message: 'k3y '.repeat(90) }), ['k3y']);
		expect(facts.words?.length).toBeLessThanOrEqual(LONGEST_WORDS);
	});
});

/** Keys as services hand them out: long enough not to stand in ordinary words. */
const anyKey = fc.stringMatching(/^fake-[!-~]{16,60}$/);

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

	it('leaves no secret in any text, however often the same secrets are hidden', () => {
		const keys = fc.array(anyKey, { minLength: 1, maxLength: 3 });
		fc.assert(
			fc.property(keys, fc.array(fc.string(), { minLength: 1 }), (secrets, parts) => {
				const text = parts
					.flatMap((part, index) => [part, secrets[index % secrets.length]])
					.join('');
				for (const clean of [redact(text, secrets), redact(text, secrets)]) {
					for (const secret of secrets) expect(clean).not.toContain(secret);
				}
			}),
		);
	});

	it('is quick on long texts, with secrets of any signs', () => {
		const started = process.threadCpuUsage();
		for (const key of [KEY, 'fake-\\\\\\\\-%25%25', 'fake-++//++//++//++']) {
			for (const text of [
				'\\'.repeat(200_000),
				'%25'.repeat(100_000),
				key.slice(0, -1).repeat(20_000),
			]) {
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
		for (const gaveUp of [
			undefined,
			'retriesUsed',
			'waitTooLong',
			'waitUsed',
			'mayBeBilled',
		] as const) {
			for (const statusCode of [undefined, 401, 429, 500]) {
				const shown = everythingShown(new ServiceFailure(kind, { ...facts, gaveUp, statusCode }), [
					KEY,
				]);
				expect(shown).not.toContain(KEY);
				expect(shown).not.toContain(facts.nextCursor);
			}
		}
	});

	it('neither does anything else that is thrown', () => {
		for (const thrown of [new Error(KEY), KEY, { message: KEY, description: `It is "${KEY}".` }]) {
			const error = createNodeError(thrown, { node: NODE, secrets: [KEY] });
			expect(`${error.message} ${error.description} ${error.stack}`).not.toContain(KEY);
		}
	});
});
