import type {
	ICredentialsDecrypted,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

import type { ApiRequest, RawResponse } from './api';
import { INVALID_ENCODING, readAnswer, type HelperAnswer } from './body-text';
import { ServiceFailure, type FailureKind } from './failures';
import type { Transport } from './request';

/** Name of the credential type that both nodes use. */
export const CREDENTIAL_TYPE = 'workspaceDataApi';

/** The node contexts of n8n that this package sends requests from. */
export type RequestContext = IExecuteFunctions | IPollFunctions | ILoadOptionsFunctions;

/** What n8n's own timeout, which also closes the connection, is given to act first, in ms. */
const GRACE_MS = 100;
/** A longer timer would end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** More redirects than this in a row are taken for a loop. */
const MOST_REDIRECTS = 5;

/** Where requests go and with which credential. */
export interface Destination {
	/** Normalised base URL of the credential. */
	baseUrl: string;
	/** The credential, decrypted once for the whole run: decrypting it for every request doubles the time of a page loop. */
	credential: ICredentialsDecrypted;
}

/**
 * Sends requests through n8n's own HTTP helper, so that n8n's proxy, TLS, domain and cancel settings hold.
 * Every status but a redirect is an answer.
 */
export function createTransport(
	context: RequestContext,
	{ baseUrl, credential }: Destination,
): Transport {
	// n8n's "Allowed HTTP Request Domains", where the user restricted the credential to specific ones.
	const { allowedHttpRequestDomains, allowedDomains: domains } = credential.data ?? {};
	const isRestricted = allowedHttpRequestDomains === 'domains' && typeof domains === 'string';
	const allowedDomains = isRestricted ? domains : undefined;
	return async (request, timeoutMs) => {
		const endMs = performance.now() + timeoutMs;
		for (let url = `${baseUrl}${request.path}`, redirects = 0; ; redirects++) {
			const leftMs = Math.max(1, Math.ceil(endMs - performance.now()));
			const timeout = Math.min(leftMs, LONGEST_TIMER_MS);
			const options: IHttpRequestOptions = { ...requestOptions(request), url, timeout };
			if (allowedDomains !== undefined) options.allowedDomains = allowedDomains;
			// What a redirect leads to has the query it needs.
			if (redirects > 0) delete options.qs;
			let hasBegun = false;
			const answer = context.helpers.httpRequestWithAuthentication
				.call(context, CREDENTIAL_TYPE, options, { credentialsDecrypted: credential })
				.then((begun: HelperAnswer) => {
					hasBegun = true;
					return begun;
				});
			const longestMs = Math.min(timeout + GRACE_MS, LONGEST_TIMER_MS);
			const read = await readAnswer(answer, longestMs).catch((error: unknown) => {
				throw failureOfThrown(error, baseUrl, timeoutMs, hasBegun);
			});
			const response = { ...read, headers: read.headers ?? {} };
			if (response.statusCode < 300 || response.statusCode >= 400) return response;
			url = targetOfRedirect(request, response, url, redirects);
		}
	};
}

/**
 * Where to send a request that was redirected. A GET is followed within its own origin (scheme, host and port). To
 * another origin nothing is followed: the key would go there, or stay behind and look like a wrong one. A POST is not
 * followed at all: it would lose its body, or be sent twice.
 *
 * @param from the address that was asked
 * @param redirects how many came before this one
 * @throws ServiceFailure `redirected` for a redirect that is not followed, with the other origin if it is that
 */
function targetOfRedirect(
	{ method }: ApiRequest,
	{ statusCode, headers }: RawResponse,
	from: string,
	redirects: number,
): string {
	const { location } = headers;
	const isAddress = typeof location === 'string' && URL.canParse(location, from);
	const to = isAddress ? new URL(location, from) : undefined;
	const origin = to !== undefined && /^https?:$/.test(to.protocol) ? to.origin : undefined;
	const isSameOrigin = origin === new URL(from).origin;
	if (to === undefined || !isSameOrigin || method !== 'GET' || redirects >= MOST_REDIRECTS) {
		const redirectedTo = isSameOrigin ? undefined : origin;
		throw new ServiceFailure('redirected', { statusCode, redirectedTo });
	}
	// Without user name, password and fragment.
	return `${to.origin}${to.pathname}${to.search}`;
}

/** What n8n's helper is told of a request, but where it goes. It changes the object, so each request gets its own. */
function requestOptions({ method, query, body, bodyText }: ApiRequest) {
	const text = bodyText ?? (body === undefined ? undefined : JSON.stringify(body));
	const hasText = text !== undefined;
	return {
		method,
		headers: { Accept: 'application/json', ...(hasText && { 'Content-Type': 'application/json' }) },
		...(query !== undefined && { qs: query as IDataObject, arrayFormat: 'repeat' as const }),
		...(hasText && { body: text }),
		// Read as text in body-text.ts, so that a body which is not JSON can be told from one that is a JSON string.
		encoding: 'stream' as const,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		sendCredentialsOnCrossOriginRedirect: false,
	};
}

const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EADDRNOTAVAIL']);
/** Never sent only where they come from connecting: an open connection can end with them too. */
const UNREACHABLE = new Set(['EHOSTDOWN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'ETIMEDOUT']);
/** What a secure connection says when it breaks off, at any time. */
const BROKEN_OFF = /BAD.RECORD.MAC|UNEXPECTED.EOF|socket hang up|aborted|terminated/i;
const INSECURE = /CERT|TLS|SSL|EPROTO|UNABLE_TO_|SELF_SIGNED/;

/**
 * Says what n8n's error means. Only codes and n8n's own sentence are kept: the error itself holds headers.
 *
 * @param hasBegun whether an answer had begun
 */
function failureOfThrown(
	error: unknown,
	baseUrl: string,
	timeoutMs: number,
	hasBegun: boolean,
): ServiceFailure {
	const chain = readErrorChain(error);
	const kind = kindOfError(chain, hasBegun);
	const { host, hostname, port, protocol } = new URL(baseUrl);
	// Where no connection is made, a mistyped port may be why; an address leaves out the usual one.
	const place = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
	return new ServiceFailure(kind, {
		code: chain.codes[0],
		timeoutMs,
		words: kind === 'blocked' ? chain.messages[0] : undefined,
		host: kind === 'notSent' ? place : host,
	});
}

function kindOfError(
	{ codes, syscalls, messages }: ReturnType<typeof readErrorChain>,
	hasBegun: boolean,
): FailureKind {
	const says = (pattern: RegExp): boolean => messages.some((message) => pattern.test(message));
	if (codes.includes('ERR_CANCELED') || says(/^(this operation was )?(cancell?ed|aborted)$/i)) {
		// A response that broke off also says "aborted", but then there is a code for it.
		if (codes.length === 0 || codes.includes('ERR_CANCELED')) return 'cancelled';
	}
	const isTimeout =
		codes.includes('ETIMEDOUT') || says(/timeout of \d+ ?ms exceeded|ESOCKETTIMEDOUT/i);
	if (codes.includes(INVALID_ENCODING)) return 'invalidBody';
	// Whatever ends an answer that has begun, the service has had the request.
	if (hasBegun) return isTimeout ? 'timeout' : 'connectionLost';
	if (codes.some((code) => NEVER_SENT.has(code)) || says(/before secure TLS connection/i)) {
		return 'notSent';
	}
	if (codes.some((code) => UNREACHABLE.has(code)) && syscalls.includes('connect')) return 'notSent';
	if (isTimeout) return 'timeout';
	if (says(BROKEN_OFF) || codes.some((code) => BROKEN_OFF.test(code))) return 'connectionLost';
	if (codes.some((code) => INSECURE.test(code))) return 'insecure';
	// A code that is not known here may have come after sending; only n8n's own refusals have none.
	return codes.length > 0 && !codes.includes('ERR_INVALID_URL') ? 'connectionLost' : 'blocked';
}

/** Collects codes, system calls and sentences of an error and of what caused it. */
function readErrorChain(error: unknown) {
	const levels: unknown[] = [error];
	// The loop goes on over what it adds; what is in a circle ends.
	for (let seen = 0; seen < Math.min(levels.length, 12); seen++) {
		const { cause, errors } = Object(levels[seen]) as { cause?: unknown; errors?: unknown };
		levels.push(cause, ...(Array.isArray(errors) ? errors : []));
	}
	const textsUnder = (name: string): string[] =>
		levels
			.flatMap((level) => (Object(level) as Record<string, unknown>)[name])
			.filter((text) => typeof text === 'string');
	return {
		codes: textsUnder('code'),
		syscalls: textsUnder('syscall'),
		messages: [...textsUnder('message'), ...textsUnder('messages')],
	};
}
