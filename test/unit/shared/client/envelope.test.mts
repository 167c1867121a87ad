import { describe, expect, it } from 'vitest';

import {
	contextIdOf,
	readBody,
	readListEnvelope,
	resultOf,
} from '../../../../nodes/shared/client/envelope.ts';
import { ServiceFailure, type FailureFacts } from '../../../../nodes/shared/client/failures.ts';
import { thrown } from '../../thrown.mts';

const failureOf = (work: () => unknown): ServiceFailure => thrown(ServiceFailure, work);
const read = (text: string) => readBody({ statusCode: 200, headers: {}, text }, 0);
const list = (items: unknown[]) => ({
	success: true,
	data: { items },
	meta: { ctx_id: 'ctx-1', pagination: { page: 1, page_size: 10, total: items.length } },
});

describe('contextIdOf', () => {
	it.each([
		[{ meta: { ctx_id: 'ctx-1' } }, 'ctx-1'],
		[{ meta: { ctx_id: 17 } }, '17'],
		[{ ctx_id: 'ctx-2' }, 'ctx-2'],
		[{ meta: { ctx_id: { a: 1 } } }, undefined],
		[{ meta: null }, undefined],
		[[], undefined],
		['ctx', undefined],
		[undefined, undefined],
	])('reads the request ID from the body %j as %j', (body, expected) => {
		expect(contextIdOf(body)).toBe(expected);
	});

	it('returns a long request ID in full, because secrets are hidden before texts are shortened', () => {
		expect(contextIdOf({ meta: { ctx_id: 'x'.repeat(10_000) } })).toHaveLength(10_000);
	});
});

describe('readBody', () => {
	it('returns any JSON body that does not contain success: false', () => {
		expect(read('{"success":true,"data":1}')).toEqual({ success: true, data: 1 });
		expect(read('null')).toBeNull();
		expect(read('"text"')).toBe('text');
		expect(read('{"success":"false"}')).toEqual({ success: 'false' });
	});

	it.each(['', '   ', '{"data":', '<html><title>Sign in</title></html>', 'OK', "{'a':1}", '\0'])(
		'throws the failure invalidBody for the body %j',
		(text) => {
			const failure = failureOf(() => read(text));
			expect(failure).toMatchObject({ kind: 'invalidBody', facts: { statusCode: 200 } });
		},
	);

	it('throws the failure unsuccessful for success: false, with the message and the request ID', () => {
		const text = '{"success":false,"message":"No such company","meta":{"ctx_id":"ctx-9"}}';
		expect(failureOf(() => read(text))).toMatchObject({
			kind: 'unsuccessful',
			facts: { statusCode: 200, words: 'No such company', ctxId: 'ctx-9', isEnvelope: true },
		});
	});

	it.each<[string, FailureFacts]>([
		[
			'<!doctype html><title class="a"> Log &amp; in</title>',
			{ isText: true, webPage: 'Log & in' },
		],
		['<HTML><body>Down</body>', { isText: true, webPage: '' }],
		[`${' '.repeat(20_000)}<title>late</title>`, { isText: true, webPage: undefined }],
		['Bad gateway', { isText: true, webPage: undefined, words: 'Bad gateway' }],
		[' \n', { isText: false, webPage: undefined }],
		['{"message":"No"}', { isText: false, webPage: undefined, words: 'No' }],
		['{"success":false}', { isText: false, isEnvelope: true }],
		['{"meta":{}}', { isText: false, isEnvelope: true }],
	])(
		'finds the message or the title of the web page in the error response %j',
		(text, { isEnvelope = false, ...facts }: FailureFacts) => {
			const failure = failureOf(() => readBody({ statusCode: 300, headers: {}, text }, 0));
			const expected = { statusCode: 300, isEnvelope, ...facts };
			expect(failure).toMatchObject({ kind: 'status', facts: expected });
		},
	);
});

describe('readListEnvelope', () => {
	it('returns the body of a list response unchanged, with unknown fields', () => {
		const body = { ...list([{ id: 'a' }]), extra: true };
		expect(readListEnvelope(body)).toBe(body);
		expect(readListEnvelope(list([]))).toEqual(list([]));
	});

	it.each([
		...[null, undefined, [], 'text', {}, { data: null }, { data: [] }, { data: { items: null } }],
		...[{ data: { items: { length: 1 } } }, list([null]), list([{ id: 1 }, 'text']), list([[1]])],
	])('throws the failure missingItems for the body %j', (body) => {
		expect(failureOf(() => readListEnvelope(body)).kind).toBe('missingItems');
	});

	it('keeps the error message of a successful response without a list, but never text from a record', () => {
		const expired = { success: true, data: null, error: { message: 'Session expired' } };
		expect(failureOf(() => readListEnvelope(expired)).facts).toMatchObject({
			words: 'Session expired',
			isEnvelope: true,
		});
		const records = [{ description: 'Bakery' }];
		expect(failureOf(() => readListEnvelope(records)).facts).toMatchObject({
			words: '',
			isEnvelope: false,
		});
	});

	it.each([undefined, [], { ctx_id: 'a' }, { pagination: [] }, { pagination: 'next' }])(
		'throws the failure missingPagination if meta is %j',
		(meta) => {
			const body = { data: { items: [] }, meta };
			expect(failureOf(() => readListEnvelope(body)).kind).toBe('missingPagination');
		},
	);

	it.each([{ meta: { ctx_id: 'ctx-1' } }, { ...list([]), meta: { ctx_id: 'ctx-1' } }])(
		'keeps the request ID of the invalid list response %j',
		(body) => {
			expect(failureOf(() => readListEnvelope(body)).facts.ctxId).toBe('ctx-1');
		},
	);
});

describe('resultOf', () => {
	it.each([
		[{ success: true, data: { score: 1 } }, { score: 1 }],
		[{ data: [1], meta: {} }, [1]],
		[{ success: true, data: null }, null],
		[{ data: { score: 1 } }, { data: { score: 1 } }],
		[{ score: 1 }, { score: 1 }],
		[{ success: true }, { success: true }],
		['text', 'text'],
		[null, null],
		[
			[1, 2],
			[1, 2],
		],
	])('finds the result in the body %j', (body, expected) => {
		expect(resultOf(body)).toEqual(expected);
	});
});
