import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import {
	createNodeError,
	endpointFor,
	errorJson,
	InputProblem,
} from '../../../../nodes/shared/errors/node-errors.ts';
import { CREDENTIAL_KINDS, type ApiVersion } from '../../../../nodes/shared/client/credential.ts';
import { ServiceFailure } from '../../../../nodes/shared/client/failures.ts';
import { thrown } from '../../thrown.mts';

const NODE = { name: 'Workspace Data' } as INode;
const CONTEXT = {
	node: NODE,
	itemIndex: 4,
	apiVersion: 'v2',
	permission: 'a key',
	secrets: ['fake-v2-full-access-key-0123456789'],
} as const;

describe('createNodeError of a ServiceFailure', () => {
	const failure = new ServiceFailure('status', {
		statusCode: 429,
		words: 'Slow down',
		ctxId: 'ctx-5',
		recordsRead: 200,
		nextCursor: 'cursor-3',
		retryAfterMs: 400_000,
	});

	it('keeps the message, HTTP status, item index and cause of a failure in the n8n error', () => {
		const error = createNodeError(failure, CONTEXT);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'The service is receiving too many requests: "Slow down"',
			httpCode: '429',
			failure: { cause: 'rate-limited', retryAfterMs: 400_000 },
			context: {
				itemIndex: 4,
				details: { httpCode: '429', ctxId: 'ctx-5', nextCursor: 'cursor-3', recordsRead: 200 },
			},
		});
	});

	it("shows line breaks and the service's message unchanged in the panel and in error items", () => {
		const words = 'Expected <number> & "x" &amp; got none';
		const facts = { statusCode: 500, words, page: 3, recordsRead: 200, nextCursor: 'a<b>&c' };
		const refused = new ServiceFailure('status', facts);
		const error = createNodeError(refused, CONTEXT);
		expect(error.description).toContain('&lt;number&gt; &amp; "x" &amp;amp; got');
		expect(error.description).toMatch(/'Start Cursor' to:<br>a&lt;b&gt;&amp;c<br>/);
		const { message } = errorJson(error);
		expect(message).toContain(`The service said: "${words}".\n`);
		expect(message).toMatch(/'Start Cursor' to:\na<b>&c\n/);
		const alone = createNodeError(refused, { ...CONTEXT, messageAlone: true });
		expect(alone.message).toContain(words);
		expect(alone.message).toMatch(/'Start Cursor' to: a<b>&c /);
		const unknown = { statusCode: 422, words: 'No such domain.', isEnvelope: true };
		const sentences = createNodeError(new ServiceFailure('status', unknown), {
			...CONTEXT,
			values: 'the fields to send',
			messageAlone: true,
		});
		expect(sentences.message).toMatch(/^[^"]*: "No such domain\." Check /);
	});

	it('keeps the message of this package even if n8n has its own message for the network error code', () => {
		const facts = { code: 'ECONNREFUSED', host: 'enotfound.example.com' };
		const error = createNodeError(new ServiceFailure('notSent', facts), CONTEXT);
		expect(error.message).toBe('Connection refused by enotfound.example.com');
	});
});

describe('createNodeError of other values', () => {
	it.each([
		[new InputProblem("'Limit' must be whole", 'It is <b>.'), 'It is &lt;b&gt;.'],
		[new NodeOperationError(NODE, 'Expression failed', { description: '<b>Look.' }), '<b>Look.'],
	])(
		'keeps the message and description of %s in a new error with the item index',
		(original, description) => {
			const error = createNodeError(original, CONTEXT);
			expect(error).not.toBe(original);
			expect(error).toBeInstanceOf(NodeOperationError);
			const { message } = original;
			expect(error).toMatchObject({ message, description, context: { itemIndex: 4 } });
		},
	);

	it.each([
		[new RangeError('Out of range'), 'Out of range'],
		['plain text', 'plain text'],
		[{ message: 'from an object' }, 'from an object'],
	])('uses the message of the thrown value %j', (thrown, message) => {
		expect(createNodeError(thrown, CONTEXT).message).toBe(message);
	});

	it.each([undefined, null, {}, { message: 5 }, Object.create(null), new Error(''), ''])(
		'writes a message for the thrown value %j, which has no message of its own',
		(thrown) => {
			const { message } = createNodeError(thrown, CONTEXT);
			expect(message).toMatch(/\S/);
			expect(message).not.toMatch(/undefined|null|\[object/);
		},
	);
});

describe('errorJson', () => {
	it('returns only the three members that n8n routes to the error output', () => {
		const failure = new ServiceFailure('status', { statusCode: 404, ctxId: 'ctx-1' });
		const error = createNodeError(failure, CONTEXT);
		expect(errorJson(error)).toEqual({
			error: error.message,
			message: expect.stringMatching(/^Check the 'Base URL' .*\n.*: ctx-1$/),
			details: { httpCode: '404', ctxId: 'ctx-1' },
		});
	});

	it('has the same text in error and message if the error has no description', () => {
		const error = createNodeError(new RangeError('Out of range'), CONTEXT);
		const text = 'Out of range';
		expect(errorJson(error)).toEqual({ error: text, message: text, details: {} });
	});

	it('includes counts of 0 in the details of an error', () => {
		const failure = new ServiceFailure('timeout', { recordsRead: 0, total: 0 });
		const { details } = createNodeError(failure, CONTEXT).context;
		expect(details).toStrictEqual({ recordsRead: 0, total: 0 });
	});
});

describe('endpointFor', () => {
	it.each([
		[
			'an API key if two kinds of credential are allowed',
			{ v1: 1, v2: 2 },
			/^Test needs a developer API key \(v2\)/,
		],
		['the only kind that is allowed', { v1: 1 }, /^Test needs a developer access token \(v1\)/],
	])('advises a user with a third kind of credential to use %s', (_advised, endpoints, said) => {
		const kinds: Record<string, object> = CREDENTIAL_KINDS;
		const ask = () => endpointFor('Test', endpoints, 'third' as ApiVersion);
		try {
			kinds.third = { words: 'third kind' };
			expect(thrown(InputProblem, ask).message).toMatch(said);
		} finally {
			delete kinds.third;
		}
	});
});
