import fc from 'fast-check';
import type { INode } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { quoted } from '../../../../nodes/shared/errors/words.ts';
import { shown } from '../../../../nodes/shared/panel/read-parameters.ts';
import { literals } from '../../../checks/literals.mts';
import { createNodeError } from '../../../../nodes/shared/errors/node-errors.ts';
import { ServiceFailure } from '../../../../nodes/shared/client/failures.ts';
import { redact, redactQuoted, shorten } from '../../../../nodes/shared/client/secrets.ts';
import { ENCODINGS, ESCAPES, leakOf } from '../../../secret-forms.mts';
import { answer, bench, failureOf, LIMITS, LIST } from './request-bench.mts';

const KEY = 'fake-v2-full-access-key-0123456789';

const anySecret = fc.oneof(
	fc.stringMatching(/^[A-Za-z0-9]{20,64}$/),
	fc.stringMatching(/^sk_[a-z]{4}_[A-Za-z0-9_.~+/=-]{12,60}$/),
	fc.stringMatching(/^[!-~]{12,60}$/),
);
const anyEscape = fc.constantFrom(...Object.values(ESCAPES));
const anyCut = fc.tuple(
	fc.constantFrom(0, 0, 1, 5, 11),
	fc.constantFrom(Infinity, 700, 120, 30, 21, 13),
);
const anySurrounding = fc.oneof(
	fc.constantFrom('', ' ', 'Bearer ', '<title>', '"', '\\', '%', '&', '&eacute; ', '…'),
	fc.string({ maxLength: 30 }),
	fc.constantFrom(350, 390, 399, 19_950).map((length) => 'x '.repeat(length / 2)),
);
/** Generates a secret, and text from the service that contains all or part of the secret. */
const drawn = fc
	.record({
		...{ secret: anySecret, cut: anyCut, before: anySurrounding, after: anySurrounding },
		...{ encode: fc.constantFrom(...Object.values(ENCODINGS)), escape: anyEscape },
	})
	// Leave out surrounding text that contains a part of the secret by chance.
	.filter(({ secret, before, after }) => leakOf(`${before} ${after}`, secret) === undefined)
	.map(({ secret, cut, before, after, encode, escape }) => ({
		secret,
		text: `${before}${escape(encode(secret)).slice(...cut)}${after}`,
	}));

it('leaves at most eight consecutive characters of a secret in a text, even if the secret is encoded or cut off', () => {
	fc.assert(
		fc.property(drawn, ({ secret, text }) => {
			const failure = new ServiceFailure('status', { words: text, ctxId: text });
			const { words = '', ctxId = '' } = failure.withoutSecrets([secret]).facts;
			for (const clean of [redact(text, [secret]), words, ctxId]) {
				expect(leakOf(clean, secret), clean).toBeUndefined();
			}
			// The node shortens a message to 400 characters, but only after it has hidden the secrets.
			expect(words.length, 'characters of words').toBeLessThanOrEqual(400);
		}),
		{ numRuns: 300 },
	);
});

it('changes no sentence of this package, even if a key contains the same words', () => {
	const ours = literals().filter(
		({ file, isProblem }) => isProblem || /hints|told|sync.run|Trigger.run|Data.run/.test(file),
	);
	expect(ours.length, 'texts').toBeGreaterThan(100);
	for (const { text } of ours) expect(redactQuoted(text, [`key-${text}-key`])).toBe(text);
	expect(redactQuoted('needs a developer API key', ['fake-developer-key'])).toMatch(/developer/);
});

it('hides parts of a key in quoted text, and a whole key anywhere in a text', () => {
	fc.assert(
		fc.property(drawn, anyEscape, ({ secret, text }, escape) => {
			const said = `The filter ${shown(text)} is wrong. It is ${quoted(text)} now.`;
			expect(leakOf(redactQuoted(said, [secret]), secret), said).toBeUndefined();
			const whole = escape(secret);
			expect(redactQuoted(`It is developer ${whole} now`, [secret])).not.toContain(whole);
		}),
		{ numRuns: 300 },
	);
	expect(redactQuoted('It is 12345678901 now', ['123456789012345'])).toBe('It is [hidden] now');
});

it.each<[text: string, secrets: string[], clean: string]>([
	['a KEY b KEY TOKEN', ['KEY', 'TOKEN'], 'a [hidden] b [hidden] [hidden]'],
	['nothing here', ['', 'KEY'], 'nothing here'],
	['eGExYjJjM2Q=', ['a1b2c3d'], 'eG[hidden]Q='],
	['(.*)+$', ['(.*)+$'], '[hidden]'],
	['Abc-def', ['abc', 'abc-def'], '[hidden]'],
])('hides in the text %j the secrets %j, with the result %j', (text, secrets, clean) => {
	expect(redact(text, secrets)).toBe(clean);
});

it('hides a secret that was added to the array of secrets after its first use', () => {
	const secrets = ['KEY'];
	redact('KEY', secrets);
	secrets.push('TOKEN');
	expect(redact('KEY TOKEN', secrets)).toBe('[hidden] [hidden]');
});

it.each(Object.entries(ESCAPES))(
	'hides a key, but not the text around the key (key written %s)',
	(_name, escape) => {
		const text = redact(`é &eacute; ${escape(KEY)} &eacute; %zz`, [KEY]);
		expect(text).toBe('é &eacute; [hidden] &eacute; %zz');
	},
);

it('shortens text to 400 characters, and never cuts inside a character or after a space', () => {
	const long = 'a'.repeat(398);
	expect(shorten(`${long}bc`)).toBe(`${long}bc`);
	expect(shorten(`${long}bcd`)).toBe(`${long}b…`);
	expect(shorten(`${long}😀b`)).toBe(`${long}…`);
	expect(shorten(`${long} bcd`)).toBe(`${long}…`);
	expect(shorten(`😀${long} bcd`)).toBe(`😀${long.slice(1)}…`);
});

it('hides secrets in the failure of a request', async () => {
	const { client } = bench([answer(400, { message: `Unknown: ${KEY}` })], { secrets: [KEY] });
	expect((await failureOf(client(LIST, LIMITS))).facts.words).toBe('Unknown: [hidden]');
});

it.each([new Error(KEY), KEY, { message: KEY, description: `It is "${KEY}".` }])(
	'hides secrets in the n8n error for any thrown value (case %#)',
	(thrown) => {
		const error = createNodeError(thrown, { node: {} as INode, secrets: [KEY] });
		expect(`${error.message} ${error.description} ${error.stack}`).not.toContain(KEY);
	},
);

it.each(['', 'x', 'xy', 'Bearer ', '??>'])(
	'hides a secret inside base64 text that begins with "%s"',
	(before) => {
		for (const encoding of ['base64', 'base64url'] as const) {
			const encoded = Buffer.from(`${before}${KEY}???, more`).toString(encoding);
			const [left, right, ...others] = redact(encoded, [`${KEY}???`]).split('[hidden]');
			expect(others).toEqual([]);
			const beginning = Buffer.from(left, encoding).toString();
			expect(`${before}${KEY}`.startsWith(beginning)).toBe(true);
			expect(beginning.length - before.length, 'beginnings').toBeLessThan(1);
			expect(right.length, 'characters').toBeLessThan(12);
		}
		expect(redact(Buffer.from('a1b2c').toString('base64'), ['a1b2c'])).toBe('YTFiMmM=');
	},
);
