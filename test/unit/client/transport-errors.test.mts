import { describe, expect, it } from 'vitest';

import { ServiceFailure, type FailureKind } from '../../../nodes/client/failures.ts';
import { bench, GET, KEY } from './transport-bench.mts';

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
