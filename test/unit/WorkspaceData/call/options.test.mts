import { describe, expect, it } from 'vitest';

import { readMaxConcurrent } from '../../../../nodes/WorkspaceData/call/parameters.ts';
import { problemOf } from '../parameters-support.mts';
import { ENRICH, jsonOf, PROSPECT, read, SCORE_COMPANY, SCORE_DEAL } from './read-call.mts';

type Options = Record<string, unknown>;

const readWith = (options: Options, operation = ENRICH) =>
	read({ ...jsonOf('{"domain":"a.example"}'), options }, operation);

describe('the options', () => {
	it('have their defaults', () => {
		expect(readWith({})).toMatchObject({
			limits: { maxRetries: 4, maxWaitMs: 300_000, timeoutMs: 300_000 },
			form: { output: 'result', fields: undefined, resultField: undefined },
			isShared: false,
			days: undefined,
		});
	});

	it('hold the method for Prospect only', () => {
		expect(readWith({}, PROSPECT).request.method).toBe('POST');
		const options = { httpMethod: 'GET', maxRetries: 0, timeout: 5 };
		expect(readWith(options, PROSPECT)).toMatchObject({
			request: { method: 'GET' },
			limits: { maxRetries: 0, maxWaitMs: 300_000, timeoutMs: 5 },
		});
		expect(readWith(options).request.method).toBe('POST');
		const { message } = problemOf(() => readWith({ httpMethod: 'PUT' }, PROSPECT));
		expect(message).toContain('HTTP Method');
	});

	it.each<[Options, object]>([
		[{ includeInputFields: 'true' }, { resultField: 'enrich' }],
		[{ includeInputFields: true, resultField: ' a ' }, { resultField: 'a' }],
		[{ output: 'response' }, { output: 'response' }],
		[{ output: 'selected', outputFields: 'domain' }, { fields: ['id', 'domain'] }],
	])('%j say what comes out, and where', (options, form) => {
		expect(readWith(options).form).toMatchObject(form);
	});

	it('refuse a Result Field by name without Include Input Fields', () => {
		const problem = problemOf(() => readWith({ resultField: 'result' }));
		expect(problem.message).toBe(
			"The option 'Result Field' works only with 'Include Input Fields'",
		);
		expect(problem.description).toContain('"result"');
	});

	it.each<Options>([
		{ output: 'selected' },
		{ output: 'selected', outputFields: ' , ' },
		{ outputFields: 'domain' },
		{ output: 'response', outputFields: 'domain' },
	])('refuse %j: one without the other', (options) => {
		expect(problemOf(() => readWith(options)).message).toBe(
			"The options 'Output Fields' and 'Output': Selected Fields work only together",
		);
	});

	it('limit the requests at once to 1 to 100', () => {
		expect(readMaxConcurrent({})).toBe(5);
		expect(readMaxConcurrent({ maxConcurrent: 1 })).toBe(1);
		expect(readMaxConcurrent({ maxConcurrent: '100' })).toBe(100);
		for (const maxConcurrent of [0, 101, 'many']) {
			expect(problemOf(() => readWith({ maxConcurrent })).message).toContain('Max Concurrent');
		}
	});

	it('share calls with the same data only when that is chosen', () => {
		expect(readWith({ sendIdenticalOnce: ' True ' }).isShared).toBe(true);
	});

	it('keep results by credential and by what was sent, in the same way in every release', () => {
		const kept = { isShared: true, days: 7 };
		// Another digest here means that everybody pays for everything once more.
		const key = '3cb362c473ede993b328f006134468b65a50a63ba05957fbe93587867a1c3aed';
		expect(readWith({ reuseResultsFor: '7' })).toMatchObject({ ...kept, key });
	});

	it('limit the calls where Max Calls is there', () => {
		expect([readWith({}).maxCalls, readWith({ maxCalls: 0 }).maxCalls]).toEqual([undefined, 0]);
		expect(readWith({ maxCalls: '10' }).maxCalls).toBe(10);
	});

	it('tell calls apart by operation, by every digit, and by null, but not by the order of fields', () => {
		const texts = ['{"a":1,"b":{}}', '{"b":{},"a":1}', '{"a":1,"b":{"c":null}}', '{"a":1,"b":[]}'];
		const digits = ['2', '3'].map((last) => `{"id":900719925474099${last}7}`);
		const keyOf = (text: string, operation = ENRICH) => read(jsonOf(text), operation).key;
		const keys = [...texts, ...digits].map((text) => keyOf(text));
		expect(keys[1]).toBe(keys[0]);
		for (const row of [PROSPECT, SCORE_DEAL, SCORE_COMPANY])
			keys.push(keyOf('{"a":1,"b":{}}', row));
		expect(new Set(keys).size).toBe(8);
	});

	it.each([null, '', -1, 'ten'])(
		'refuse a Max Calls whose expression gives %j, rather than lift the limit',
		(maxCalls) => {
			const values = { ...jsonOf('{"a":1}'), options: { maxCalls } };
			const problem = problemOf(() => read(values, ENRICH, {}, 'options'));
			expect(problem.message).toBe("'Max Calls' must be a whole number of at least 0");
		},
	);
});
