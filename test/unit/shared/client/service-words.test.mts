import { describe, expect, it } from 'vitest';

import { findServiceWords } from '../../../../nodes/shared/client/envelope.ts';
import { ServiceFailure } from '../../../../nodes/shared/client/failures.ts';

/** Returns a message inside this number of nested objects. */
function nested(levels: number): unknown {
	return levels === 0 ? 'No credit' : { error: nested(levels - 1) };
}

/** Returns the message in a response as users see it. */
function shownWords(text: string, parsed: unknown): string {
	const words = findServiceWords(parsed === undefined ? text : parsed);
	const failure = new ServiceFailure('status', { words });
	return failure.withoutSecrets([]).facts.words ?? '';
}

describe('findServiceWords', () => {
	it.each([
		...[
			...['message', 'error_description', 'error_message', 'detail', 'description', 'reason'],
			...['title', 'error', 'errors', 'details', 'msg'],
		].map((key): [unknown, string] => [{ [key]: 'No credit' }, 'No credit']),
		[{ error: 402 }, '402'],
		[{ error: { message: 'No credit', code: 12 } }, 'No credit'],
		[{ error: { reason: 'a', description: 'b' } }, 'b – a'],
		[{ errors: ['first', 'second'] }, 'first – second'],
		[{ errors: ['1', '2', '3', '4', '5', '6'] }, '1 – 2 – 3 – 4 – 5'],
		[{ errors: [{ field: 'domain', message: 'is empty' }] }, 'domain: is empty'],
		[
			{ errors: { stage: ['is unknown'], owner: 'is empty' } },
			'stage: is unknown – owner: is empty',
		],
		[{ error: { code: 'no_credit' } }, 'code: no_credit'],
		[{ field: 5, message: 'is empty' }, 'is empty'],
		[{ field: 'domain' }, ''],
		[nested(7), 'No credit'],
		[nested(8), ''],
		[{ message: 'No credit', error: 'No credit' }, 'No credit'],
		[{ message: 'No credit left', error: 'No credit' }, 'No credit left'],
		[{ message: '  two\n  lines ' }, 'two lines'],
		[{ success: false }, ''],
		[{}, ''],
		[null, ''],
		[[], ''],
		[12, ''],
		['plain', 'plain'],
	])('finds in the response body %j the message %j', (body, expected) => {
		expect(shownWords(JSON.stringify(body), body)).toBe(expected);
	});

	it('finds the message in plain text and in the visible part of HTML', () => {
		expect(shownWords('Bad gateway', undefined)).toBe('Bad gateway');
		expect(shownWords('', undefined)).toBe('');
		expect(shownWords('1 <5> 2 &amp; 3', undefined)).toBe('1 <5> 2 &amp; 3');
		const page =
			'< html><head><title>502</title><style>a{\n}</style></head><body><h1>Bad&nbsp;&amp; gone</h1><script>x()</script >a<b>&lt;&gt;</b>&quot;&#39;<script>y(';
		expect(shownWords(page, undefined)).toBe('502 Bad & gone a <> "\'');
		expect(shownWords('<html>a<style>b</style>c', undefined)).toBe('a c');
		expect(findServiceWords('x'.repeat(30_000))).toHaveLength(20_000);
		const [message, detail] = ['x', 'y'].map((letter) => letter.repeat(15_000));
		expect(findServiceWords({ message, detail })).toHaveLength(20_000);
	});

	it('does not decode an HTML entity twice', () => {
		expect(shownWords('<html>&amp;lt;b&amp;gt;</html>', undefined)).toBe('&lt;b&gt;');
	});

	it('shortens the texts in a failure, but not the cursor, because users copy the cursor', () => {
		const nextCursor = 'x'.repeat(500);
		const facts = { nextCursor, ctxId: nextCursor, words: nextCursor, gaveUp: 'waitUsed' } as const;
		const shown = new ServiceFailure('status', facts).withoutSecrets(['waitUsed']).facts;
		const [ctxId, words] = [99, 399].map((length) => `${'x'.repeat(length)}…`);
		expect(shown).toEqual({ ...facts, ctxId, words });
	});
});
