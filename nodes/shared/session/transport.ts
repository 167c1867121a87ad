import type {
	ICredentialsDecrypted,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';

import type { ApiRequest, RawResponse, RequestLimits, Transport } from '../client/api';
import { webAddressOf } from '../client/credential';
import { NOT_TLS, ServiceFailure, type FailureKind } from '../client/failures';

export const CREDENTIAL_TYPE = 'workspaceDataApi';

/** n8n contexts from which requests can be sent: an execution, a poll, or the loading of a dropdown list. */
export type RequestContext = IExecuteFunctions | IPollFunctions | ILoadOptionsFunctions;

/** Maximum delay of a Node.js timer, in ms. A timer with a longer delay would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Returns a function that sends a request through n8n's HTTP helper, so that n8n's settings for proxies, TLS, allowed
 * domains and cancelling apply. It throws ServiceFailure for a redirect, because following it could drop filters,
 * reveal the key to another server, or send a paid call twice.
 * @param credential already decrypted, because decrypting it for every request would double the time of a long list
 */
export function createTransport(
	context: RequestContext,
	{ baseUrl, credential }: { baseUrl: string; credential: ICredentialsDecrypted },
): Transport {
	// Send requests only to "Allowed HTTP Request Domains", if the user chose specific domains in the credential.
	const { allowedHttpRequestDomains: allowed, allowedDomains } = credential.data ?? {};
	const restriction = allowed === 'domains' ? { allowedDomains: allowedDomains as string } : {};
	const decrypted = { credentialsDecrypted: credential };
	/** Sends a request with n8n's HTTP helper, and returns the whole response. */
	return async function transport(request, limits) {
		const { httpRequestWithAuthentication: send } = context.helpers;
		const timeout = Math.min(limits.timeoutMs, MAX_TIMER_MS);
		const options = { ...helperOptions(request, baseUrl), ...restriction, timeout };
		const pending = send.call(context, CREDENTIAL_TYPE, options, decrypted);
		const response = await readResponse(pending, { ...limits, timeoutMs: timeout }, baseUrl);
		if (response.statusCode < 300 || response.statusCode >= 400) return response;
		throw redirected(request, response, baseUrl);
	};
}

/**
 * Reads the response as a stream, because n8n's helper would keep a second copy of the text in memory for a long time.
 * `timeoutMs` limits the whole response, because n8n's own timeout starts again with each chunk.
 */
async function readResponse(
	pending: Promise<IN8nHttpFullResponse>,
	{ timeoutMs, maxCharacters = Infinity }: Pick<RequestLimits, 'timeoutMs' | 'maxCharacters'>,
	baseUrl: string,
): Promise<RawResponse> {
	const timer = AbortSignal.timeout(timeoutMs);
	let end = (): void => {};
	const tooLate = new Promise<never>((_resolve, reject) => {
		end = () => reject(Object.assign(new Error('No whole answer'), { code: 'ETIMEDOUT' }));
		timer.addEventListener('abort', end);
	});
	let hasBegun = false;
	try {
		const { statusCode, headers = {}, body } = await Promise.race([pending, tooLate]);
		hasBegun = true;
		const whole = readText(body, statusCode < 300, maxCharacters);
		const text = await Promise.race([whole, tooLate]);
		return { statusCode, headers, text };
	} catch (error) {
		throw failureOfThrown(error, baseUrl, hasBegun).with({ timeoutMs });
	} finally {
		timer.removeEventListener('abort', end);
		// Close the connection if the response was not read to its end, or if it begins only after the timeout.
		void pending.then(({ body }) => isStream(body) && body.destroy()).catch(() => undefined);
	}
}

function isStream(body: unknown): body is NodeJS.ReadableStream & { destroy: () => void } {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** Reads a response body as UTF-8 text. If `isSuccess` is true, bytes that are not UTF-8 cause an error. */
async function readText(body: unknown, isSuccess: boolean, maxCharacters: number): Promise<string> {
	if (!isStream(body)) return typeof body === 'string' ? body : '';
	let decoder: { decode: (piece?: Buffer, options?: { stream: boolean }) => string } | undefined;
	let text = '';
	for await (const piece of body as AsyncIterable<Buffer>) {
		// TextDecoder is faster than the decoder of the stream, and removes a byte order mark.
		decoder ??= new TextDecoder('utf-8', { fatal: isSuccess });
		text += decoder.decode(piece, { stream: true });
		if (text.length > maxCharacters) throw new ServiceFailure('tooLong');
	}
	return decoder === undefined ? '' : text + endOf(decoder);
}

/** Returns the last characters, or U+FFFD if the body ends inside a character, so that it is not valid JSON. */
function endOf(decoder: { decode: () => string }): string {
	try {
		return decoder.decode();
	} catch {
		return '\ufffd';
	}
}

/** Returns the failure for a redirect, without the query, fragment and user of the address, which may hold secrets. */
function redirected({ path }: ApiRequest, response: RawResponse, baseUrl: string): ServiceFailure {
	const { statusCode, headers } = response;
	const from = `${baseUrl}${path}`;
	const to = webAddressOf(headers.location, from);
	if (to === undefined) return new ServiceFailure('redirected', { statusCode });
	const address = `${to.origin}${to.pathname}`;
	const isMoved = address.endsWith(path) && address !== from;
	const target = isMoved ? { movedTo: address.slice(0, -path.length) } : { redirectedTo: address };
	return new ServiceFailure('redirected', { statusCode, ...target });
}

/** Returns the options for n8n's HTTP helper. The helper changes the object, so each request needs a new one. */
function helperOptions({ method, path, query, body, bodyText }: ApiRequest, baseUrl: string) {
	const text = bodyText ?? (body && JSON.stringify(body));
	const hasText = text !== undefined;
	return {
		method,
		url: `${baseUrl}${path}${addressOf(query)}`,
		headers: { Accept: 'application/json', ...(hasText && { 'Content-Type': 'application/json' }) },
		...(hasText && { body: text }),
		// Get the body as a stream. If n8n parsed the body, text that is not JSON would look the same as a JSON string.
		encoding: 'stream' as const,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		sendCredentialsOnCrossOriginRedirect: false,
	};
}

/** Returns the query string. n8n's HTTP helper would drop names such as `constructor`. */
function addressOf(query: ApiRequest['query'] = {}): string {
	const pairs = Object.entries(query).flatMap(([name, value]) =>
		[value].flat().map((one): [string, string] => [name, String(one)]),
	);
	const text = String(new URLSearchParams(pairs)).replaceAll('+', '%20');
	return text && `?${text}`;
}

/** Error codes which mean that no connection was made, and that the request was therefore never sent. */
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EADDRNOTAVAIL'];
/** These codes mean "not sent" only if `connect` failed. An open connection can fail with them too. */
const UNREACHABLE = ['EHOSTDOWN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'ETIMEDOUT'];
/** Matches the error messages of connections that broke, during the TLS handshake or later. */
const BROKEN_OFF = /BAD.RECORD.MAC|UNEXPECTED.EOF|socket hang up|aborted|terminated/i;
/** Error codes of failed TLS handshakes. The other ERR_SSL_* codes can occur after a request was sent. */
const INSECURE = /^EPROTO$|CERT|UNABLE_TO_|SELF_SIGNED/;

/** Error message of n8n's proxy agent if the proxy closes a connection before it is established. */
const PROXY_GAVE_UP = /^proxy connection ended/i;

/** Returns the failure for an error of n8n's HTTP helper, without the error, which contains the key. */
function failureOfThrown(error: unknown, baseUrl: string, hasBegun: boolean): ServiceFailure {
	if (error instanceof ServiceFailure) return error;
	const chain = readErrorChain(error);
	const kind = kindOfError(chain, hasBegun);
	const { host, hostname, port, protocol } = new URL(baseUrl);
	// If no connection was made, show the port, because it may be mistyped. `URL.port` is empty for the default port.
	const usualPort = Number(port) || (protocol === 'https:' ? 443 : 80);
	const isElsewhere =
		chain.ports.some((one) => one !== usualPort) || chain.hosts.some((one) => one !== hostname);
	return new ServiceFailure(kind, {
		code: chain.says(/wrong.version.number/i) ? NOT_TLS : chain.codes[0],
		words: kind === 'blocked' ? chain.messages[0] : undefined,
		host: kind === 'notSent' ? `${hostname}:${usualPort}` : host,
		isFromProxy: (kind === 'notSent' && (isElsewhere || chain.says(PROXY_GAVE_UP))) || undefined,
	});
}

function kindOfError(
	{ codes, syscalls, says }: ReturnType<typeof readErrorChain>,
	hasBegun: boolean,
): FailureKind {
	// Without an error code, "aborted" means cancelled. With a code, it means that the response broke off.
	const isWithoutCode = codes.length === 0 && says(/^(this operation was )?(cancell?ed|aborted)$/i);
	if (isWithoutCode || codes.includes('ERR_CANCELED')) return 'cancelled';
	const isTimeout = codes.includes('ETIMEDOUT') || says(/timeout of \d+ ?ms|ESOCKETTIMEDOUT/i);
	// The body is not UTF-8 (docs/maintainers/assumptions.md, A8).
	if (codes.includes('ERR_ENCODING_INVALID_ENCODED_DATA')) return 'notUtf8';
	// V8 throws an error with this message if a string is longer than about half a gigabyte.
	if (hasBegun && says(/^Invalid string length$/)) return 'tooLong';
	// The service must have received the request, because its response has begun.
	if (hasBegun) return isTimeout ? 'timeout' : 'connectionLost';
	const isUnconnected = says(PROXY_GAVE_UP) || says(/before secure TLS connection/i);
	const neverSent = syscalls.includes('connect') ? [...NEVER_SENT, ...UNREACHABLE] : NEVER_SENT;
	if (isUnconnected || codes.some((code) => neverSent.includes(code))) return 'notSent';
	if (isTimeout) return 'timeout';
	if (says(BROKEN_OFF)) return 'connectionLost';
	if (codes.some((code) => INSECURE.test(code))) return 'insecure';
	// With an unknown code, the request may have been sent. Without a code, n8n itself refused to send it.
	return codes.length > 0 && !codes.includes('ERR_INVALID_URL') ? 'connectionLost' : 'blocked';
}

/** Collects the codes, messages and addresses of an error and of all its causes. */
function readErrorChain(error: unknown) {
	const levels = new Set([error]);
	// The loop also visits the errors that it adds. The set holds each error once, so circular causes end the loop.
	for (const level of levels) {
		const { cause, errors } = Object(level) as { cause?: unknown; errors?: unknown };
		for (const one of [cause, ...(Array.isArray(errors) ? errors : [])]) levels.add(one);
	}
	const records = [...levels].map((level) => Object(level) as Record<string, unknown>);
	const textsUnder = (name: string) =>
		records.flatMap((record) => record[name]).filter((value) => typeof value === 'string');
	const messages = [...textsUnder('message'), ...textsUnder('messages')];
	return {
		codes: textsUnder('code'),
		syscalls: textsUnder('syscall'),
		/** Ports and host names of failed connections. */
		ports: records.map(({ port }) => port).filter((port) => typeof port === 'number'),
		hosts: textsUnder('hostname'),
		messages,
		says: (pattern: RegExp): boolean => messages.some((message) => pattern.test(message)),
	};
}
