import { describe, expect, it } from 'vitest';

import { writeJson } from '../../../../nodes/shared/client/exact-json.ts';
import { problemOf } from '../parameters-support.mts';
import { ENRICH, fieldsOf, jsonOf, PROSPECT, read, SCORE_DEAL } from './read-call.mts';

it('sends fields whose names are built-in members of objects, such as __proto__', () => {
	const { body } = read(
		fieldsOf({ name: '__proto__', value: { a: 1 } }, { name: 'toString', value: 2 }),
	);
	expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
	expect(JSON.stringify(body)).toBe('{"__proto__":{"a":1},"toString":2}');
});

it('does not send fields that n8n adds to an item, such as _files, unless the user wrote these fields', () => {
	const files = { data: { id: 'filesystem:workflows/1/executions/7/binary', mimeType: 'a/b' } };
	const json = { domain: 'a.example', _files: files };
	const mapped = read({ dataToSend: 'autoMapInputData' }, ENRICH, json);
	const asJson = read(jsonOf(json), ENRICH, {}, 'jsonBody');
	for (const { body } of [mapped, asJson]) expect(body).toEqual({ domain: 'a.example' });
	expect(mapped.key).toBe(read(jsonOf({ domain: 'a.example' })).key);
	expect(read(jsonOf(JSON.stringify(json))).body).toEqual(json);
	// The node also removes fields that n8n adds from nested values and from JSON text. In an AI tool, n8n adds the
	// field toolCallId too, the ID of the model's tool call.
	const inTool = { ...json, toolCallId: 'call_1' };
	const nested: Array<[Record<string, unknown>, string]> = [
		[jsonOf({ of: [inTool] }), 'jsonBody'],
		[fieldsOf({ name: 'of', value: [inTool] }), 'fields'],
		[fieldsOf({ name: 'of', value: JSON.stringify([inTool]), type: 'array' }), 'fields'],
	];
	for (const [values, expression] of nested) {
		const { body } = read(values, ENRICH, {}, expression, 'workspaceDataTool');
		expect(body, JSON.stringify(values)).toEqual({ of: [{ domain: 'a.example' }] });
	}
});

it.each<[string, unknown]>([
	['Set', new Set(['a'])],
	['Map', new Map([['a', 1]])],
	['RegExp', /a/],
	['Error', new Error('a')],
	['Number', Object(1)],
	['Function', () => 1],
	['Symbol', Symbol('a')],
])('rejects a value of type %s, which JSON cannot represent', (type, value) => {
	const mapped = { dataToSend: 'autoMapInputData' };
	const places: Array<[string, () => unknown]> = [
		['of.in[0]', () => read(mapped, ENRICH, { domain: 'a.example', of: { in: [value] } })],
		['of', () => read(jsonOf({ domain: 'a.example', of: value }), ENRICH, {}, 'jsonBody')],
		['of', () => read(fieldsOf({ name: 'of', value }), ENRICH, {}, 'fields')],
		['of[0]', () => read(fieldsOf({ name: 'of', value: [value], type: 'array' }))],
	];
	for (const [name, work] of places) {
		const { message, description } = problemOf(work);
		expect(message).toBe(`The field "${name}" is of type ${type}, which cannot be sent`);
		expect(description).toContain('Array.from');
	}
});

it('sends dates, URLs and objects without a prototype in their JSON form', () => {
	const value = [
		new Date(0),
		new URL('https://a.example'),
		Object.assign(Object.create(null), { a: 1n }),
	];
	const text = '["1970-01-01T00:00:00.000Z","https://a.example/",{"a":1}]';
	expect(writeJson(read(fieldsOf({ name: 'of', value })).body)).toBe(`{"of":${text}}`);
});

describe('whole webhook request with keys of the caller', () => {
	const headers = { authorization: 'Bearer key-of-the-caller', cookie: 'session=1' };
	const json = { headers, params: {}, query: {}, body: { domain: 'a.example' } };
	const mapped = { dataToSend: 'autoMapInputData' };
	const message =
		'A whole webhook request would be sent, including the keys of the caller in its headers';

	it.each<[string, Record<string, unknown>, Record<string, unknown>, string?]>([
		['that is the input item', mapped, { ...json, webhookUrl: 'https://n8n.example' }],
		['inside the input item', mapped, { id: 1, requests: [json] }],
		['in the parameter JSON', jsonOf(json), {}, 'jsonBody'],
		['as text in the parameter JSON', jsonOf(JSON.stringify(json)), {}, 'jsonBody'],
		['in a field to send', fieldsOf({ name: 'of', value: json }), {}, 'fields'],
	])('refuses to send a whole webhook request %s', (_what, values, item, expression) => {
		const problem = problemOf(() => read(values, ENRICH, item, expression));
		expect(problem.message).toBe(message);
		expect(problem.description).toContain('{{ $json.body.domain }}');
		expect(`${problem.message}${problem.description}`).not.toContain('key-of-the-caller');
	});

	it('sends a whole webhook request if the user wrote it as text, or if it has no headers', () => {
		const text = JSON.stringify(json);
		expect(read(jsonOf(text)).body).toEqual(json);
		const rest = { params: {}, query: {}, body: { domain: 'a.example' } };
		expect(read(mapped, ENRICH, rest).body).toEqual(rest);
	});
});

