import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
// This import adds a toJSON method to bigint, as in n8n.
import 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import {
	bodyWithAllDigits,
	canonicalJson,
	parseExactJson,
	toPlainJson,
	writeJson,
	WrittenNumber,
} from '../../../../nodes/shared/client/exact-json.ts';

const key = fc.oneof(
	fc.constantFrom('__proto__', 'toJSON', '1', '10', 'a', '{}'),
	fc.string({ unit: 'binary' }),
);

/** Any JSON value, often a small value that is easily mistaken for another one, such as 1 and "1". */
const json = fc.oneof(
	fc.constantFrom(null, 0, 1, '', '1', 'null', '{}', '[]'),
	fc.jsonValue({ depthSize: 'small', stringUnit: 'binary' }),
);

/** JSON texts of numbers with any number of digits. */
const numbers = fc.oneof(
	fc.constantFrom('9007199254740993', '9.007199254740993e15', '9007199254740991.4', '1e-400'),
	fc.bigInt().map(String),
	fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
	fc
		.tuple(fc.bigInt(), fc.stringMatching(/^\d{1,30}$/), fc.integer({ min: -400, max: 400 }))
		.map(([whole, fraction, power]) => `${whole}.${fraction}E${power}`),
);

/** Returns the same value with the members of every object in reverse order. */
function withKeysReversed(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withKeysReversed);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value)
			.reverse()
			.map(([name, entry]) => [name, withKeysReversed(entry)]),
	);
}

/** Checks whether two values are the same in JSON, in which -0 is written as 0. */
const isSame = (first: unknown, second: unknown): boolean =>
	isDeepStrictEqual(plain(first), plain(second));
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('canonicalJson', () => {
	it('returns the same text exactly for equal JSON values, in any order of keys', () => {
		const pairs = fc.oneof(
			fc.tuple(json, json),
			json.map((value) => [value, withKeysReversed(value)]),
			fc.tuple(json, key, json, json).map(([value, name, first, second]) => [
				{ [name]: first, value },
				{ value, [name]: second },
			]),
		);
		fc.assert(
			fc.property(pairs, ([first, second]) => {
				expect(canonicalJson(first) === canonicalJson(second)).toBe(isSame(first, second));
			}),
			{ numRuns: 300 },
		);
	});

	it.each([
		[{ a: '\ud800' }, { a: '\udfff' }],
		[{ a: 9007199254740993n }, { a: 9007199254740992n }],
		[{ a: new WrittenNumber('9007199254740993') }, { a: '9007199254740993' }],
		[new WrittenNumber('-9007199254740993'), new WrittenNumber('9007199254740993')],
		[new WrittenNumber('9007199254740993.5'), new WrittenNumber('9007199254740993')],
		[new WrittenNumber('1e400'), new WrittenNumber('1e401')],
	])('writes different canonical JSON for %o and %o', (first, second) => {
		expect(canonicalJson(first)).not.toBe(canonicalJson(second));
	});

	it.each([
		[{ b: 100, a: -0.5 }, '{"a":-5e-1,"b":1e2}'],
		[new WrittenNumber('1e0000000000001'), '1e1'],
		[undefined, ''],
	])('writes %o as the canonical JSON %s', (value, text) => {
		expect(canonicalJson(value)).toBe(text);
	});

	it.each([
		[{ a: undefined, b: () => 1, c: Symbol('c') }, {}],
		[
			{ a: -0, at: new Date(0) },
			{ a: 0, at: '1970-01-01T00:00:00.000Z' },
		],
		[{ a: 9007199254740993n }, { a: new WrittenNumber('9007199254740993.0') }],
		[{ a: new WrittenNumber('9.007199254740993E+15') }, { a: 9007199254740993n }],
		[{ a: new WrittenNumber('1e21') }, { a: 10n ** 21n }],
		[{ a: new WrittenNumber('-0.00000000000000000') }, { a: 0 }],
	])(
		'writes the same canonical JSON for %o and %o, which are sent as the same JSON',
		(first, second) => {
			expect(canonicalJson(first)).toBe(canonicalJson(second));
		},
	);
});

