import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { offsetOfMistake } from '../../../../nodes/WorkspaceData/call/json-mistake.ts';

/** Nothing but this text, so many times. */
const deep = (text: string): string => text.repeat(100_000);

describe('offsetOfMistake', () => {
	it.each([
		['', 0],
		[' {', 2],
		['{"a":1,}', 7],
		['[1e5,]', 5],
		['{"a" 1}', 5],
		['{a:1}', 1],
		['{"a":01}', 5],
		['{"a":nul}', 5],
		['{"a":"b\nc"}', 7],
		['{"a":"b\\x"}', 7],
		['{"a":"b\\u00g9"}', 7],
		['{"a":"\\u00e9', 12],
		['{"a":{"b":[1,2}}', 14],
		['{} {}', 3],
		['{"a":1}}', 7],
		['\u00a0{}', 0],
	])('of %j is %i', (text, offset) => {
		expect(offsetOfMistake(text)).toBe(offset);
	});

	it('is found however deep the text is nested', () => {
		for (const start of [deep('['), deep('{"a":'), deep('[{"a":')]) {
			expect(offsetOfMistake(`${start}x`)).toBe(start.length);
		}
		const text = deep('[') + deep(']');
		expect(offsetOfMistake(`${text}]`)).toBe(text.length);
	});

	const character = fc.constantFrom(...'{}[]",:\\ \n1.e-tn', '');
	const cut = fc.record({ json: fc.json(), at: fc.nat(), length: fc.nat(2), character });

	it('is the length of a text that is JSON', () => {
		fc.assert(fc.property(fc.json(), (json) => offsetOfMistake(json) === json.length));
	});

	it('is where JSON.parse says, where that says it; of a value that is wrong, its beginning', () => {
		let compared = 0;
		fc.assert(
			fc.property(cut, ({ json, at, length, character: put }) => {
				const from = at % (json.length + 1);
				const text = json.slice(0, from) + put + json.slice(from + length);
				const said = offsetOfEngine(text);
				if (said === undefined) return;
				compared++;
				const offset = offsetOfMistake(text);
				if (offset !== said)
					expect(text.slice(offset, said)).toMatch(/^(?:[-+.\w]+|\\(?:u[\da-f]{0,3})?)$/i);
			}),
			{ numRuns: 300 },
		);
		expect(compared).toBeGreaterThan(30);
	});
});

/** Undefined for JSON, and for a message without an offset. */
function offsetOfEngine(text: string): number | undefined {
	try {
		JSON.parse(text);
		return undefined;
	} catch (error) {
		const { message } = error as Error;
		if (message === 'Unexpected end of JSON input') return text.length;
		const offset = /at position (\d+)/.exec(message)?.[1];
		return offset === undefined ? undefined : Number(offset);
	}
}
