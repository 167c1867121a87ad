import { describe, expect, it } from 'vitest';

import { readMaxConcurrent } from '../../../../nodes/WorkspaceData/call/parameters.ts';
import { problemOf } from '../parameters-support.mts';
import { ENRICH, jsonOf, PROSPECT, read } from './read-call.mts';

type Options = Record<string, unknown>;

const readWith = (options: Options, operation = ENRICH) =>
	read({ ...jsonOf('{"domain":"a.example"}'), options }, operation);

describe('the options', () => {
	it('have their defaults', () => {
		expect(readWith({})).toMatchObject({
			limits: { maxRetries: 4, maxWaitMs: 300_000, timeoutMs: 300_000 },
			form: { output: 'result', fields: undefined, resultField: undefined },
			isShared: false,
			content: '',
			keeping: undefined,
			previewOnly: false,
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
		expect(problemOf(() => readWith({ httpMethod: 'PUT' }, PROSPECT)).message).toContain(
			'HTTP Method',
		);
	});

	it.each<[Options, object]>([
		[{ includeInputFields: true }, { resultField: 'enrich' }],
		[{ includeInputFields: true, resultField: ' a ' }, { resultField: 'a' }],
		[{ includeInputFields: 'true' }, { resultField: 'enrich' }],
		[{ output: 'response' }, { output: 'response' }],
		[
			{ output: 'selected', outputFields: 'domain, industry' },
			{ output: 'selected', fields: ['id', 'domain', 'industry'] },
		],
	])('%j say what comes out, and where', (options, form) => {
		expect(readWith(options).form).toMatchObject(form);
	});

	it.each([undefined, false, 'false'])(
		'refuse a Result Field by name while Include Input Fields is %j',
		(includeInputFields) => {
			const problem = problemOf(() => readWith({ includeInputFields, resultField: 'result' }));
			expect(problem.message).toBe('The option Result Field works only with Include Input Fields');
			expect(problem.description).toContain('"result"');
		},
	);

	it.each<Options>([
		{ output: 'selected' },
		{ output: 'selected', outputFields: ' , ' },
		{ outputFields: 'domain' },
		{ output: 'response', outputFields: 'domain' },
	])('refuse %j: one without the other', (options) => {
		expect(problemOf(() => readWith(options)).message).toBe(
			'The options Output Fields and Output: Selected Fields work only together',
		);
	});

	it('limit the requests at once to 1 to 100', () => {
		expect(readMaxConcurrent({})).toBe(5);
		expect([1, '7', 100].map((maxConcurrent) => readMaxConcurrent({ maxConcurrent }))).toEqual([
			1, 7, 100,
		]);
		for (const maxConcurrent of [0, 101, 1.5, 'many', -1]) {
			const options = { maxConcurrent };
			expect(problemOf(() => readMaxConcurrent(options)).message).toContain('Max Concurrent');
			expect(problemOf(() => readWith(options)).message).toContain('Max Concurrent');
		}
	});

	it('share calls with the same data only when that is chosen', () => {
		for (const sendIdenticalOnce of [true, 'true', ' True ']) {
			expect(readWith({ sendIdenticalOnce }).isShared).toBe(true);
		}
	});

	it('keep results by credential and by what was sent, in the same way in every release', () => {
		const { keeping, isShared, content } = readWith({ reuseResultsFor: '7' });
		expect([isShared, content]).toEqual([
			true,
			'session ["POST","/v2/enrich",{"domain":"a.example"}]',
		]);
		// Another digest here means that everybody pays for everything once more.
		expect(keeping).toEqual({
			key: '3cb362c473ede993b328f006134468b65a50a63ba05957fbe93587867a1c3aed',
			days: 7,
		});
	});

	it.each([
		[undefined, undefined],
		[null, undefined],
		['', undefined],
		[0, 0],
		['10', 10],
	])('with Max Calls at %j limit the calls to %j', (maxCalls, most) => {
		expect(readWith({ maxCalls }).maxCalls).toBe(most);
	});

	it.each([null, '', -1, 'ten'])(
		'refuse a Max Calls whose expression gives %j, rather than lift the limit',
		(maxCalls) => {
			const values = { ...jsonOf('{"a":1}'), options: { maxCalls } };
			const problem = problemOf(() => read(values, ENRICH, {}, 'options'));
			expect(problem.message).toBe('Max Calls must be a whole number of at least 0');
		},
	);

	it.each([
		['sendIdenticalOnce', 'Send Identical Once'],
		['previewOnly', 'Preview Only'],
		['includeInputFields', 'Include Input Fields'],
	])('refuse %s when it is neither true nor false', (name, label) => {
		for (const value of ['yes', '', 1, {}]) {
			const problem = problemOf(() => readWith({ [name]: value }));
			expect(problem.message).toBe(`${label} must be true or false`);
		}
	});

	it('refuse a source of data, or an output, that does not exist', () => {
		expect(problemOf(() => read({ dataToSend: 'xml' })).message).toContain('Data to Send');
		const { description } = problemOf(() => readWith({ output: 'data' }));
		expect(description).toContain('result, selected, response');
	});
});
