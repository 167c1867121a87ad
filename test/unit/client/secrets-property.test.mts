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
const anyForm = fc
	.tuple(
		fc.constantFrom(...Object.values(ENCODINGS)),
		fc.constantFrom(...Object.values(ESCAPES)),
		fc.constantFrom(...Object.values(ESCAPES)),
	)
	.map(
		([encode, once, twice]) =>
			(secret: string): string =>
				twice(once(encode(secret))),
	);
const anyCut = fc.tuple(
	fc.constantFrom(0, 0, 1, 5, 11),
	fc.constantFrom(Infinity, 700, 120, 30, 21, 13),
);
const anySurrounding = fc.oneof(
	fc.constantFrom('', ' ', 'Bearer ', '<title>', '</b>', '"', '\\', '%', '&', '<p>Key: ', '…'),
	fc.string({ maxLength: 30 }),
	fc.constantFrom(350, 390, 399, 19_950).map((length) => 'x '.repeat(length / 2)),
);
const drawn = fc.record({
	secret: anySecret,
	write: anyForm,
	cut: anyCut,
	before: anySurrounding,
	after: anySurrounding,
});

/** The text of a service that repeats a secret, whole or in part; undefined where the surroundings alone show it. */
function textOf({
	secret,
	write,
	cut,
	before,
	after,
}: typeof drawn extends fc.Arbitrary<infer Drawn> ? Drawn : never): string | undefined {
	const text = `${before}${write(secret).slice(...cut)}${after}`;
	return leakOf(`${before} ${after}`, secret) === undefined ? text : undefined;
}

it('no nine characters of a secret in a row are left in a text, however it is written and cut', () => {
	fc.assert(
		fc.property(drawn, (given) => {
			const text = textOf(given);
			fc.pre(text !== undefined);
			const failure = new ServiceFailure('status', { words: text, ctxId: text });
			const { words, ctxId } = failure.withoutSecrets([given.secret]).facts;
			for (const clean of [redact(text, [given.secret]), words, ctxId]) {
				expect(leakOf(clean ?? '', given.secret), clean).toBeUndefined();
			}
		}),
		{ numRuns: 300 },
	);
});

it('nor in anything of the error that is made from an answer', async () => {
	await fc.assert(
		fc.asyncProperty(drawn, fc.nat(4), async (given, shape) => {
			const text = textOf(given);
			// A stack names functions, and a drawn secret may hold such a name.
			const harmless = everythingShown(await failureAfter(refusal('no'), []), []);
			fc.pre(text !== undefined && leakOf(harmless, given.secret) === undefined);
			const body = [
				text,
				`<html><title>502</title><p>${text}</p></html>`,
				{ message: text },
				{ errors: [{ field: text, message: text }], error: { detail: text } },
				{ message: 'no', meta: { ctx_id: text } },
			][shape];
			const failure = await failureAfter(refusal(body), [given.secret]);
			const shown = everythingShown(failure, [given.secret]);
			expect(leakOf(shown, given.secret), shown).toBeUndefined();
		}),
		{ numRuns: 300 },
	);
});
