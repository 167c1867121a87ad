import fc from 'fast-check';
import { expect, it } from 'vitest';

import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { redact } from '../../../nodes/client/secrets.ts';
import { failureAfter, everythingShown, refusal } from './secret-failures.mts';
import { ENCODINGS, ESCAPES, leakOf } from '../../secret-forms.mts';

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
	fc.constantFrom(
		'',
		' ',
		'Bearer ',
		'<title>',
		'</b>',
		'"',
		'\\',
		'%',
		'&',
		'&eacute; ',
		'<p>Key: ',
		'…',
	),
	fc.string({ maxLength: 30 }),
	fc.constantFrom(350, 390, 399, 19_950).map((length) => 'x '.repeat(length / 2)),
);
/** A secret, and the text of a service that repeats it, whole or in part. */
const drawn = fc
	.record({
		...{ secret: anySecret, cut: anyCut, before: anySurrounding, after: anySurrounding },
		...{ encode: fc.constantFrom(...Object.values(ENCODINGS)), once: anyEscape, twice: anyEscape },
	})
	// Surroundings that show it by themselves are left.
	.filter(({ secret, before, after }) => leakOf(`${before} ${after}`, secret) === undefined)
	.map(({ secret, cut, before, after, encode, once, twice }) => ({
		secret,
		text: `${before}${twice(once(encode(secret))).slice(...cut)}${after}`,
	}));

it('no nine characters of a secret in a row are left in a text, however it is written and cut', () => {
	fc.assert(
		fc.property(drawn, ({ secret, text }) => {
			const failure = new ServiceFailure('status', { words: text, ctxId: text });
			const { words, ctxId } = failure.withoutSecrets([secret]).facts;
			for (const clean of [redact(text, [secret]), words, ctxId]) {
				expect(leakOf(clean ?? '', secret), clean).toBeUndefined();
			}
		}),
		{ numRuns: 300 },
	);
});

it('nor in anything of the error that is made from an answer', async () => {
	await fc.assert(
		fc.asyncProperty(drawn, fc.nat(4), async ({ secret, text }, shape) => {
			// A stack names functions, and a drawn secret may hold such a name.
			const harmless = everythingShown(await failureAfter(refusal('no'), []), []);
			fc.pre(leakOf(harmless, secret) === undefined);
			const body = [
				text,
				`<html><title>502</title><p>${text}</p></html>`,
				{ message: text },
				{ errors: [{ field: text, message: text }], error: { detail: text } },
				{ message: 'no', meta: { ctx_id: text } },
			][shape];
			const failure = await failureAfter(refusal(body), [secret]);
			const shown = everythingShown(failure, [secret]);
			expect(leakOf(shown, secret), shown).toBeUndefined();
		}),
		{ numRuns: 300 },
	);
});
