import { describe, expect, it } from 'vitest';

import { problemOf } from '../parameters-support.mts';
import {
	ENRICH,
	fieldsOf,
	jsonOf,
	PROSPECT,
	read,
	SCORE_COMPANY,
	SCORE_DEAL,
} from './read-call.mts';

describe('Auto-Map Input Data', () => {
	it('sends the input item as it is, in an object of its own', () => {
		const input = { domain: 'example.com', nested: { a: [1] } };
		const { body } = read({ dataToSend: 'autoMapInputData' }, ENRICH, input);
		expect(body).toEqual(input);
		expect(body).not.toBe(input);
	});
});

describe('Define Below', () => {
	it('sends the named fields, their types kept', () => {
		const values = fieldsOf(
			{ name: ' domain ', value: 'a' },
			{ name: 'n', value: 5 },
			{ name: 'o', value: { a: [] } },
		);
		expect(read(values).body).toEqual({ domain: 'a', n: 5, o: { a: [] } });
	});

	it('sends names that objects have of their own', () => {
		const { body } = read(
			fieldsOf({ name: '__proto__', value: { a: 1 } }, { name: 'toString', value: 2 }),
		);
		expect(Object.keys(body ?? {})).toEqual(['__proto__', 'toString']);
		expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
		expect(JSON.stringify(body)).toBe('{"__proto__":{"a":1},"toString":2}');
	});
});

describe('JSON', () => {
	it.each([
		['{"a":1}', { a: 1 }],
		[{ a: 1 }, { a: 1 }],
		[' {"a":{"b":null},"c":0} ', { a: { b: null }, c: 0 }],
		['{"domain":"a","note":"","more":null}', { domain: 'a', note: '', more: null }],
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
});

describe('a body without a value', () => {
	const mapped = { dataToSend: 'autoMapInputData' };
	const field = (value: unknown) => fieldsOf({ name: 'domain', value });
	type Case = [Record<string, unknown>, Record<string, unknown>?];
	const unwritten: Case[] = [[mapped], [fieldsOf()], [{ fields: {} }], [jsonOf('{}')]];
	const written: Case[] = [
		[mapped, { domain: undefined }],
		[mapped, { domain: null, name: '', tags: [], address: { city: null } }],
		[field(undefined)],
		[field(null)],
		[field('')],
		[field('  ')],
		[field({ a: undefined, b: [null, ''] })],
		[field(() => 1)],
		[jsonOf({ domain: undefined })],
		[jsonOf('{"domain":null}')],
		[jsonOf('{"domain":"","more":{"list":[{}]}}')],
	];

	it.each([...unwritten, ...written])(
		'is refused for a call that may be billed: %j of %j',
		(values, input) => {
			for (const operation of [ENRICH, SCORE_COMPANY, SCORE_DEAL]) {
				const { message, description } = problemOf(() => read(values, operation, input));
				expect(message).toBe('There is nothing to send');
				expect(description).toMatch(/value/);
			}
		},
	);

	it('is refused for Score when it says nothing but what Score adds by itself', () => {
		const { message } = problemOf(() => read(jsonOf('{"object_type":"deal"}'), SCORE_DEAL));
		expect(message).toBe('There is nothing to send');
	});

	it.each(unwritten)('is fine for Prospect: %j of %j', (values, input) => {
		expect(() => read(values, PROSPECT, input)).not.toThrow();
	});

	it.each(written)(
		'is refused for Prospect too: its filters are gone: %j of %j',
		(values, input) => {
			const { message, description } = problemOf(() => read(values, PROSPECT, input));
			expect(message).toBe('There is nothing to send');
			expect(description).toContain('To ask without filters, remove all fields.');
		},
	);

	it.each([0, false, 'a', ['a'], { a: [0] }])('is not one that holds %j', (value) => {
		expect(read(field(value)).body).toEqual({ domain: value });
	});
});

describe('values that are empty beside others', () => {
	const domain = { name: 'domain', value: 'example.com' };

	it('are left out of Define Below', () => {
		const empty = [undefined, null, '', ' '].map((value, index) => ({ name: `n${index}`, value }));
		expect(read(fieldsOf(domain, ...empty)).body).toEqual({ domain: 'example.com' });
	});

	it('are sent as the JSON or the input item has them, but undefined never is', () => {
		const item = { domain: 'a', note: '', more: null, deep: { list: [null], gone: undefined } };
		const sent = { domain: 'a', note: '', more: null, deep: { list: [null] } };
		for (const { body } of [
			read({ dataToSend: 'autoMapInputData' }, ENRICH, { ...item, gone: undefined }),
			read(jsonOf(item)),
			read(jsonOf(JSON.stringify(item))),
		]) {
			expect(body).toStrictEqual(sent);
		}
	});
});

describe('Score', () => {
	it('says which kind of record it is about', () => {
		expect(read(jsonOf('{"a":1}'), SCORE_COMPANY).body).toEqual({ a: 1, object_type: 'company' });
		expect(read(jsonOf('{"a":1}'), SCORE_DEAL).body).toEqual({ a: 1, object_type: 'deal' });
		expect(read(jsonOf('{"a":1}'), ENRICH).body).toEqual({ a: 1 });
	});

	it('refuses data that says otherwise', () => {
		const same = read(jsonOf('{"object_type":"deal","a":1}'), SCORE_DEAL).body;
		expect(same).toEqual({ object_type: 'deal', a: 1 });
		const { message } = problemOf(() => read(jsonOf('{"object_type":"deal"}'), SCORE_COMPANY));
		expect(message).toContain('"deal"');
		expect(message).toContain('"company"');
	});
});
