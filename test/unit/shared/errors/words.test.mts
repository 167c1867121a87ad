import { expect, it } from 'vitest';

import { formatTime, oneOf, wordsOf } from '../../../../nodes/shared/errors/words.ts';

it.each([
	[1_000, '1 second'],
	[1_540, '1.5 seconds'],
	[970, '1 second'],
	[120_000, '120 seconds'],
	[121_000, '2 minutes'],
	[841_000, '14 minutes'],
	[3_600_000, '1 hour'],
	[9_000_000, '2.5 hours'],
	[Infinity, 'more than two days'],
])('formats %i ms as %s', (ms, text) => {
	expect(formatTime(ms)).toBe(text);
});

it('returns the message of any caught value, on one short line', () => {
	expect([new Error('a\nb'), 'c', undefined].map(wordsOf)).toEqual(['a b', 'c', 'undefined']);
	expect(wordsOf('a'.repeat(300))).toHaveLength(200);
});

it.each([
	[['Batch'], 'Batch'],
	[['Batch', 'Files'], 'Batch or Files'],
	[['Batch', 'CSV Files', 'NDJSON Files'], 'Batch, CSV Files or NDJSON Files'],
])('joins the names %j to the text %j', (names, said) => {
	expect(oneOf(names)).toBe(said);
});
