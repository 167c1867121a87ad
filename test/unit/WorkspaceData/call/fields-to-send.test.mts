import { describe, expect, it } from 'vitest';

import { writeJson } from '../../../../nodes/shared/client/exact-json.ts';
import { readFieldsToSend } from '../../../../nodes/WorkspaceData/call/body.ts';
import { problemOf } from '../parameters-support.mts';

/** Returns the value that the node sends for a row of Fields to Send with this type. */
function sent(type: string, value: unknown, isExpression = false): unknown {
	const fields = { assignments: [{ id: '1', name: 'a', type, value }] };
	return readFieldsToSend(fields, isExpression ? { fields: '={{ 1 }}' } : {}).a;
}

describe('row of Fields to Send', () => {
	it.each<[string, unknown[], unknown[]]>([
		['string', ['007', ' a ', 5, { a: [null] }], ['007', ' a ', 5, { a: [null] }]],
		['number', [5, '5', ' -1.5e3 ', 0], [5, 5, -1500, 0]],
		['boolean', [true, 'false', ' TRUE '], [true, false, true]],
		['array', ['["a", 1, null]', '[]', [1]], [['a', 1, null], [], [1]]],
		[
			'object',
			['{ "city": "Paris", "n": [1] }', { a: {} }],
			[{ city: 'Paris', n: [1] }, { a: {} }],
		],
	])('converts values of type %s from %j to %j', (type, values, expected) => {
		expect(values.map((value) => sent(type, value))).toStrictEqual(expected);
	});

	it.each<[string, unknown[]]>([
		['number', ['abc', '1,5', '0x10', 'Infinity', true]],
		['boolean', ['yes', 1, 'toString', 'truer', 'xfalse']],
		['array', ['[1,', 'a, b', '{}', { 0: 'a' }]],
		['object', ['{city: 1}', 'null', [1], new Date(0)]],
		['binary', ['file', { mimeType: 'text/plain', data: '' }]],
	])('rejects values that do not fit the type %s, and names the field', (type, values) => {
		for (const value of values) {
			const { message, description } = problemOf(() => sent(type, value));
			expect(message).toBe(`The field "a" under 'Fields to Send' cannot be sent as ${type}`);
			expect(description).toContain('choose another type');
		}
	});

	it.each(['string', 'number', 'boolean', 'array', 'object'])(
		'omits a field of type %s that does not have a value',
		(type) => {
			for (const value of [undefined, null, '', '  ']) expect(sent(type, value)).toBeUndefined();
		},
	);

	it.each(['string', 'number', 'object'])(
		'rejects functions and invalid dates as values of type %s',
		(type) => {
			expect(() => sent(type, () => 1)).toThrow(/"a" is of type Function, which cannot be sent$/);
			for (const value of [new Date(NaN), { b: new Date(NaN) }])
				expect(() => sent(type, value)).toThrow(/^The field "a(.b)?" is not a date/);
		},
	);

	it('keeps all digits of a number that the user wrote as text', () => {
		const digits = '12345678901234567890123';
		expect(writeJson(sent('number', digits))).toBe(digits);
		expect(writeJson(sent('array', `[${digits}]`))).toBe(`[${digits}]`);
		expect(writeJson(sent('number', '9007199254740992'))).toBe('9007199254740992');
	});

	it('rejects a number from an expression if it may have lost digits', () => {
		for (const [type, digits] of Object.entries({
			number: '9007199254740992',
			array: '[9007199254740992]',
		}))
			expect(() => sent(type, digits, true)).toThrow(/is too large to be sent exactly$/);
	});
});

describe('readFieldsToSend', () => {
	const assigned = { name: 'employees', type: 'number', value: '12' };
	const named = { name: 'domain', value: 'example.com' };

	it('reads Fields to Send from the members `assignments` and `values`, and from a single row', () => {
		expect(readFieldsToSend({ assignments: [assigned], values: [named] }, {})).toEqual({
			employees: 12,
			domain: 'example.com',
		});
		expect(readFieldsToSend({ assignments: assigned }, {})).toEqual({ employees: 12 });
	});

	it.each([undefined, null, '', 'text', [], {}])(
		'returns no fields if Fields to Send is %j',
		(fields) => {
			expect(readFieldsToSend(fields, {})).toEqual({});
		},
	);

	it('rejects an invalid row of Fields to Send, and two rows with the same field name', () => {
		const wrong = [
			{ assignments: [assigned, 'text'] },
			{ assignments: [assigned], values: [assigned] },
			{ values: [{ name: {} }] },
		];
		const problems = wrong.map((fields) => problemOf(() => readFieldsToSend(fields, {})));
		expect(problems.map(({ message, description }) => [message, description])).toEqual([
			["Row 2 of 'Fields to Send' has no name", 'Enter a name, or remove the row.'],
			[
				expect.stringContaining('"employees" is listed twice'),
				expect.stringMatching(/^Remove one/),
			],
			[expect.stringContaining("'Fields to Send: Name' must be text"), expect.anything()],
		]);
	});
});
