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
			keeping: undefined,
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

	it.each<[Options, string, string]>([
		[{ resultField: 'result' }, 'Result Field', "'Include Input Fields'"],
		[{ keepOnlyWith: 'a' }, 'Keep Only Results With', "'Reuse Results For (Days)'"],
		[
			{ identifyBy: 'a', sendIdenticalOnce: false },
			'Identify By',
			"'Send Identical Once' or 'Reuse Results For (Days)'",
		],
	])('refuse %j: it means nothing without another', (options, label, others) => {
		const problem = problemOf(() => readWith(options));
		expect(problem.message).toBe(`The option '${label}' works only with ${others}`);
		expect(problem.description).toMatch(
			/^Add the option .*, or remove .* \(it is "(result|a)"\)\.$/,
		);
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
		const kept = { isShared: true, keeping: { days: 7, onlyWith: [] } };
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

	it.each(['identifyBy', 'keepOnlyWith'])('refuse %s where it names nothing', (name) => {
		const problem = problemOf(() => readWith({ reuseResultsFor: 7, [name]: ' , ' }));
		expect(problem.message).toMatch(/^'.*' names no field$/);
		expect(problemOf(() => readWith({ reuseResultsFor: 7, [name]: 5 })).message).toContain(
			'must be names separated by commas',
		);
	});
});

describe('Identify By', () => {
	const keyOf = (body: object, identifyBy: unknown = 'domain, vat_id', operation = ENRICH) =>
		read({ ...jsonOf(body), options: { sendIdenticalOnce: true, identifyBy } }, operation).key;
	const one = keyOf({ domain: 'acme.example', changed: 1 });

	it.each([
		{ domain: ' Acme.Example\n', changed: 2 },
		{ domain: 'ACME.EXAMPLE' },
		{ domain: 'acme.example', vat_id: ' ' },
		{ domain: 'acme.example', vat_id: null },
	])('makes %j the same company', (body) => {
		expect(keyOf(body)).toBe(one);
		expect(keyOf(body, ['vat_id', 'domain'])).toBe(one);
	});

	it.each([
		{ domain: 'acme.example.com' },
		{ domain: 'acme.example', vat_id: 5 },
		{ vat_id: 'acme.example' },
		{ domain: ['acme.example'] },
	])('makes %j another', (body) => {
		expect(keyOf(body)).not.toBe(one);
	});

	it('looks into lists and objects, and keeps every digit', () => {
		const long = '{"domain":{"Ids":[9007199254740993," A"]}}';
		const ofText = (jsonBody: string) => keyOf(jsonBody as never);
		expect(ofText(long.replace(' A', 'a '))).toBe(ofText(long));
		expect(ofText(long.replace('993', '992'))).not.toBe(ofText(long));
		expect(ofText(long.replace('Ids', 'ids'))).not.toBe(ofText(long));
	});

	it('is never equal to a call for which all that is sent counts', () => {
		const all = read({
			...jsonOf({ domain: 'acme.example' }),
			options: { sendIdenticalOnce: true },
		});
		expect(keyOf({ domain: 'acme.example' })).not.toBe(all.key);
	});

	it('keeps operations of one path apart', () => {
		const [company, deal] = [SCORE_COMPANY, SCORE_DEAL].map((operation) =>
			keyOf({ id: 5 }, 'id', operation),
		);
		expect(company).not.toBe(deal);
	});

	it.each([
		[{ name: 'Acme' }, ENRICH],
		[{ domain: ' ', vat_id: null, name: 'Acme' }, ENRICH],
		[{ name: 'Acme', object_type: 'deal' }, SCORE_DEAL],
	])('refuses %j, which sends none of its fields', (body, operation) => {
		const problem = problemOf(() => keyOf(body, 'domain, object_type', operation));
		expect(problem.message).toBe(
			"This item sends none of the fields that 'Identify By' names: domain, object_type",
		);
		expect(problem.description).toBe(
			"Send one of them with a value, or correct 'Identify By'. Names are case-sensitive.",
		);
	});
});
