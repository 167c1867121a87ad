import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
	readCallParameters,
	readMaxConcurrent,
	type CallParameters,
} from '../../nodes/WorkspaceData/parameters/call.ts';
import { panel, problemOf, rowOf } from './parameters-support.mts';

const ENRICH = rowOf('company', 'enrich');
const PROSPECT = rowOf('company', 'prospect');
const SCORE_COMPANY = rowOf('company', 'score');
const SCORE_DEAL = rowOf('deal', 'score');

/** Reads the parameters of a node whose panel holds these values. */
function read(
	values: Record<string, unknown>,
	operation = ENRICH,
	input: Record<string, unknown> = {},
): CallParameters {
	return readCallParameters(panel(values), operation, input);
}

const fieldsOf = (...values: unknown[]) => ({ dataToSend: 'defineBelow', fields: { values } });
const jsonOf = (jsonBody: unknown) => ({ dataToSend: 'json', jsonBody });

describe('Auto-Map Input Data', () => {
	it('sends the input item as it is, in an object of its own', () => {
		const input = { domain: 'example.com', nested: { a: [1] } };
		const { body } = read({ dataToSend: 'autoMapInputData' }, ENRICH, input);
		expect(body).toEqual(input);
		expect(body).not.toBe(input);
	});

	it('sends every field of any item', () => {
		const input = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 });
		fc.assert(
			fc.property(input, (item) => {
				expect(read({ dataToSend: 'autoMapInputData' }, ENRICH, item).body).toEqual({ ...item });
			}),
		);
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

	it('takes a single field that an expression gave without a list', () => {
		expect(read({ fields: { values: { name: 'a', value: 1 } } }).body).toEqual({ a: 1 });
	});

	it('sends names that objects have of their own', () => {
		const { body } = read(
			fieldsOf({ name: '__proto__', value: { a: 1 } }, { name: 'toString', value: 2 }),
		);
		expect(Object.keys(body ?? {})).toEqual(['__proto__', 'toString']);
		expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
		expect(JSON.stringify(body)).toBe('{"__proto__":{"a":1},"toString":2}');
	});

	it.each([
		[[{ name: '', value: 1 }], 'Field 1'],
		[[{ name: 'a', value: 1 }, { value: 1 }], 'Field 2'],
		[['text'], 'Field 1'],
	])('refuses %j: a field without a name', (fields, label) => {
		expect(problemOf(() => read(fieldsOf(...fields))).message).toContain(label);
	});

	it('refuses a name that is listed twice', () => {
		const values = fieldsOf({ name: 'a', value: 1 }, { name: ' a', value: 2 });
		expect(problemOf(() => read(values)).message).toContain('"a" is listed twice');
	});
});

describe('JSON', () => {
	it.each([
		['{"a":1}', { a: 1 }],
		[{ a: 1 }, { a: 1 }],
		[' {"a":{"b":null}} ', { a: { b: null } }],
	])('sends %j', (jsonBody, body) => {
		expect(read(jsonOf(jsonBody)).body).toEqual(body);
	});

	it('keeps a field named __proto__', () => {
		const { body } = read(jsonOf('{"__proto__":{"a":1}}'));
		expect(JSON.stringify(body)).toBe('{"__proto__":{"a":1}}');
	});

	it.each(['[1]', '"text"', 'null', '5', '', '{', "{'a':1}", [1], null, 5])(
		'refuses %j, which is no object',
		(jsonBody) => {
			const { message, description } = problemOf(() => read(jsonOf(jsonBody)));
			expect(message).toBe('JSON must be a JSON object');
			expect(description).toContain('curly braces');
		},
	);
});

describe('an empty body', () => {
	const empty = [{ dataToSend: 'autoMapInputData' }, fieldsOf(), { fields: {} }, jsonOf('{}')];

	it.each(empty)('is refused for a call that may be billed: %j', (values) => {
		for (const operation of [ENRICH, SCORE_COMPANY, SCORE_DEAL]) {
			const { message, description } = problemOf(() => read(values, operation));
			expect(message).toBe('There is nothing to send');
			expect(description).toMatch(/\S/);
		}
	});

	it.each(empty)('is fine for Prospect: %j', (values) => {
		expect(read(values, PROSPECT).body).toEqual({});
	});
});

describe('Score', () => {
	it('says which kind of record it is about', () => {
		expect(read(jsonOf('{"a":1}'), SCORE_COMPANY).body).toEqual({ a: 1, object_type: 'company' });
		expect(read(jsonOf('{"a":1}'), SCORE_DEAL).body).toEqual({ a: 1, object_type: 'deal' });
		expect(read(jsonOf('{"a":1}'), ENRICH).body).toEqual({ a: 1 });
	});

	it('refuses data that says otherwise', () => {
		const same = read(jsonOf('{"object_type":"deal"}'), SCORE_DEAL).body;
		expect(same).toEqual({ object_type: 'deal' });
		const { message } = problemOf(() => read(jsonOf('{"object_type":"deal"}'), SCORE_COMPANY));
		expect(message).toContain('"deal"');
		expect(message).toContain('"company"');
	});
});

describe('the options', () => {
	const body = jsonOf('{"a":1}');

	it('have their defaults', () => {
		expect(read(body).limits).toEqual({ maxRetries: 4, timeoutMs: 300_000 });
		expect(read(body).httpMethod).toBeUndefined();
		expect(read(body, PROSPECT).httpMethod).toBeUndefined();
	});

	it('hold the method for Prospect only', () => {
		const options = { httpMethod: 'GET', maxRetries: 0, timeout: 5 };
		expect(read({ ...body, options }, PROSPECT)).toMatchObject({
			httpMethod: 'GET',
			limits: { maxRetries: 0, timeoutMs: 5 },
		});
		expect(read({ ...body, options }).httpMethod).toBeUndefined();
		const wrong = { ...body, options: { httpMethod: 'PUT' } };
		expect(problemOf(() => read(wrong, PROSPECT)).message).toContain('HTTP Method');
	});

	it('say where the result goes, and under which name', () => {
		const fieldOf = (options: object) => read({ ...body, options }).resultField;
		expect(fieldOf({})).toBeUndefined();
		expect(fieldOf({ resultField: 'a' })).toBeUndefined();
		expect(fieldOf({ includeInputFields: true })).toBe('enrich');
		expect(fieldOf({ includeInputFields: true, resultField: ' a ' })).toBe('a');
	});

	it('limit the requests at once to 1 to 100', () => {
		expect(readMaxConcurrent({})).toBe(5);
		expect([1, '7', 100].map((maxConcurrent) => readMaxConcurrent({ maxConcurrent }))).toEqual([
			1, 7, 100,
		]);
		for (const maxConcurrent of [0, 101, 1.5, 'many', -1]) {
			const options = { maxConcurrent };
			expect(problemOf(() => readMaxConcurrent(options)).message).toContain('Max Concurrent');
			expect(problemOf(() => read({ ...body, options })).message).toContain('Max Concurrent');
		}
	});

	it('send identical data once only when that is chosen', () => {
		expect(read(body).sendIdenticalOnce).toBe(false);
		expect(read({ ...body, options: { sendIdenticalOnce: true } }).sendIdenticalOnce).toBe(true);
	});

	it('refuse a source of data that does not exist', () => {
		expect(problemOf(() => read({ dataToSend: 'xml' })).message).toContain('Data to Send');
	});
});
