import type {
	ICredentialsDecrypted,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

import type { ApiRequest } from './api';
import { INVALID_ENCODING, readAnswer, type HelperAnswer } from './body-text';
import { ServiceFailure, type FailureKind } from './failures';
import { isRedirect, targetOfRedirect } from './redirects';
import type { Transport } from './request';

/** Name of the credential type that both nodes use. */
export const CREDENTIAL_TYPE = 'workspaceDataApi';

/** The node contexts of n8n that this package sends requests from. */
export type RequestContext = IExecuteFunctions | IPollFunctions | ILoadOptionsFunctions;

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
export function createTransport(context: RequestContext, destination: Destination): Transport {
	const { baseUrl, credential } = destination;
	const allowedDomains = allowedDomainsOf(credential.data);
	return async (request, timeoutMs) => {
		const address = `${baseUrl}${request.path}`;
		const endMs = performance.now() + timeoutMs;
		for (let url = address, redirects = 0; ; redirects++) {
			const leftMs = Math.max(1, Math.ceil(endMs - performance.now()));
			const timeout = Math.min(leftMs, LONGEST_TIMER_MS);
			const options = requestOptions(request, url, timeout, allowedDomains);
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
				throw failureOfThrown(error, { baseUrl, timeoutMs, hasBegun });
			});
			const response = { ...read, headers: read.headers ?? {} };
			if (!isRedirect(response)) return response;
			url = targetOfRedirect(request, response, url, redirects);
		}
	};
}

/** What n8n's own timeout, which also closes the connection, is given to act first, in ms. */
const GRACE_MS = 100;
/** A longer timer would end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** n8n's helper changes the object it is given, so each request gets its own. */
function requestOptions(
	{ method, query, body, bodyText }: ApiRequest,
	url: string,
	timeout: number,
	allowedDomains: string | undefined,
): IHttpRequestOptions {
	const options: IHttpRequestOptions = {
		method,
		url,
		headers: { Accept: 'application/json' },
		// Read as text in body-text.ts, so that a body which is not JSON can be told from one that is a JSON string.
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		sendCredentialsOnCrossOriginRedirect: false,
		timeout,
	};
	if (allowedDomains !== undefined) options.allowedDomains = allowedDomains;
	if (query !== undefined) {
		options.qs = query as IDataObject;
		options.arrayFormat = 'repeat';
	}
	const text = bodyText ?? (body === undefined ? undefined : JSON.stringify(body));
	if (text !== undefined) {
		options.headers = { ...options.headers, 'Content-Type': 'application/json' };
		options.body = text;
	}
	return options;
}

/** n8n's "Allowed HTTP Request Domains" of the credential, where the user restricted it to specific domains. */
function allowedDomainsOf(data: ICredentialsDecrypted['data']): string | undefined {
	if (data?.allowedHttpRequestDomains !== 'domains') return undefined;
	return typeof data.allowedDomains === 'string' ? data.allowedDomains : undefined;
}

const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EADDRNOTAVAIL']);
/** Never sent only where they come from connecting: an open connection can end with them too. */
const UNREACHABLE = new Set(['EHOSTDOWN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'ETIMEDOUT']);
/** What a secure connection says when it breaks off, at any time. */
const BROKEN_OFF = /BAD.RECORD.MAC|UNEXPECTED.EOF|socket hang up|aborted|terminated/i;
const INSECURE = /CERT|TLS|SSL|EPROTO|UNABLE_TO_|SELF_SIGNED/;

/** When an error came: of which request, and whether its answer had begun. */
interface Moment {
	baseUrl: string;
	timeoutMs: number;
	hasBegun: boolean;
}

/** Says what n8n's error means. Only codes and n8n's own sentence are kept: the error itself holds headers. */
function failureOfThrown(error: unknown, { baseUrl, timeoutMs, hasBegun }: Moment): ServiceFailure {
	const chain = readErrorChain(error);
	const code = chain.codes[0];
	const kind = kindOf(chain, hasBegun);
	const words = kind === 'blocked' ? chain.messages[0] : undefined;
	const { host, hostname, port, protocol } = new URL(baseUrl);
	// Where no connection is made, a mistyped port may be why; an address leaves out the usual one.
	const place = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
	return new ServiceFailure(kind, {
		code,
		timeoutMs,
		words,
		host: kind === 'notSent' ? place : host,
	});
}

function kindOf({ codes, syscalls, messages }: ErrorChain, hasBegun: boolean): FailureKind {
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

interface ErrorChain {
	codes: string[];
	syscalls: string[];
	messages: string[];
}

/** Collects codes, system calls and sentences of an error and of what caused it. */
function readErrorChain(error: unknown): ErrorChain {
	const codes: string[] = [];
	const syscalls: string[] = [];
	const messages: string[] = [];
	const queue: unknown[] = [error];
	for (let seen = 0; queue.length > 0 && seen < 12; seen++) {
		const level = queue.shift();
		if (typeof level !== 'object' || level === null) continue;
		const {
			code,
			syscall,
			message,
			cause,
			errors,
			messages: kept,
		} = level as Record<string, unknown>;
		if (typeof code === 'string') codes.push(code);
		if (typeof syscall === 'string') syscalls.push(syscall);
		if (typeof message === 'string') messages.push(message);
		if (Array.isArray(kept)) messages.push(...kept.filter((entry) => typeof entry === 'string'));
		queue.push(cause, ...(Array.isArray(errors) ? errors : []));
	}
	return { codes, syscalls, messages };
}
