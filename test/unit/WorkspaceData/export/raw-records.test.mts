import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	eachMember,
	findRecords,
	onOneLine,
} from '../../../../nodes/WorkspaceData/export/raw-records.ts';

/** JSON text in every form that JSON allows: whitespace, escapes, repeated names, any number. */
const space = fc.constantFrom('', '', ' ', '\n', '\t', '\r\n    ');
const names = ['data', 'items', 'meta', 'id', '', '__proto__', 'constructor', 'a"b', 'ü', '東'];

function escaped(text: string, choice: number): string {
	if (choice === 0) return JSON.stringify(text);
	const codes = [...text].map((character, index) =>
		(index + choice) % 2 === 0
			? JSON.stringify(character).slice(1, -1)
			: Array.from(character, (part) =>
					[...Array(part.length).keys()]
						.map((at) => `\\u${part.charCodeAt(at).toString(16).padStart(4, '0')}`)
						.join(''),
				).join(''),
	);
	return `"${codes.join('')}"`;
}

const stringText = fc
	.tuple(
		fc.oneof(
			fc.string({ unit: 'binary', maxLength: 12 }),
			fc.constantFrom(...names, '\\', '\\"', '{"items":[', '],', '"},{"', '\u2028', '\ud800'),
		),
		fc.nat(2),
	)
	.map(([text, choice]) => escaped(text, choice));
const nameText = fc
	.tuple(fc.constantFrom(...names), fc.nat(2))
	.map(([text, choice]) => escaped(text, choice));
const numberText = fc.oneof(
	fc.constantFrom(
		'0',
		'-0',
		'1.0',
		'1e400',
		'-2.50E-3',
		'9007199254740993',
		'12345678901234567890',
	),
	fc.integer().map(String),
);

const { value: valueText } = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 4, depthIdentifier: 'json' },
		fc.oneof(stringText, numberText, fc.constantFrom('true', 'false', 'null')),
		tie('list'),
		tie('object'),
	),
	list: fc
		.tuple(fc.array(tie('value'), { maxLength: 4, depthIdentifier: 'json' }), space)
		.map(([values, gap]) => `[${gap}${values.join(`${gap},${gap}`)}${gap}]`),
	object: fc
		.tuple(
			fc.array(fc.tuple(nameText, tie('value')), { maxLength: 4, depthIdentifier: 'json' }),
			space,
		)
		.map(([members, gap]) => objectText(members, gap)),
}));

function objectText(members: Array<[string, string]>, gap: string): string {
	const texts = members.map(([name, value]) => `${name}${gap}:${gap}${value}`);
	return `{${gap}${texts.join(`${gap},${gap}`)}${gap}}`;
}

/** Envelopes that mostly have data.items, among look-alikes of it in every other place. */
const envelopeText = fc
	.tuple(
		fc.array(fc.tuple(nameText, valueText), { maxLength: 3 }),
		fc.array(fc.tuple(nameText, valueText), { maxLength: 3 }),
		fc.array(valueText, { maxLength: 5 }),
		fc.array(fc.tuple(nameText, valueText), { maxLength: 2 }),
		fc.tuple(fc.nat(2), fc.nat(2), space, space),
	)
	.map(([before, inside, items, after, [dataName, itemsName, gap, outer]]) => {
		const list = `[${gap}${items.join(`${gap},${gap}`)}${gap}]`;
		const data = objectText([...inside, [escaped('items', itemsName), list]], gap);
		return (
			outer + objectText([...before, [escaped('data', dataName), data], ...after], gap) + outer
		);
	});

function slices(text: string): string[] {
	const { starts, ends } = findRecords(text);
	return starts.map((start, index) => text.slice(start, ends[index]));
}

describe('findRecords agrees with JSON.parse', () => {
	test('on any envelope', () => {
		let found = 0;
		fc.assert(
			fc.property(envelopeText, (text) => {
				const parsed = JSON.parse(text) as { data?: { items?: unknown } };
				const items = isPlainObject(parsed.data) ? parsed.data.items : undefined;
				if (!Array.isArray(items)) {
					assert.throws(() => findRecords(text), RangeError);
					return;
				}
				found++;
				assert.deepStrictEqual(
					slices(text).map((slice) => JSON.parse(slice) as unknown),
					items,
				);
			}),
			{ numRuns: 300 },
		);
		expect(found).toBeGreaterThan(100);
	});

	test.each(['{"data":{"items":[{"a":', '{"data":{"items":["a', '{"data":{"items":[[1,2'])(
		'%s ends too early',
		(text) => {
			expect(() => findRecords(text)).toThrow(RangeError);
		},
	);
});

test('eachMember agrees with JSON.parse on any object', () => {
	fc.assert(
		fc.property(
			fc.tuple(fc.array(fc.tuple(nameText, valueText), { maxLength: 6 }), space),
			([members, gap]) => {
				const object = objectText(members, gap);
				const entries: Array<[string, unknown]> = [];
				eachMember(`${gap}${object} tail`, gap.length, (name, start, end) => {
					const value = JSON.parse(object.slice(start - gap.length, end - gap.length)) as unknown;
					entries.push([name, value]);
				});
				// fromEntries defines __proto__ as a member of its own, as JSON.parse does.
				assert.deepStrictEqual(Object.fromEntries(entries), JSON.parse(object));
			},
		),
		{ numRuns: 300 },
	);
});

test('onOneLine changes no value and leaves no line break', () => {
	fc.assert(
		fc.property(valueText, (text) => {
			const line = onOneLine(text);
			assert.ok(!/[\r\n]/.test(line));
			assert.deepStrictEqual(JSON.parse(line), JSON.parse(text));
		}),
		{ numRuns: 300 },
	);
});

function isPlainObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
