import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { ApiRequest } from '../../../nodes/client/api.ts';
import { ServiceFailure, type FailureKind } from '../../../nodes/client/failures.ts';
import { createTransport } from '../../../nodes/client/transport.ts';

const BASE_URL = 'https://api.example.com/data';
const KEY = 'fake-v2-full-access-key-0123456789';
const GET: ApiRequest = {
	method: 'GET',
	path: '/v2/public/items',
	query: { limit: 5, cursor: 'c=1&x' },
	risk: 'safe',
};
const POST: ApiRequest = { method: 'POST', path: '/v2/enrich', body: { a: [1] }, risk: 'billed' };

/** An object that has the given members, and throws when anything else of it is asked for. */
function strict<T extends object>(name: string, members: Partial<T>): T {
	return new Proxy(members as T, {
		get(target, key, receiver) {
			if (Reflect.has(target, key)) return Reflect.get(target, key, receiver) as unknown;
			throw new TypeError(`${name}.${String(key)} was not set up`);
		},
	});
}

interface Call {
	self: unknown;
	credentialType: string;
	options: IHttpRequestOptions;
	additional: unknown;
}

/** A transport whose n8n answers, or throws, what `reply` gives. */
function bench(reply: () => unknown, data: Record<string, unknown> = {}) {
	const calls: Call[] = [];
	const helpers = strict<IExecuteFunctions['helpers']>('helpers', {
		async httpRequestWithAuthentication(credentialType, options, additional) {
			calls.push({ self: this, credentialType, options, additional });
			return await Promise.resolve(reply());
		},
	});
	const context = strict<IExecuteFunctions>('context', { helpers });
	const credential = {
		id: '',
		name: 'workspaceDataApi',
		type: 'workspaceDataApi',
		data: { apiKey: KEY, ...(data as Record<string, string>) },
	};
	return {
		transport: createTransport(context, { baseUrl: BASE_URL, credential }),
		calls,
		context,
		credential,
	};
}

const success = () => ({ statusCode: 200, headers: { 'x-a': '1' }, body: '{"a":1}' });

/** The failure for an error that n8n throws. */
async function failureOf(thrown: unknown): Promise<ServiceFailure> {
	const { transport } = bench(() => {
		throw thrown;
	});
	const end: unknown = await transport(GET, 1_500).catch((error: unknown) => error);
	if (end instanceof ServiceFailure) return end;
	throw new Error(`not a ServiceFailure: ${String(end)}`);
}

const coded = (code: string, message = code, more: object = {}): Error =>
	Object.assign(new Error(message), { code }, more);
/** n8n throws its own error around the one of the network. */
const wrapped = (cause: Error): Error => new Error('Problem in node', { cause });

describe('createTransport', () => {
	it('sends a GET through n8n with the credential that is already decrypted', async () => {
		const { transport, calls, context, credential } = bench(success);
		expect(await transport(GET, 1_500)).toEqual({
			statusCode: 200,
			headers: { 'x-a': '1' },
			text: '{"a":1}',
		});
		expect(calls).toHaveLength(1);
		expect(calls[0].self).toBe(context);
		expect(calls[0].credentialType).toBe('workspaceDataApi');
		expect(calls[0].additional).toEqual({ credentialsDecrypted: credential });
		expect(calls[0].options).toEqual({
			method: 'GET',
			url: `${BASE_URL}/v2/public/items`,
			headers: { Accept: 'application/json' },
			qs: { limit: 5, cursor: 'c=1&x' },
			arrayFormat: 'repeat',
			encoding: 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			sendCredentialsOnCrossOriginRedirect: false,
			timeout: 1_500,
		});
	});

	it('ends a request whose answer never becomes complete, although bytes keep n8n from seeing silence', async () => {
		const { transport } = bench(async () => await new Promise<never>(() => undefined));
		const started = performance.now();
		const end = await Promise.race([
			transport(POST, 50).catch((error: unknown) => error),
			new Promise((resolve) => setTimeout(resolve, 2_000)),
		]);
		expect(end).toMatchObject({ kind: 'timeout', facts: { timeoutMs: 50 } });
		expect(performance.now() - started).toBeLessThan(1_000);
	});

	it('has no timeout that is longer than a timer can be, which would end at once', async () => {
		const { transport, calls } = bench(success);
		await transport(POST, 99_999_999_999);
		expect(calls[0].options.timeout).toBe(2 ** 31 - 1);
	});

	it('sends a POST as JSON text', async () => {
		const { transport, calls } = bench(success);
		await transport(POST, 1);
		expect(calls[0].options).toMatchObject({
			method: 'POST',
			body: '{"a":[1]}',
			headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
			disableFollowRedirect: true,
		});
		expect(calls[0].options).not.toHaveProperty('qs');
		await transport({ method: 'DELETE', path: '/v2/public/companies/1', risk: 'acts' }, 1);
		expect(calls[1].options).toMatchObject({ method: 'DELETE', disableFollowRedirect: true });
		expect(calls[1].options).not.toHaveProperty('body');
	});

	it('follows a redirect within the origin with a new request, without the query of the first', async () => {
		const location = '/elsewhere?cursor=9';
		const replies = [{ statusCode: 302, headers: { location }, body: '' }, success()];
		const { transport, calls } = bench(() => replies.shift());
		expect(await transport(GET, 1_500)).toMatchObject({ statusCode: 200 });
		expect(calls).toHaveLength(2);
		expect(calls[1].options).toMatchObject({
			method: 'GET',
			url: 'https://api.example.com/elsewhere?cursor=9',
			disableFollowRedirect: true,
		});
		expect(calls[1].options).not.toHaveProperty('qs');
		expect(calls[1].options).not.toBe(calls[0].options);
		expect(calls[1].options.timeout).toBeLessThanOrEqual(1_500);
	});

	it('says where a redirect leads that it does not follow, as nothing of n8n', async () => {
		const headers = { location: 'https://new.example.com/x' };
		const { transport } = bench(() => ({ statusCode: 301, headers, body: '' }));
		await expect(transport(POST, 1)).rejects.toMatchObject({
			kind: 'redirected',
			facts: { redirectedTo: 'https://new.example.com', statusCode: 301 },
		});
	});

	it('makes new options for each request, since n8n changes them', async () => {
		const { transport, calls } = bench(success);
		await transport(POST, 1);
		Object.assign(calls[0].options.headers as object, { Authorization: `Bearer ${KEY}` });
		await transport(POST, 1);
		expect(calls[1].options).not.toBe(calls[0].options);
		expect(calls[1].options.headers).not.toHaveProperty('Authorization');
		expect(JSON.stringify(calls[1].options)).not.toContain(KEY);
	});

	it.each([
		[{ allowedHttpRequestDomains: 'domains', allowedDomains: 'a.example' }, 'a.example'],
		[{ allowedHttpRequestDomains: 'all', allowedDomains: 'a.example' }, undefined],
		[{}, undefined],
	])('passes the allowed domains of %j on', async (data, expected) => {
		const { transport, calls } = bench(success, data);
		await transport(GET, 1);
		expect(calls[0].options.allowedDomains).toBe(expected);
	});

	it.each([
		[undefined, ''],
		[null, ''],
		['', ''],
		[{ a: 1 }, '{"a":1}'],
		['{"a":', '{"a":'],
	])('gives the body %j as text', async (body, text) => {
		const { transport } = bench(() => ({ statusCode: 500, headers: undefined, body }));
		expect(await transport(GET, 1)).toEqual({ statusCode: 500, headers: {}, text });
	});
});

