import { describe, expect, it } from 'vitest';

import { NO_RESULT, whyNotReusable } from '../../../../nodes/WorkspaceData/response-to-items.ts';
import { ENRICH, PROSPECT } from './read-call.mts';

/** Returns the reason why Keep Results does not keep a response, or undefined if it keeps the response. */
function whyNot(
	body: unknown,
	{ statusCode = 200, onlyWith = [] as string[], operation = ENRICH } = {},
): string | undefined {
	return whyNotReusable({ statusCode, body }, operation, onlyWith);
}

const ok = (data: unknown, more: object = {}) => ({ success: true, data, meta: {}, ...more });
const isError = 'the response contains an error, or its status is not 200 or 201';

describe('Keep Results', () => {
	it.each<[string, unknown]>([
		['a field name that contains "error"', { score: 0.8, error_margin: 0.02 }],
		['a nested name that contains "error"', ok({ domain: 'a', stats: { mirror_errors_total: 3 } })],
		['an error inside a list', ok({ contacts: [{ error: 'no phone' }], domain: 'a' })],
		['a nested success: false', ok({ checks: { success: false } })],
		['the value false', ok({ is_customer: false })],
		['the value 0', ok({ score: 0 })],
		['text as data', ok('a summary')],
		[
			'an error without values',
			ok({ domain: 'a', error: { code: 0, message: '' } }, { errors: [] }),
		],
		['an unknown status text', { job_id: 5, status: 'processing' }],
		['only a message', { message: 'accepted, come back later' }],
		['a company beside "success"', { success: true, company: { domain: 'a' } }],
		['fields beside "meta"', { domain: 'a', employees: 0, meta: { ctx_id: 'c' } }],
	])('keeps a response with %s: %j', (_what, body) => {
		expect(whyNot(body)).toBeUndefined();
		expect(whyNot(body, { statusCode: 201 })).toBeUndefined();
		for (const statusCode of [202, 204]) expect(whyNot(body, { statusCode })).toBe(NO_RESULT);
		for (const statusCode of [203, 206]) expect(whyNot(body, { statusCode })).toBe(isError);
	});

	it.each<[string, unknown, string?]>([
		['no members', {}],
		['only "success"', { success: true }],
		['only "success" and "meta"', { success: true, meta: { ctx_id: 'c' } }],
		['empty data', ok({})],
		['null as data', ok(null)],
		['an empty list as data', ok([])],
		['only empty fields', ok({ name: null, city: ' ', tags: [] })],
		['only "success" and a message', { success: true, message: 'accepted' }],
		[
			'only empty values beside "success"',
			{ success: true, company: { name: ' ' }, errors: [], meta: { a: 1 } },
		],
		['only errors beside "meta"', { meta: {}, error: { code: 5 }, errors: ['a'] }],
		['an error at the top of the response', ok({ domain: 'a' }, { error: 'timeout' }), isError],
		['an error at the top of the result', ok({ domain: 'a', errors: [{ code: 5 }] }), isError],
		['success: false in the result', ok({ domain: 'a', success: false }), isError],
	])('does not keep a response with %s: %j', (_what, body, why = NO_RESULT) => {
		expect(whyNot(body)).toBe(why);
	});

	it.each([
		[ok({ items: [] }), NO_RESULT],
		[ok({ items: [], total: 0 }), NO_RESULT],
		[ok({ items: [{ name: 'a', errors: ['x'] }] }), undefined],
		[{ success: true, items: [{ name: 'a' }] }, undefined],
		[{ success: true, items: [] }, NO_RESULT],
	])('keeps a list of results only if the results have values: %j', (body, why) => {
		expect(whyNot(body, { operation: PROSPECT })).toBe(why);
	});
});

describe('Required Fields', () => {
	const onlyWith = ['employees', 'city'];

	it.each<[unknown, string | undefined]>([
		[ok({ employees: 0, city: 'Kiel' }), undefined],
		[ok({ employees: null, city: 'Kiel' }), 'no value in "employees"'],
		[{ message: 'accepted, come back later' }, 'no value in "employees", "city"'],
		[{ job_id: 5, status: 'processing' }, 'no value in "employees", "city"'],
	])('keeps a response only if each required field has a value: %j', (body, why) => {
		expect(whyNot(body, { onlyWith })).toBe(why);
	});

	it.each<[unknown, string | undefined]>([
		[ok({ company: { employees: 0 } }), undefined],
		[ok({ 'company.employees': 5, company: {} }), undefined],
		[{ success: true, company: { employees: 5 } }, undefined],
		[ok({ domain: 'a', company: { employees: ' ' } }), 'no value in "company.employees"'],
		[ok({ company: 5 }), 'no value in "company.employees"'],
	])('looks for the required field company.employees in nested objects: %j', (body, why) => {
		expect(whyNot(body, { onlyWith: ['company.employees'] })).toBe(why);
	});

	it('keeps a list only if every result has a value in each required field', () => {
		const found = ok({ items: [{ employees: 5 }, { name: 'a' }] });
		const options = { operation: PROSPECT, onlyWith: ['employees'] };
		expect(whyNot(found, options)).toBe('no value in "employees"');
		expect(whyNot(ok({ items: [{ employees: 5 }] }), options)).toBeUndefined();
	});
});
