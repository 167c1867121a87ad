import { describe, expect, it } from 'vitest';

import { writeJson } from '../../../../nodes/client/exact-json.ts';
import { problemOf } from '../parameters-support.mts';
import { ENRICH, fieldsOf, jsonOf, PROSPECT, read, SCORE_DEAL } from './read-call.mts';

it('names that objects have of their own are sent', () => {
	const { body } = read(
		fieldsOf({ name: '__proto__', value: { a: 1 } }, { name: 'toString', value: 2 }),
	);
	expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
	expect(JSON.stringify(body)).toBe('{"__proto__":{"a":1},"toString":2}');
});

describe('JSON', () => {
	it.each([
		[{ a: 1 }, { a: 1 }],
		[' {"a":{"b":null},"c":0} ', { a: { b: null }, c: 0 }],
	])('sends %j', (jsonBody, body) => {
		expect(read(jsonOf(jsonBody)).body).toEqual(body);
	});

	it.each(['[1]', 'null', '', [1], null, 5])('refuses %j, which is no object', (jsonBody) => {
		const { message, description } = problemOf(() => read(jsonOf(jsonBody)));
		expect(message).toBe('JSON must be a JSON object');
		expect(description).toContain('curly braces');
	});

	it.each([
		['{ "domain": "a" ,}', 1, 18, '"}" cannot follow'],
		['{ "domain": 1,, }', 1, 15, '", }" cannot follow'],
		["{'a':1}", 1, 2, `"'a':1}" cannot follow`],
		['{\n\t"a": 1\n\t"b": 2\n}', 3, 2, 'double quotation marks'],
		['{ "a": "b"', 1, 11, 'Complete the parameter JSON'],
		['{', 1, 2, 'Complete the parameter JSON'],
	])('says of %j where it stops being JSON', (jsonBody, line, column, fix) => {
		const { message, description } = problemOf(() => read(jsonOf(jsonBody)));
		expect(message).toBe(`Invalid JSON at line ${line}, column ${column}`);
		expect(description).toMatch(/^(Correct|Complete) the parameter JSON/);
		expect(description).toContain(fix);
	});

	it('that is nested ten thousand deep says it too', () => {
		const wrong = '{"a":'.repeat(10_000) + 'x';
		const { message } = problemOf(() => read(jsonOf(wrong)));
		expect(message).toBe(`Invalid JSON at line 1, column ${wrong.length}`);
	});
});

// What expressions give, and other data, is in test/engine/WorkspaceData/call/data.test.mts.
describe('a body without a value', () => {
	it.each([
		[jsonOf('{"object_type":"deal"}'), SCORE_DEAL],
		[fieldsOf({ name: 'domain', value: () => 1 }), ENRICH],
		[fieldsOf({ name: 'domain', value: '  ' }), ENRICH],
	])('is refused: %j', (values, operation) => {
		expect(problemOf(() => read(values, operation)).message).toBe('There is nothing to send');
	});

	it('is refused for Prospect where its filters are gone', () => {
		const { description } = problemOf(() => read(jsonOf('{"domain":null}'), PROSPECT));
		expect(description).toContain('To ask without filters, remove all fields.');
	});

	it.each([0, false, 'a', ['a'], { a: [0] }])('is not one that holds %j', (value) => {
		expect(read(fieldsOf({ name: 'domain', value })).body).toEqual({ domain: value });
	});
});

it('data may say what Score adds by itself', () => {
	const body = { object_type: 'deal', a: 1 };
	expect(read(jsonOf(body), SCORE_DEAL).body).toEqual(body);
});

describe('numbers', () => {
	it.each([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0.1, 1e-7, 1.5e15 + 0.5, -0])(
		'are sent when JavaScript holds them exactly: %d',
		(value) => {
			expect(writeJson(read(jsonOf({ id: value })).body)).toBe(JSON.stringify({ id: value }));
		},
	);

	it.each([NaN, Infinity, -Infinity])('that are none are refused: %d', (value) => {
		const { message, description } = problemOf(() => read(jsonOf({ a: 1, rate: { value } })));
		expect(message).toContain('"rate.value"');
		expect(description).toContain(String(value));
	});

	it.each([2 ** 53, -(2 ** 53), 1e21, Number.MAX_VALUE])(
		'whose digits may be lost are refused: %d',
		(value) => {
			const { message, description } = problemOf(() => read(jsonOf({ ids: [1, value] })));
			expect(message).toContain('"ids[1]"');
			expect(description).toContain(String(value));
		},
	);

	it('keep every digit of JSON that the user wrote', () => {
		const text =
			'{"id":9007199254740993,"even":9007199254740992,"more":[-123456789012345678901234567890,1e400,0.1000000000000000055511],"said":"9007199254740993"}';
		expect(writeJson(read(jsonOf(text)).body)).toBe(text);
	});

	it('in JSON that an expression made are refused where their digits may be lost already', () => {
		const readExpression = (text: string) => read(jsonOf(text), ENRICH, {}, 'jsonBody');
		const exact = '{"id":9007199254740993}';
		expect(writeJson(readExpression(exact).body)).toBe(exact);
		for (const id of ['9007199254740992', '1e+21', '1000000000000000000000']) {
			expect(problemOf(() => readExpression(`{"id":${id}}`)).message).toContain('"id"');
		}
	});
});