it('rejects Auto-Map in an AI tool, because the input item contains the prompt of the agent', () => {
	const mapped = { dataToSend: 'autoMapInputData' };
	const { message, description } = problemOf(() =>
		read(mapped, ENRICH, { chatInput: 'Hi' }, undefined, 'workspaceDataTool'),
	);
	expect(message).toMatch(/^'Data to Send' of a tool cannot be Auto-Map/);
	expect(description).toContain("Set 'Data to Send' to Define Below");
});

describe('the parameter JSON', () => {
	it('sends JSON unchanged, whether it is an object or text', () => {
		expect(read(jsonOf({ a: 1 })).body).toEqual({ a: 1 });
		expect(read(jsonOf(' {"a":{"b":null},"c":0} ')).body).toEqual({ a: { b: null }, c: 0 });
	});

	it.each(['[1]', 'null', '', [1], null, 5])(
		'rejects JSON that is not an object: %j',
		(jsonBody) => {
			const { message, description } = problemOf(() => read(jsonOf(jsonBody)));
			expect(message).toBe("'JSON' must be a JSON object");
			expect(description).toContain('curly braces');
		},
	);

	it.each([
		['{ "domain": "a" ,}', 1, 18],
		['{\n\t"a": 1\n\t"b": 2\n}', 3, 2],
		['{ "a": "b', 1, 10],
		['{ "a": "b"', 1, 11],
	])('reports the line and column of the mistake in invalid JSON: %j', (jsonBody, line, column) => {
		const { message, description } = problemOf(() => read(jsonOf(jsonBody)));
		expect(message).toBe(`Invalid JSON at line ${line}, column ${column}`);
		expect(description).toMatch(
			/^Correct the parameter 'JSON': .+ in JSON at .+\.\n.*quotation marks/,
		);
	});

	it('rejects data that contradicts a fixed field of the operation', () => {
		const alone = problemOf(() => read(jsonOf({ object_type: 'deal' }), SCORE_DEAL));
		expect(alone.message).toBe('There is nothing to send');
		const told = { object_type: 'deal', name: 'x' };
		expect(read(jsonOf(told), SCORE_DEAL).body).toEqual(told);
		const wrong = jsonOf({ ...told, object_type: 'item' });
		const { message, description } = problemOf(() => read(wrong, SCORE_DEAL));
		expect(message).toMatch(/sets object_type to "?item"?, but this operation sends "?deal"?$/);
		expect(description).toMatch(/^Remove object_type .* than deal /);
	});

	it('reports invalid JSON without a line and column if JSON.parse() does not give the position', () => {
		const { message, description } = problemOf(() => read(jsonOf('{ "a": nul }')));
		expect(message).toBe('Invalid JSON');
		expect(description).toMatch(
			/^Correct the parameter 'JSON': Unexpected token .* is not valid JSON\.\n/,
		);
		expect(description).toContain('double quotation marks');
	});
});

// test/engine/WorkspaceData/call/data.test.mts tests values that the node rejects because they are empty.
it.each([0, false, 'a', ['a'], { a: [0] }])('sends the non-empty field value %j', (value) => {
	expect(read(fieldsOf({ name: 'domain', value })).body).toEqual({ domain: value });
});

describe('numbers in the data to send', () => {
	it('sends numbers that JavaScript can represent exactly', () => {
		const ids = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0.1, 1e-7, 1.5e15 + 0.5, -0];
		expect(writeJson(read(jsonOf({ ids })).body)).toBe(JSON.stringify({ ids }));
	});

	it.each([NaN, -Infinity, 2 ** 53, -(2 ** 53), 1e21])(
		'rejects the number %d, which is not finite or may have lost digits',
		(value) => {
			const { message, description } = problemOf(() => read(jsonOf({ a: { ids: [1, value] } })));
			expect(message).toContain('field "a.ids[1]"');
			expect(description).toContain(String(value));
			if (Number.isInteger(value)) expect(description).toContain("set 'Data to Send' to JSON");
		},
	);

	it('keeps every digit of numbers that the user wrote in JSON', () => {
		const text =
			'{"id":9007199254740993,"even":9007199254740992,"more":[-123456789012345678901234567890,1e400,0.1000000000000000055511],"said":"9007199254740993"}';
		const { request } = read(jsonOf(text));
		expect(request).toMatchObject({ method: 'POST', path: '/v2/enrich', bodyText: text });
	});

	it('rejects numbers in JSON from an expression if they may have lost digits', () => {
		const readExpression = (text: string) => read(jsonOf(text), ENRICH, {}, 'jsonBody');
		const exact = '{"id":9007199254740993}';
		expect(writeJson(readExpression(exact).body)).toBe(exact);
		for (const id of ['9007199254740992', '1e+21', '1000000000000000000000']) {
			expect(problemOf(() => readExpression(`{"id":${id}}`)).message).toContain('"id"');
		}
	});
});

describe('query of a GET request', () => {
	const byGet = (text: string) =>
		read({ ...jsonOf(text), options: { httpMethod: 'GET' } }, PROSPECT).request;

	it('puts text, numbers with all digits, booleans and lists into the query of a GET request, and omits null', () => {
		const { query } = byGet('{"id":9007199254740993,"no":null,"ids":["a",true,9007199254740992]}');
		expect(query).toEqual({ id: '9007199254740993', ids: ['a', true, '9007199254740992'] });
	});

	it.each(['[]', '{"country":"FR"}', '["a",{}]'])(
		'rejects the value %s in the query of a GET request',
		(value) => {
			const { message, description } = problemOf(() => byGet(`{"a":1,"where":${value}}`));
			expect(message).toBe('The field "where" cannot be sent with GET');
			expect(description).toContain("Set the option 'HTTP Method' to POST");
		},
	);
});
