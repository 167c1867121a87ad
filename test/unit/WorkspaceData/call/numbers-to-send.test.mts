import { describe, expect, it } from 'vitest';

import { writeJson } from '../../../../nodes/client/exact-json.ts';
import { problemOf } from '../parameters-support.mts';
import { ENRICH, fieldsOf, jsonOf, PROSPECT, read, SCORE_DEAL } from './read-call.mts';

describe('numbers', () => {
	const lossy = [2 ** 53, -(2 ** 53), 1e21, Number.MAX_VALUE];
	const places: Array<[string, (value: unknown) => unknown]> = [
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
