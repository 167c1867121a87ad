import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { writeJson } from '../../../../nodes/client/exact-json.ts';
import {
	readCallParameters,
	readMaxConcurrent,
	type CallParameters,
} from '../../../../nodes/WorkspaceData/call/parameters.ts';
import { panel, problemOf, rowOf } from '../parameters-support.mts';

const ENRICH = rowOf('company', 'enrich');
const PROSPECT = rowOf('company', 'prospect');
const SCORE_COMPANY = rowOf('company', 'score');
const SCORE_DEAL = rowOf('deal', 'score');

/** Reads the parameters of a node whose panel holds these values. */
function read(
	values: Record<string, unknown>,
	operation = ENRICH,
	inputJson: Record<string, unknown> = {},
	expression?: string,
): CallParameters {
	return readCallParameters(panel(values), operation, inputJson, (name) => name === expression);
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
		const value = fc.jsonValue().filter((json) => !/\d{16}|e\+/.test(JSON.stringify(json)));
		fc.assert(
			fc.property(fc.dictionary(fc.string(), value), (item) => {
				const whole = { ...item, domain: 'example.com' };
				expect(read({ dataToSend: 'autoMapInputData' }, ENRICH, whole).body).toEqual(whole);
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
		[' {"a":{"b":null},"c":0} ', { a: { b: null }, c: 0 }],
		['{"domain":"a","note":"","more":null}', { domain: 'a', note: '', more: null }],
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

describe('a body without a value', () => {
	const mapped = { dataToSend: 'autoMapInputData' };
	const field = (value: unknown) => fieldsOf({ name: 'domain', value });
	const empty: Array<[Record<string, unknown>, Record<string, unknown>?]> = [
		[mapped],
		[mapped, { domain: undefined }],
		[mapped, { domain: null, name: '', tags: [], address: { city: null } }],
		[fieldsOf()],
		[{ fields: {} }],
		[field(undefined)],
		[field(null)],
		[field('')],
		[field('  ')],
		[field({ a: undefined, b: [null, ''] })],
		[field(() => 1)],
		[jsonOf('{}')],
		[jsonOf({ domain: undefined })],
		[jsonOf('{"domain":null}')],
		[jsonOf('{"domain":"","more":{"list":[{}]}}')],
	];

	it.each(empty)('is refused for a call that may be billed: %j of %j', (values, input) => {
		for (const operation of [ENRICH, SCORE_COMPANY, SCORE_DEAL]) {
			const { message, description } = problemOf(() => read(values, operation, input));
			expect(message).toBe('There is nothing to send');
			expect(description).toMatch(/value/);
		}
	});

	it('is refused for Score when it says nothing but what Score adds by itself', () => {
		const { message } = problemOf(() => read(jsonOf('{"object_type":"deal"}'), SCORE_DEAL));
		expect(message).toBe('There is nothing to send');
	});

	it.each(empty)('is fine for Prospect: %j of %j', (values, input) => {
		expect(() => read(values, PROSPECT, input)).not.toThrow();
	});

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

	it('do not make a field of Define Below one that may be listed twice', () => {
		const values = fieldsOf({ name: 'a', value: '' }, { name: 'a', value: 1 });
		expect(problemOf(() => read(values)).message).toContain('listed twice');
	});
});

describe('numbers', () => {
	const lossy = [2 ** 53, -(2 ** 53), 1e21, Number.MAX_VALUE];
	const places: Array<[string, (value: unknown) => CallParameters]> = [
		['id', (value) => read({ dataToSend: 'autoMapInputData' }, ENRICH, { a: 1, id: value })],
		['id', (value) => read(fieldsOf({ name: 'id', value }))],
		['company.ids[1]', (value) => read(jsonOf({ company: { ids: [1, value] } }))],
		['id', (value) => read(fieldsOf({ name: 'id', value }), PROSPECT)],
	];

	it.each(places)('whose digits may be lost are refused, with the name of %s', (path, readWith) => {
		for (const value of lossy) {
			const { message, description } = problemOf(() => readWith(value));
			expect(message).toContain(`"${path}"`);
			expect(description).toContain(String(value));
			expect(description).toContain('text');
		}
	});

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

	it('keep every digit of JSON that the user wrote', () => {
		const text =
			'{"id":9007199254740993,"even":9007199254740992,"more":[-123456789012345678901234567890,1e400,0.1000000000000000055511],"said":"9007199254740993"}';
		expect(writeJson(read(jsonOf(text)).body)).toBe(text);
		expect(writeJson(read(jsonOf(text), SCORE_DEAL).body)).toBe(
			`${text.slice(0, -1)},"object_type":"deal"}`,
		);
	});

	it('in JSON that an expression made are refused where their digits may be lost already', () => {
		const readExpression = (text: string) => read(jsonOf(text), ENRICH, {}, 'jsonBody');
		expect(writeJson(readExpression('{"id":9007199254740993}').body)).toBe(
			'{"id":9007199254740993}',
		);
		for (const id of ['9007199254740992', '1e+21', '1000000000000000000000']) {
			const { message } = problemOf(() => readExpression(`{"id":${id}}`));
			expect(message).toContain('"id"');
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

describe('the options', () => {
	const body = jsonOf('{"a":1}');

	it('have their defaults', () => {
		expect(read(body).limits).toEqual({ maxRetries: 4, maxWaitMs: 300_000, timeoutMs: 300_000 });
		expect(read(body).httpMethod).toBeUndefined();
		expect(read(body, PROSPECT).httpMethod).toBeUndefined();
	});

	it('hold the method for Prospect only', () => {
		const options = { httpMethod: 'GET', maxRetries: 0, timeout: 5 };
		expect(read({ ...body, options }, PROSPECT)).toMatchObject({
			httpMethod: 'GET',
			limits: { maxRetries: 0, maxWaitMs: 300_000, timeoutMs: 5 },
		});
		expect(read({ ...body, options }).httpMethod).toBeUndefined();
		const wrong = { ...body, options: { httpMethod: 'PUT' } };
		expect(problemOf(() => read(wrong, PROSPECT)).message).toContain('HTTP Method');
	});

	it('say where the result goes, and under which name', () => {
		const fieldOf = (options: object) => read({ ...body, options }).form.resultField;
		expect(fieldOf({})).toBeUndefined();
		expect(fieldOf({ includeInputFields: true })).toBe('enrich');
		expect(fieldOf({ includeInputFields: true, resultField: ' a ' })).toBe('a');
		expect(fieldOf({ includeInputFields: 'true' })).toBe('enrich');
	});

	it.each([undefined, false, 'false'])(
		'refuse a Result Field by name while Include Input Fields is %j',
		(includeInputFields) => {
			const options = { includeInputFields, resultField: 'result' };
			const problem = problemOf(() => read({ ...body, options }));
			expect(problem.message).toBe('The option Result Field works only with Include Input Fields');
			expect(problem.description).toContain('"result"');
		},
	);

	it('say whether the result comes out or the whole answer', () => {
		expect(read(body).form.output).toBe('result');
		expect(read({ ...body, options: { output: 'response' } }).form.output).toBe('response');
		const problem = problemOf(() => read({ ...body, options: { output: 'data' } }));
		expect(problem.message).toContain('Output');
		expect(problem.description).toContain('result, response');
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
		for (const sendIdenticalOnce of [true, 'true', ' True ']) {
			expect(read({ ...body, options: { sendIdenticalOnce } }).sendIdenticalOnce).toBe(true);
		}
	});

	it.each([[undefined], [null], ['']])(
		'set no limit on calls while Max Calls is %j',
		(maxCalls) => {
			expect(read({ ...body, options: { maxCalls } }).maxCalls).toBeUndefined();
			expect(read(body).maxCalls).toBeUndefined();
		},
	);

	it.each([[undefined], [null], [''], [-1], [1.5], ['ten'], [true]])(
		'refuse a Max Calls whose expression gives %j, rather than lift the limit',
		(maxCalls) => {
			const problem = problemOf(() =>
				read({ ...body, options: { maxCalls } }, ENRICH, {}, 'options.maxCalls'),
			);
			expect(problem.message).toBe('Max Calls must be a whole number of at least 0');
		},
	);

	it('take a limit on calls, none at all too', () => {
		for (const maxCalls of [0, 10, '10']) {
			expect(read({ ...body, options: { maxCalls } }).maxCalls).toBe(Number(maxCalls));
		}
	});

	it.each([
		['sendIdenticalOnce', 'Send Identical Once'],
		['previewOnly', 'Preview Only'],
		['includeInputFields', 'Include Input Fields'],
	])('refuse %s when it is neither true nor false', (name, label) => {
		for (const value of ['yes', '', 1, 0, [], {}]) {
			const problem = problemOf(() => read({ ...body, options: { [name]: value } }));
			expect(problem.message).toBe(`${label} must be true or false`);
		}
	});

	it('refuse a source of data that does not exist', () => {
		expect(problemOf(() => read({ dataToSend: 'xml' })).message).toContain('Data to Send');
	});
});
