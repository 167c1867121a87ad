import { describe, expect, it } from 'vitest';

import { createNodeError } from '../../../nodes/common/errors/node-errors.ts';
import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { redact, shorten } from '../../../nodes/client/secrets.ts';
import { ESCAPES } from '../../secret-forms.mts';
import { FAILURE_KINDS } from './failure-kinds.mts';
import { everythingShown, NODE } from './secret-failures.mts';

const KEY = 'fake-v2-full-access-key-0123456789';

describe('redact', () => {
	it('hides every secret everywhere', () => {
		expect(redact('a KEY b KEY TOKEN', ['KEY', 'TOKEN'])).toBe('a [hidden] b [hidden] [hidden]');
		expect(redact('nothing here', ['KEY'])).toBe('nothing here');
		expect(redact('nothing here', ['', ''])).toBe('nothing here');
		expect(redact('AbcdeFghi', ['%41bcde%46ghi'])).toBe('[hidden]');
		expect(redact('abcdefg', ['a%62%63%64'])).toBe('abcdefg');
		expect(redact('eGExYjJjM2Q=', ['a1b2c3d'])).toBe('eG[hidden]Q=');
		expect(redact('(.*)+$', ['(.*)+$'])).toBe('[hidden]');
		expect(redact(`Bearer ${KEY}.`, [KEY])).toBe('Bearer [hidden].');
		expect(redact('Abc-def', ['abc', 'abc-def'])).toBe('[hidden]');
	});

	it('hides one that was added to the same list later', () => {
		const secrets = ['KEY'];
		redact('KEY', secrets);
		secrets.push('TOKEN');
		expect(redact('KEY TOKEN', secrets)).toBe('[hidden] [hidden]');
	});
});

it.each(Object.entries(ESCAPES))('a key %s is hidden, and nothing around it', (_name, escape) => {
	const text = redact(`é &eacute; ${escape(KEY)} &eacute; %zz`, [KEY]);
	expect(text).toBe('é &eacute; [hidden] &eacute; %zz');
});

it('what is cut short is one line of 400 characters, and ends with a whole one and no space', () => {
	const long = 'a'.repeat(398);
	expect(shorten(`${long}bc`)).toBe(`${long}bc`);
	expect(shorten(`${long}bcd`)).toBe(`${long}b…`);
	expect(shorten(`${long}😀b`)).toBe(`${long}…`);
	expect(shorten(`${long} bcd`)).toBe(`${long}…`);
	expect(shorten(`😀${long} bcd`)).toBe(`😀${long.slice(1)}…`);
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
			for (const statusCode of [undefined, 401, 404, 429, 500]) {
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

it.each(['', 'x', 'xy', 'Bearer ', '??>'])(
	'within base64 no more than its edges are left, after "%s"',
	(before) => {
		for (const encoding of ['base64', 'base64url'] as const) {
			const encoded = Buffer.from(`${before}${KEY}???, more`).toString(encoding);
			const [left, right, ...others] = redact(encoded, [`${KEY}???`]).split('[hidden]');
			expect(others).toEqual([]);
			const beginning = Buffer.from(left, encoding).toString();
			expect(`${before}${KEY}`.startsWith(beginning)).toBe(true);
			expect(beginning.length - before.length).toBeLessThan(1);
			expect(right.length).toBeLessThan(12);
		}
		expect(redact(Buffer.from('a1b2c').toString('base64'), ['a1b2c'])).toBe('YTFiMmM=');
	},
);