describe('what n8n throws', () => {
	const connectTimeout = coded('ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1', { syscall: 'connect' });
	const everyAddress = Object.assign(
		new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]),
		{
			code: 'ECONNREFUSED',
		},
	);
	const cases: Array<[FailureKind, Error]> = [
		['notSent', coded('ECONNREFUSED')],
		['notSent', coded('ENOTFOUND', 'getaddrinfo ENOTFOUND')],
		['notSent', coded('EAI_AGAIN')],
		['notSent', coded('EHOSTUNREACH')],
		['notSent', connectTimeout],
		['notSent', everyAddress],
		[
			'notSent',
			coded(
				'ECONNRESET',
				'Client network socket disconnected before secure TLS connection was established',
			),
		],
		['connectionLost', coded('ECONNRESET', 'socket hang up')],
		['connectionLost', coded('ECONNRESET', 'aborted')],
		['connectionLost', coded('EPIPE')],
		['connectionLost', coded('ERR_BAD_RESPONSE', 'stream has been aborted')],
		['connectionLost', coded('HPE_INVALID_CONSTANT')],
		['connectionLost', coded('ECONNABORTED', 'aborted')],
		['timeout', coded('ECONNABORTED', 'timeout of 1500ms exceeded')],
		['timeout', coded('ETIMEDOUT', 'read ETIMEDOUT', { syscall: 'read' })],
		['insecure', coded('CERT_HAS_EXPIRED')],
		['insecure', coded('DEPTH_ZERO_SELF_SIGNED_CERT')],
		['insecure', coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE')],
		['insecure', coded('EPROTO', 'write EPROTO wrong version number')],
		['insecure', coded('ERR_TLS_CERT_ALTNAME_INVALID')],
		['cancelled', coded('ERR_CANCELED', 'canceled')],
		['cancelled', new Error('This operation was aborted')],
		['blocked', new Error('Domain not allowed: api.example.com')],
	];

	it.each(cases)('is %s for %s', async (kind, thrown) => {
		expect((await failureOf(thrown)).kind).toBe(kind);
		expect((await failureOf(wrapped(thrown))).kind).toBe(kind);
	});

	it('keeps code, host and timeout', async () => {
		expect((await failureOf(wrapped(coded('ECONNRESET', 'socket hang up')))).facts).toEqual({
			code: 'ECONNRESET',
			host: 'api.example.com',
			timeoutMs: 1_500,
			words: undefined,
		});
	});

	it("keeps n8n's own sentence where n8n refused to send", async () => {
		const { facts } = await failureOf(new Error('Domain not allowed'));
		expect(facts.words).toBe('Domain not allowed');
	});

	it('keeps nothing else of the error, which holds the headers', async () => {
		const headers = { Authorization: `Bearer ${KEY}` };
		const thrown = coded('ECONNRESET', 'socket hang up', { config: { headers }, request: headers });
		const failure = await failureOf(thrown);
		expect(JSON.stringify([failure.facts, failure.message, failure.cause])).not.toContain(KEY);
	});

	it.each([undefined, null, 'text', 5, {}, [], { cause: { cause: {} } }])(
		'is still a ServiceFailure for %j',
		async (thrown) => {
			expect(await failureOf(thrown)).toBeInstanceOf(ServiceFailure);
		},
	);

	it('ends for an error that is its own cause', async () => {
		const thrown = coded('ECONNREFUSED');
		thrown.cause = thrown;
		expect((await failureOf(thrown)).kind).toBe('notSent');
	});

	it.each([coded('EHOSTDOWN'), coded('EAI_FAIL', 'getaddrinfo EAI_FAIL')])(
		'does not say that n8n refused to send for the network error %s',
		async (thrown) => {
			expect((await failureOf(thrown)).kind).not.toBe('blocked');
		},
	);
});
