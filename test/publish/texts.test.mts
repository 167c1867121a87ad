import { describe, expect, test } from 'vitest';
import { anchorsOf, linksOf } from './markdown.mts';
import { isSentenceCase, isTitleCase } from './wording.mts';

describe('a Markdown document', () => {
	test('has links and pictures, but not inside code', () => {
		const text =
			'[a](one.md) ![b](two.png) `[c](three.md)`\n```\n[d](four.md)\n```\n[e [f]](five.md#g)';
		expect(linksOf(text)).toEqual([
			{ target: 'one.md', isPicture: false },
			{ target: 'two.png', isPicture: true },
			{ target: 'five.md#g', isPicture: false },
		]);
	});

	test('has names for its headings as GitHub makes them', () => {
		expect([...anchorsOf('# Get it: `all`, [or](x.md) some\n## Two\n## Two\n')]).toEqual([
			'get-it-all-or-some',
			'two',
			'two-1',
		]);
	});
});

describe('wording', () => {
	test.each([
		['Records per File', true],
		['Max Retries', true],
		['Max retries', false],
		['V1 – Developer Access Token', true],
	])('"%s" is Title Case: %s', (text, expected) => expect(isTitleCase(text)).toBe(expected));

	test.each([
		['Get many companies', true],
		['Get Many Companies', false],
		['get many', false],
		['Who Am I', false],
		['Find companies of the API', true],
	])('"%s" is sentence case: %s', (text, expected) => expect(isSentenceCase(text)).toBe(expected));
});
