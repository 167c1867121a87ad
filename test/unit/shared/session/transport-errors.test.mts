import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';

import { ServiceFailure, type FailureKind } from '../../../../nodes/shared/client/failures.ts';
import { failureOf as endOf } from '../client/request-bench.mts';
import { bench, GET } from './transport-bench.mts';

/** Returns the failure for an error that n8n throws. */
async function failureOf(thrown: unknown): Promise<ServiceFailure> {
	return await failureWith(() => {
		throw thrown;
	});
}

/** Returns the failure for an error in the middle of a response body. */
async function failureInBody(thrown: Error): Promise<ServiceFailure> {
	const body = Readable.from(
		(function* halfOf() {
			yield Buffer.from('{"half":');
			throw thrown;
		})(),
	);
	return await failureWith(() => ({ statusCode: 200, headers: {}, body }));
}

async function failureWith(reply: () => unknown): Promise<ServiceFailure> {
	return await endOf(bench(reply).transport(GET, 1_500));
}

const coded = (code: string, message = code, more: object = {}): Error =>
	Object.assign(new Error(message), { code }, more);
/** Wraps a network error as n8n does. */
const wrapped = (cause: Error): Error => new Error('Problem in node', { cause });

/** Returns the error that V8 throws for text that is too long. */
function tooLongText(): Error {
	try {
		return new Error('x'.repeat(2 ** 30));
	} catch (error) {
		return error as Error;
	}
}

describe('an error that n8n throws', () => {
	const connectTimeout = coded('ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1', { syscall: 'connect' });
	const refused = coded('ECONNREFUSED');
	const unreachable = coded('ENETUNREACH', 'connect ENETUNREACH ::1', { syscall: 'connect' });
	const everyAddress = Object.assign(new AggregateError([refused, unreachable]), { code: 'E' });
	const inCircle = coded('ECONNREFUSED');
	inCircle.cause = inCircle;
	const cases: Array<[FailureKind, Error]> = [
		['notSent', inCircle],
		['notSent', coded('ENOTFOUND', 'getaddrinfo ENOTFOUND')],
		['notSent', coded('EAI_AGAIN')],
		['notSent', coded('EAI_FAIL', 'getaddrinfo EAI_FAIL')],
		...['EHOSTDOWN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'].flatMap(
			(code): Array<[FailureKind, Error]> => [
				['notSent', coded(code, `connect ${code} 10.0.0.1`, { syscall: 'connect' })],
				['connectionLost', coded(code, `read ${code}`, { syscall: 'read' })],
				['connectionLost', coded(code, `write ${code}`, { syscall: 'write' })],
				['connectionLost', coded(code)],
			],
		),
		['notSent', connectTimeout],
		['notSent', everyAddress],
		['notSent', coded('ECONNRESET', 'disconnected before secure TLS connection was established')],
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
		['connectionLost', coded('EPROTO', 'write EPROTO ssl3_read_n:unexpected eof while reading')],
		// This TLS handshake error has its own code. Other TLS handshake errors have the code EPROTO.
		['insecure', coded('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED')],
		...['BAD_RECORD_TYPE', 'WRONG_VERSION_NUMBER', 'INVALID_AAD', 'ANYTHING', 'UNEXPECTED_EOF'].map(
			(what): [FailureKind, Error] => ['connectionLost', coded(`ERR_SSL_${what}`)],
		),
		['cancelled', coded('ERR_CANCELED', 'canceled')],
		['cancelled', new Error('This operation was aborted')],
		['cancelled', new Error('aborted')],
		['cancelled', new Error('canceled')],
		['cancelled', coded('ERR_CANCELED', 'stopped')],
		['connectionLost', new Error('aborted by a proxy')],
		['connectionLost', new Error('it was aborted')],
		['notSent', coded('EADDRNOTAVAIL', 'connect EADDRNOTAVAIL')],
		['blocked', coded('ERR_INVALID_URL', 'Invalid URL')],
		['timeout', Object.assign(new Error('Problem'), { messages: ['timeout of 9ms exceeded'] })],
		['blocked', new Error('Domain not allowed: api.example.com')],
	];

	it.each(cases)('throws the failure %s for the n8n error %s', async (kind, thrown) => {
		expect((await failureOf(thrown)).kind).toBe(kind);
		expect((await failureOf(wrapped(thrown))).kind).toBe(kind);
	});

	const inBody: Array<[FailureKind, Error]> = [
		['tooLong', tooLongText()],
		['connectionLost', new RangeError('Invalid array length')],
		['connectionLost', coded('ECONNRESET', 'aborted')],
		['connectionLost', coded('ENETDOWN', 'read ENETDOWN', { syscall: 'read' })],
		['connectionLost', coded('ECONNREFUSED')],
		['connectionLost', coded('Z_DATA_ERROR', 'incorrect header check')],
		['connectionLost', coded('ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC')],
		['timeout', coded('ETIMEDOUT', 'read ETIMEDOUT', { syscall: 'read' })],
		['cancelled', coded('ERR_CANCELED', 'canceled')],
	];

	it.each(inBody)(
		'throws the failure %s for the n8n error %s after the response has begun',
		async (kind, thrown) => {
			expect((await failureInBody(thrown)).kind).toBe(kind);
			expect((await failureInBody(wrapped(thrown))).kind).toBe(kind);
		},
	);

	it.each([
		[coded('ECONNRESET', 'socket hang up'), { code: 'ECONNRESET' }],
		// If no connection is made, the host includes the port, because the port may be wrong.
		[coded('ECONNREFUSED'), { code: 'ECONNREFUSED', host: 'api.example.com:443' }],
		[new Error('Domain not allowed'), { words: 'Domain not allowed' }],
		// "wrong version number" always means that the other side does not use TLS.
		[coded('EPROTO', 'ssl3: wrong version number'), { code: 'ERR_SSL_WRONG_VERSION_NUMBER' }],
		[coded('EPROTO', 'tlsv1 alert handshake failure'), { code: 'EPROTO' }],
	])(
		"keeps the code, host and timeout of %s, and n8n's message if n8n blocked the request",
		async (thrown, facts) => {
			const all = { host: 'api.example.com', timeoutMs: 1_500, ...facts };
			expect((await failureOf(thrown)).facts).toEqual(all);
		},
	);

	const connect = { syscall: 'connect', address: '10.0.0.1' };

	it.each([
		[coded('ECONNREFUSED', 'connect', { ...connect, port: 3128 }), true],
		[coded('ENOTFOUND', 'getaddrinfo', { hostname: 'proxy.example' }), true],
		[new Error('Proxy connection ended before receiving CONNECT response'), true],
		[coded('ECONNREFUSED', 'connect', { ...connect, port: 443 }), undefined],
		[coded('ENOTFOUND', 'getaddrinfo', { hostname: 'api.example.com' }), undefined],
		[coded('ECONNREFUSED'), undefined],
	])(
		'detects whether a connection to a proxy or to the service failed: %s',
		async (thrown, isFromProxy) => {
			for (const error of [thrown, wrapped(thrown)]) {
				const { kind, facts } = await failureOf(error);
				expect([kind, facts.isFromProxy]).toEqual(['notSent', isFromProxy]);
			}
		},
	);

	it.each([undefined, null, 'text', 5, {}, [], { cause: { cause: {} } }])(
		'throws a ServiceFailure even if n8n throws %j',
		async (thrown) => {
			expect(await failureOf(thrown)).toBeInstanceOf(ServiceFailure);
		},
	);
});
