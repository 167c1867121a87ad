import type {
	ICredentialsDecrypted,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

import type { ApiRequest } from './api';
import { readAnswer } from './body-text';
import { ServiceFailure, type FailureKind } from './failures';
import { sendFollowing, type SendTo } from './redirects';
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
		const send: SendTo = async (url) => {
			const leftMs = Math.max(1, Math.ceil(endMs - performance.now()));
			const timeout = Math.min(leftMs, LONGEST_TIMER_MS);
			const options = requestOptions(request, url, timeout, allowedDomains);
			// What a redirect leads to has the query it needs.
			if (url !== address) delete options.qs;
			const answer = context.helpers.httpRequestWithAuthentication.call(
				context,
				CREDENTIAL_TYPE,
				options,
				{ credentialsDecrypted: credential },
			);
			const longestMs = Math.min(timeout + GRACE_MS, LONGEST_TIMER_MS);
			const { statusCode, headers, text } = await readAnswer(answer, longestMs);
			return { statusCode, headers: headers ?? {}, text };
		};
		return await sendFollowing(request, address, send).catch((error: unknown) => {
			if (error instanceof ServiceFailure) throw error;
			throw failureOfThrown(error, baseUrl, timeoutMs);
		});
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

const NEVER_SENT = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EAI_FAIL',
	'EHOSTDOWN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ENETDOWN',
	'EADDRNOTAVAIL',
]);
const CONNECTION_LOST = new Set([
	'ECONNRESET',
	'EPIPE',
	'ERR_BAD_RESPONSE',
	'ERR_STREAM_PREMATURE_CLOSE',
	'Z_BUF_ERROR',
	'Z_DATA_ERROR',
]);
const INSECURE = /CERT|TLS|SSL|EPROTO|UNABLE_TO_|SELF_SIGNED/;

/** Says what n8n's error means. Only codes and n8n's own sentence are kept: the error itself holds headers. */
function failureOfThrown(error: unknown, baseUrl: string, timeoutMs: number): ServiceFailure {
	const { codes, syscalls, messages } = readErrorChain(error);
	const code = codes[0];
	const kind = kindOf(codes, syscalls, messages);
	const words = kind === 'blocked' ? messages[0] : undefined;
	return new ServiceFailure(kind, { code, timeoutMs, words, host: new URL(baseUrl).host });
}

function kindOf(codes: string[], syscalls: string[], messages: string[]): FailureKind {
	const says = (pattern: RegExp): boolean => messages.some((message) => pattern.test(message));
	if (codes.includes('ERR_CANCELED') || says(/^(this operation was )?(cancell?ed|aborted)$/i)) {
		// A response that broke off also says "aborted", but then there is a code for it.
		if (codes.length === 0 || codes.includes('ERR_CANCELED')) return 'cancelled';
	}
	if (codes.some((code) => NEVER_SENT.has(code)) || says(/before secure TLS connection/i)) {
		return 'notSent';
	}
	if (codes.includes('ETIMEDOUT') && syscalls.includes('connect')) return 'notSent';
	if (codes.includes('ETIMEDOUT') || says(/timeout of \d+ ?ms exceeded|ESOCKETTIMEDOUT/i)) {
		return 'timeout';
	}
	if (codes.some((code) => INSECURE.test(code))) return 'insecure';
	if (codes.some((code) => CONNECTION_LOST.has(code) || code.startsWith('HPE_'))) {
		return 'connectionLost';
	}
	if (codes.includes('ECONNABORTED') || says(/socket hang up|aborted|terminated/i)) {
		return 'connectionLost';
	}
	// A code that is not known here may have come after sending; only n8n's own refusals have none.
	return codes.length > 0 && !codes.includes('ERR_INVALID_URL') ? 'connectionLost' : 'blocked';
}

/** Collects codes, system calls and sentences of an error and of what caused it. */
function readErrorChain(error: unknown): {
	codes: string[];
	syscalls: string[];
	messages: string[];
} {
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
