import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';

import type { ApiRequest } from '../../../../nodes/shared/client/api.ts';
import { failureOf } from '../client/request-bench.mts';
import { BASE_URL, bench, GET, KEY, success } from './transport-bench.mts';

const POST: ApiRequest = { method: 'POST', path: '/v2/enrich', body: { a: [1] }, repeat: 'billed' };

describe('createTransport', () => {
	it('sends and accepts JSON, and forbids n8n to send the API key to another origin after a redirect', async () => {
		const { transport, calls } = bench(success);
		await transport(POST, 1);
		expect(calls[0]).toMatchObject({
			headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
			sendCredentialsOnCrossOriginRedirect: false,
		});
	});

	const streamed = (statusCode: number, ...pieces: Uint8Array[]) =>
		bench(() => ({ ...success(), statusCode, body: Readable.from(pieces) })).transport(POST, 1_000);

	it('reads a response body in pieces of any length, and drops a byte order mark', async () => {
		const text = '{"name":"Grüße 🎉 und 漢字"}';
		const bytes = [...Buffer.from(`\uFEFF${text}`)].map((byte) => Uint8Array.of(byte));
		expect((await streamed(200, ...bytes)).text).toBe(text);
	});

	it('rejects a successful response that is not in UTF-8, and reads an error response as well as possible', async () => {
		const latin1 = Buffer.from('{"name":"Caf\xe9"}', 'latin1');
		await expect(streamed(200, latin1)).rejects.toMatchObject({ kind: 'notUtf8' });
		expect((await streamed(404, latin1)).text).toBe('{"name":"Caf\uFFFD"}');
		// The content type does not matter, because PHP declares every response as a web page by default.
		const called = { ...success(), headers: { 'content-type': 'text/html' } };
		const { transport } = bench(() => ({ ...called, body: Readable.from([latin1]) }));
		await expect(transport(POST, 1_000)).rejects.toMatchObject({ kind: 'notUtf8' });
	});

	it('does not report a wrong encoding if the response text ends inside a character', async () => {
		const cutOff = Buffer.from('{"name":"Caf\xe9"}').subarray(0, -3);
		expect((await streamed(200, cutOff)).text).toBe('{"name":"Caf\uFFFD');
	});

	it('stops reading a response at the maximum length, and closes the connection', async () => {
		let pieces = 0;
		const endless = function* () {
			for (; ; pieces++) yield Buffer.from('ü'.repeat(1_000));
		};
		const body = Readable.from(endless());
		const { transport } = bench(() => ({ ...success(), body }));
		await expect(transport(GET, 60_000, 10_000)).rejects.toMatchObject({ kind: 'tooLong' });
		expect(body.destroyed).toBe(true);
		// Allow 20 more pieces, because a Node.js stream reads some pieces in advance.
		expect(pieces).toBeLessThan(11 + 20);
		const whole = bench(() => ({ ...success(), body: Readable.from([Buffer.from('"ü"')]) }));
		expect((await whole.transport(GET, 60_000, 3)).text).toBe('"ü"');
	});

	it('closes the connection of a response that begins after the timeout', async () => {
		const body = new Readable({ read: () => undefined });
		const { transport } = bench(async () => {
			await new Promise((resolve) => setTimeout(resolve, 100));
			return { ...success(), body };
		});
		await expect(transport(POST, 20)).rejects.toMatchObject({ kind: 'timeout' });
		await expect.poll(() => body.destroyed).toBe(true);
	});

	it('limits the timeout to the maximum of a JavaScript timer, because a longer timer fires at once', async () => {
		const { transport, calls } = bench(success);
		await transport(POST, 99_999_999_999);
		expect(calls[0].timeout).toBe(2 ** 31 - 1);
	});

	it.each(['constructor', 'prototype', '__proto__', 'toString', 'a b+c&d=ü', '\ud800'])(
		'sends a query parameter with the name %j, although n8n itself might drop it',
		async (name) => {
			const { transport, calls } = bench(success);
			const query = Object.fromEntries([[name, ['1 +', 2, true]]]) as ApiRequest['query'];
			await transport({ ...GET, query }, 1);
			const { searchParams } = new URL(calls[0].url);
			expect([...searchParams]).toEqual(['1 +', '2', 'true'].map((v) => [name.toWellFormed(), v]));
			expect(calls[0].url).not.toContain('+');
		},
	);

	it('creates new options for each request, because n8n changes the options', async () => {
		const { transport, calls } = bench(success);
		await transport(POST, 1);
		Object.assign(calls[0].headers as object, { Authorization: `Bearer ${KEY}` });
		await transport(POST, 1);
		expect(calls[1]).not.toBe(calls[0]);
		expect(calls[1].headers).not.toHaveProperty('Authorization');
		expect(JSON.stringify(calls[1])).not.toContain(KEY);
	});

	it.each([
		[{ allowedHttpRequestDomains: 'domains', allowedDomains: 'a.example' }, 'a.example'],
		[{ allowedHttpRequestDomains: 'all', allowedDomains: 'a.example' }, undefined],
		[{}, undefined],
	])('passes the allowed domains of the credential %j to n8n', async (data, expected) => {
		const { transport, calls } = bench(success, data);
		await transport(GET, 1);
		expect(calls[0].allowedDomains).toBe(expected);
	});

	it('returns empty headers for a response without headers', async () => {
		const { transport } = bench(() => ({ statusCode: 500, headers: undefined, body: 'no' }));
		expect(await transport(GET, 1)).toEqual({ statusCode: 500, headers: {}, text: 'no' });
	});
});

