import { describe, expect, it } from 'vitest';

import { readMaxConcurrent } from '../../../../nodes/WorkspaceData/call/parameters.ts';
import { problemOf } from '../parameters-support.mts';
import { ENRICH, jsonOf, PROSPECT, read } from './read-call.mts';

describe('the options', () => {
	const body = jsonOf('{"a":1}');

	it('have their defaults', () => {
		expect(read(body).limits).toEqual({ maxRetries: 4, maxWaitMs: 300_000, timeoutMs: 300_000 });
		expect(read(body).request.method).toBe('POST');
		expect(read(body, PROSPECT).request.method).toBe('POST');
	});

	it('hold the method for Prospect only', () => {
		const options = { httpMethod: 'GET', maxRetries: 0, timeout: 5 };
		expect(read({ ...body, options }, PROSPECT)).toMatchObject({
			request: { method: 'GET' },
			limits: { maxRetries: 0, maxWaitMs: 300_000, timeoutMs: 5 },
		});
		expect(read({ ...body, options }).request.method).toBe('POST');
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
		expect(problem.description).toContain('result, selected, response');
	});

	it('say which fields of the result come out', () => {
		const formOf = (options: object) => read({ ...body, options }).form;
		expect(formOf({ output: 'selected', outputFields: 'domain, industry' })).toMatchObject({
			output: 'selected',
			fields: ['id', 'domain', 'industry'],
		});
		for (const options of [
			{ output: 'selected' },
			{ output: 'selected', outputFields: ' , ' },
			{ outputFields: 'domain' },
			{ output: 'response', outputFields: 'domain' },
		]) {
			expect(problemOf(() => formOf(options)).message).toBe(
				'The options Output Fields and Output: Selected Fields work only together',
			);
		}
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
		expect(read(body).key).toBeUndefined();
		for (const sendIdenticalOnce of [true, 'true', ' True ']) {
			expect(read({ ...body, options: { sendIdenticalOnce } }).key).toBeDefined();
		}
	});

	it('set no limit on calls while Max Calls is empty', () => {
		for (const options of [{}, { maxCalls: null }, { maxCalls: '' }]) {
			expect(read({ ...body, options }).maxCalls).toBeUndefined();
		}
	});

	it.each([[null], [''], [-1], ['ten']])(
		'refuse a Max Calls whose expression gives %j, rather than lift the limit',
		(maxCalls) => {
			const problem = problemOf(() =>
				read({ ...body, options: { maxCalls } }, ENRICH, {}, 'options'),
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
		for (const value of ['yes', '', 1, {}]) {
			const problem = problemOf(() => read({ ...body, options: { [name]: value } }));
			expect(problem.message).toBe(`${label} must be true or false`);
		}
	});

	it('refuse a source of data that does not exist', () => {
		expect(problemOf(() => read({ dataToSend: 'xml' })).message).toContain('Data to Send');
	});
});