describe('parseExactJson and writeJson', () => {
	it('keeps the value of every number in JSON that is parsed and written again', () => {
		fc.assert(
			fc.property(numbers, json, (number, beside) => {
				const text = `{"a":[${number}],"b":${JSON.stringify(beside)}}`;
				const written = writeJson(parseExactJson(text, true));
				const [, found] = /^\{"a":\[([^\]]*)\]/.exec(written) ?? [];
				const same = canonicalJson(new WrittenNumber(number));
				expect(canonicalJson(new WrittenNumber(String(found)))).toBe(same);
			}),
		);
	});

	it('works like JSON.parse and JSON.stringify if no number has too many digits', () => {
		fc.assert(
			fc.property(json, fc.boolean(), (value, isHandwritten) => {
				const text = JSON.stringify(value, null, 1);
				expect(writeJson(parseExactJson(text, isHandwritten))).toBe(JSON.stringify(value));
			}),
		);
	});

	it.each([
		['9007199254740992', true, new WrittenNumber('9007199254740992')],
		['1e22', true, new WrittenNumber('1e22')],
		['0.5', true, 0.5],
		['9007199254740992', false, 9007199254740992],
	])('parses the number %s (handwritten: %j) as %j', (text, isHandwritten, expected) => {
		expect(parseExactJson(text, isHandwritten)).toEqual(expected);
	});

	it.each(['{', '', "{'a':1}", '01', '1.', '{"a":9007199254740993'])(
		'returns undefined for the invalid JSON %j',
		(text) => {
			expect(parseExactJson(text, true)).toBeUndefined();
		},
	);
});

describe('toPlainJson', () => {
	it('returns a value for which JSON.stringify writes the same text as for the original', () => {
		fc.assert(
			fc.property(fc.anything({ withDate: true, withSparseArray: true }), (value) => {
				expect(JSON.stringify(toPlainJson(value))).toBe(JSON.stringify(value));
			}),
		);
	});

	it('leaves out fields with the given names at any depth', () => {
		const value = { a: 1, b: { a: 2, c: 3 }, d: [{ a: 4 }] };
		expect(toPlainJson(value, ['a'])).toEqual({ b: { c: 3 }, d: [{}] });
	});

	it('returns only plain values, without toJSON methods and undefined members', () => {
		const value = {
			at: { toJSON: () => ({ a: undefined, b: 1 }) },
			none: undefined,
			list: [undefined, 1],
		};
		expect(toPlainJson(value)).toStrictEqual({ at: { b: 1 }, list: [null, 1] });
	});
});

/** Returns the body of a response with this text. Its numbers keep all digits. */
function read(text: string): unknown {
	return bodyWithAllDigits({ body: JSON.parse(text) as unknown, text });
}

describe('bodyWithAllDigits', () => {
	it('keeps the value of every number in a response body, at any depth', () => {
		fc.assert(
			fc.property(numbers, (number) => {
				const value = new WrittenNumber(number);
				expect(canonicalJson(read(number))).toBe(canonicalJson(value));
				const deep = `{"a":[{"b":${number}}]}`;
				expect(canonicalJson(read(deep))).toBe(canonicalJson({ a: [{ b: value }] }));
			}),
		);
	});

	it.each([
		'{"id":"9007199254740993","text":"a \\" 9007199254740993, {9007199254740993}","b":"\\\\"}',
		'[0.30000000000000004,1e21,9007199254740992,12345678901234567000,-1.5e-300]',
		'{"id":7,"uuid":"0b3e4567-e89b-12d3-a456-426614174000"}',
	])('returns the result of JSON.parse for %s, because no digit is lost', (text) => {
		expect(read(text)).toEqual(JSON.parse(text));
	});
});