const FROM = new URL(`${BASE_URL}${GET.path}`);

/** Sends one request to a service that redirects it. Returns the failure and the number of requests. */
async function redirect(method: 'GET' | 'POST', statusCode: number, location: unknown) {
	const { transport, calls } = bench(() => ({ statusCode, headers: { location }, body: '' }));
	const end = await failureOf(transport({ ...GET, method }, 1_000));
	return { end: end.withoutSecrets([KEY]), sent: calls.length };
}

describe('a redirect', () => {
	it.each<[unknown, { movedTo?: string; redirectedTo?: string }]>([
		[`http://${FROM.host}${FROM.pathname}?limit=5`, { movedTo: 'http://api.example.com/data' }],
		['https://new.example.com/v2/public/items', { movedTo: 'https://new.example.com' }],
		[`//new.example.com:8443${FROM.pathname}`, { movedTo: 'https://new.example.com:8443/data' }],
		['/api/v2/public/items', { movedTo: 'https://api.example.com/api' }],
		[`https://me:word@x.example${FROM.pathname}#a`, { movedTo: 'https://x.example/data' }],
		['/elsewhere?token=1', { redirectedTo: 'https://api.example.com/elsewhere' }],
		['https://login.example.com/?next=1', { redirectedTo: 'https://login.example.com/' }],
		['items/', { redirectedTo: `${BASE_URL}/v2/public/items/` }],
		[FROM.href, { redirectedTo: FROM.href }],
		[`https://x.example/${KEY}`, { redirectedTo: 'https://x.example/[hidden]' }],
		[`https://x.example/${KEY}${GET.path}`, { movedTo: 'https://x.example/[hidden]' }],
		...[undefined, '', 'https://', 'mailto:someone@example.com', ['https://new.example.com']].map(
			(location): [unknown, object] => [
				location,
				location === '' ? { redirectedTo: FROM.href } : {},
			],
		),
	])('does not follow a redirect to %j, and reports the target', async (location, target) => {
		for (const statusCode of [300, 301, 302, 303, 304, 307, 308, 399]) {
			for (const method of ['GET', 'POST'] as const) {
				const { end, sent } = await redirect(method, statusCode, location);
				expect([end.kind, end.facts]).toEqual(['redirected', { statusCode, ...target }]);
				expect(sent).toBe(1);
			}
		}
	});
});
