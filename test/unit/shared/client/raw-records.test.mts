import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findRecords, onOneLine } from '../../../../nodes/shared/client/raw-records.ts';

const name = fc.constantFrom('data', 'items', 'meta', 'id', '', '__proto__', 'a"b', '東');
const text = fc.oneof(
	fc.string({ unit: 'binary', maxLength: 12 }),
	fc.constantFrom('\\', '\\"', '{"items":[', '],', '"},{"', '\u2028', '\ud800'),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 4, depthIdentifier: 'json' },
		fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
		fc.array(tie('value'), { maxLength: 4, depthIdentifier: 'json' }),
		fc.dictionary(name, tie('value'), { maxKeys: 4, depthIdentifier: 'json' }),
	),
}));

/** Generates the JSON text of a value, sometimes with spaces and line breaks, or with all letters escaped. */
const jsonOf = (made: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
	fc
		.tuple(made, fc.constantFrom(undefined, ' ', '\t'), fc.boolean())
		.map(([one, indent, isEscaped]) => {
			const json = JSON.stringify(one, null, indent);
			return isEscaped ? json.replace(/"(?:[^"\\]|\\.)*"/g, escaped) : json;
		});

/** Returns JSON text with each letter of its strings escaped. */
function escaped(json: string): string {
	return json.replace(/(\\u....|\\.)|[a-z]/g, (part, escape?: string) =>
		escape === undefined ? `\\u00${part.charCodeAt(0).toString(16)}` : part,
	);
}

/** Generates response bodies. Most of them have data.items, and members with similar names in other positions. */
const envelope = fc
	.tuple(
		fc.dictionary(name, value, { maxKeys: 3 }),
		fc.dictionary(name, value, { maxKeys: 3 }),
		fc.oneof({ weight: 4, arbitrary: fc.array(value, { maxLength: 5 }) }, value),
	)
	.map(([outside, inside, items]) => ({ ...outside, data: { ...inside, items } }));

describe('findRecords', () => {
	test('finds the same records as JSON.parse in the text of any response', () => {
		let found = 0;
		fc.assert(
			fc.property(jsonOf(fc.oneof(envelope, value)), (json) => {
				const parsed = JSON.parse(json) as { data?: { items?: unknown } | null } | null;
				const items = parsed?.data?.items;
				if (!Array.isArray(items)) {
					assert.throws(() => findRecords(json), RangeError);
					return;
				}
				found++;
				const { starts, ends } = findRecords(json);
				const texts = starts.map((start, index) => json.slice(start, ends[index]));
				assert.deepStrictEqual(
					texts.map((one) => JSON.parse(one) as unknown),
					items,
				);
			}),
			{ numRuns: 600 },
		);
		expect(found, 'records found').toBeGreaterThan(100);
	});

	test('uses the last of several members with the same name, as JSON.parse does', () => {
		const json = '{"data":{"items":[1]},"data":{"items":[2],"items":[3,4.0]}}';
		const { starts, ends } = findRecords(json);
		expect(starts.map((start, index) => json.slice(start, ends[index]))).toEqual(['3', '4.0']);
	});

	test.each([
		'{"data":{"items":[1]},"data":null}',
		'{"items":[1]}',
		'{"data":{"items":[{"a":',
		'{"data":{"items":["a',
		'{"data":{"items":[[1,2',
	])('throws a RangeError if the response text has no complete list of records: %s', (json) => {
		expect(() => findRecords(json)).toThrow(RangeError);
	});
});

test('removes all line breaks from JSON with onOneLine(), and changes no value', () => {
	fc.assert(
		fc.property(jsonOf(value), (json) => {
			const line = onOneLine(json);
			assert.ok(!/[\r\n]/.test(line));
			assert.deepStrictEqual(JSON.parse(line), JSON.parse(json));
		}),
		{ numRuns: 300 },
	);
});
