import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { nextCursorIn } from '../../../nodes/client/next-cursor.ts';
import { OUTLINE_EDGE, TextInParts } from '../../../nodes/client/text-in-parts.ts';

function inParts(text: string, ends: readonly number[]): TextInParts {
	const parts = new TextInParts();
	let from = 0;
	for (const end of [...ends, text.length].toSorted((one, other) => one - other)) {
		parts.add(text.slice(from, end));
		from = end;
	}
	return parts;
}

/** A page of about so many characters. */
function pageText(characters: number, cursor: string): string {
	const items = [{ id: '1', note: 'x'.repeat(characters) }];
	const meta = { ctx_id: 'a', pagination: { next_cursor: cursor } };
	return JSON.stringify({ success: true, data: { items }, meta });
}

const edge = fc.nat(3 * OUTLINE_EDGE);
/** Ends of parts, wherever they are: near the beginning, near the end, or of a byte each. */
const ends = fc.oneof(
	fc.array(edge, { maxLength: 6 }),
	fc
		.record({ from: edge, many: fc.nat(300) })
		.map(({ from, many }) => Array.from({ length: many }, (_, place) => from + place)),
);

describe('a text that comes in parts', () => {
	it('is whole, and its outline leads to the same cursor, wherever a part ends', () => {
		fc.assert(
			fc.property(edge, fc.string({ minLength: 1 }), ends, (characters, cursor, drawn) => {
				const text = pageText(characters, cursor);
				const parts = inParts(
					text,
					drawn.filter((end) => end < text.length),
				);
				expect(parts.whole).toBe(text);
				expect(nextCursorIn(parts.outline)).toBe(cursor);
				expect(parts.outline.length).toBeLessThanOrEqual(2 * OUTLINE_EDGE + 1);
			}),
			{ numRuns: 2_000 },
		);
	});

	it('of megabytes has an outline of its two ends', () => {
		const text = pageText(3_000_000, 'c1');
		const { outline } = inParts(text, [65_536, 131_072, 2_999_000]);
		expect(outline.startsWith(text.slice(0, OUTLINE_EDGE))).toBe(true);
		expect(outline.endsWith(text.slice(-OUTLINE_EDGE))).toBe(true);
		expect(nextCursorIn(outline)).toBe('c1');
	});

	it('is not taken for a page because of how its end follows its beginning', () => {
		const beginning = `{${' '.repeat(OUTLINE_EDGE - 1)}`;
		const page = pageText(10, 'c1').slice(1);
		const end = page.padStart(OUTLINE_EDGE);
		// What is left out says that it went wrong.
		const text = `${beginning}"success":false,"a":{"b":"${'x'.repeat(9_000)}"},${end}`;
		expect(nextCursorIn(beginning + end)).toBe('c1');
		expect(nextCursorIn(inParts(text, [OUTLINE_EDGE]).outline)).toBeUndefined();
	});

	it('is empty before anything has come', () => {
		expect(new TextInParts().outline).toBe('');
	});
});
