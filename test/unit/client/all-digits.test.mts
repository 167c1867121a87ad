import { describe, expect, it } from 'vitest';

import { canonicalJson } from '../../../nodes/common/digests.ts';
import { bodyWithAllDigits, WrittenNumber } from '../../../nodes/client/exact-json.ts';

/** What a text is read as. */
function read(text: string): unknown {
	return bodyWithAllDigits({ body: JSON.parse(text) as unknown, text });
}

const same = (one: string, other: string): boolean =>
	canonicalJson(read(one)) === canonicalJson(read(other));

describe('bodyWithAllDigits', () => {
	it.each([
		['9007199254740993', '9007199254740992'],
		['-9007199254740993', '9007199254740993'],
		['1152921504606846977', '1152921504606846978'],
		['9007199254740993.5', '9007199254740993'],
		['9007199254740991.4', '9007199254740991'],
		['9.007199254740993e15', '9007199254740992'],
		['1e400', '1e401'],
		['1e-400', '0'],
		['0.1000000000000000055511151231257827', '0.1'],
	])('tells %s from %s, also deep inside', (one, other) => {
		expect(same(one, other)).toBe(false);
		expect(same(`{"a":[{"b":${one}}]}`, `{"a":[{"b":${other}}]}`)).toBe(false);
		expect(read(one)).toBeInstanceOf(WrittenNumber);
	});

	it.each([
		['9007199254740993', '9007199254740993.0'],
		['9007199254740993', '9.007199254740993E+15'],
		['1152921504606846977000', '1152921504606846977e3'],
		['-0.00000000000000000', '0'],
	])('reads %s and %s as the same number', (one, other) => {
		expect(same(one, other)).toBe(true);
	});

	it.each([
		'{"id":"9007199254740993","text":"a \\" 9007199254740993, {9007199254740993}","b":"\\\\"}',
		'[0.30000000000000004,1e21,9007199254740992,12345678901234567000,-1.5e-300]',
		'{"id":7,"uuid":"0b3e4567-e89b-12d3-a456-426614174000"}',
	])('leaves %s alone, where no digit is lost', (text) => {
		const body = JSON.parse(text) as unknown;
		expect(bodyWithAllDigits({ body, text })).toEqual(body);
	});

	it('changes nothing but the numbers that lose digits', () => {
		const text =
			'{ "id" : 9007199254740993 ,\n "name":"\\"9007199254740993\\"", "n": [1.0, null] }';
		expect(read(text)).toEqual({
			id: new WrittenNumber('9007199254740993'),
			name: '"9007199254740993"',
			n: [1, null],
		});
	});
});
