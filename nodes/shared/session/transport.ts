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

export type RequestContext = IExecuteFunctions | IPollFunctions | ILoadOptionsFunctions;

/** Maximum delay of a timer, in ms. A longer timer would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Returns a transport that sends requests through n8n's HTTP helper, so that n8n's proxy, TLS, domain and cancel
 * settings apply. Every status except a redirect is a response. The transport follows no redirect. Otherwise filters,
 * limits and bodies would be lost, the key would go to another address, and a paid call could be sent twice.
 * @param credential decrypted once for the whole run, because decrypting it for every request doubles the time of a
 * long list
 */
export function createTransport(
	context: RequestContext,
	{ baseUrl, credential }: { baseUrl: string; credential: ICredentialsDecrypted },
): Transport {
	// The credential's setting "Allowed HTTP Request Domains", if the user restricted it to specific domains.
	const { allowedHttpRequestDomains: allowed, allowedDomains } = credential.data ?? {};
	const restriction = allowed === 'domains' ? { allowedDomains: allowedDomains as string } : {};
	const decrypted = { credentialsDecrypted: credential };
	/** Sends a request with n8n's helper, and returns the response with its whole text. */
	return async function transport(request, limits) {
		const { httpRequestWithAuthentication: send } = context.helpers;
		const timeout = Math.min(limits.timeoutMs, MAX_TIMER_MS);
		const options = { ...helperOptions(request, baseUrl), ...restriction, timeout };
		const answer = send.call(context, CREDENTIAL_TYPE, options, decrypted);
		const response = await readAnswer(answer, { ...limits, timeoutMs: timeout }, baseUrl);
		if (response.statusCode < 300 || response.statusCode >= 400) return response;
		throw redirected(request, response, baseUrl);
	};
}

/**
 * Reads a response of n8n's HTTP helper as a stream. If the helper returned whole texts, each page would stay in memory
 * twice until V8's next full garbage collection, which happens only once or twice per 100,000 records. `timeoutMs`
 * covers the whole body, because n8n's own timeout starts again with each piece of a slow response.
 */
async function readAnswer(
	answer: Promise<IN8nHttpFullResponse>,
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
		const { statusCode, headers = {}, body } = await Promise.race([answer, tooLate]);
		hasBegun = true;
		const whole = readText(body, statusCode < 300, maxCharacters);
		const text = await Promise.race([whole, tooLate]);
		return { statusCode, headers, text };
	} catch (error) {
		throw failureOfThrown(error, baseUrl, hasBegun).with({ timeoutMs });
	} finally {
		timer.removeEventListener('abort', end);
		// Close the connection of a response that is not read to its end, even if the response begins later.
		void answer.then(({ body }) => isStream(body) && body.destroy()).catch(() => undefined);
	}
}

function isStream(body: unknown): body is NodeJS.ReadableStream & { destroy: () => void } {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/**
 * Reads a body as UTF-8 text.
 * @param isSuccess true for a successful response: text that is not UTF-8 is then rejected
 */
async function readText(body: unknown, isSuccess: boolean, maxCharacters: number): Promise<string> {
	if (!isStream(body)) return typeof body === 'string' ? body : '';
	let decoder: { decode: (piece?: Buffer, options?: { stream: boolean }) => string } | undefined;
	let text = '';
	for await (const piece of body as AsyncIterable<Buffer>) {
		// TextDecoder is faster than the stream's own decoding, and leaves out a byte order mark.
		decoder ??= new TextDecoder('utf-8', { fatal: isSuccess });
		text += decoder.decode(piece, { stream: true });
		if (text.length > maxCharacters) throw new ServiceFailure('tooLong');
	}
	return decoder === undefined ? '' : text + endOf(decoder);
}

/**
 * Returns the end of the text. If the body was cut off inside a character, returns a replacement character, and the
 * text is no valid JSON.
 */
function endOf(decoder: { decode: () => string }): string {
	try {
		return decoder.decode();
	} catch {
		return '\ufffd';
	}
}

/**
 * Returns the failure for a redirect. The failure names the target of the redirect without query, user name and
 * fragment.
 */
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

/** Returns the options for n8n's helper. The helper changes the object, so each request gets a new one. */
function helperOptions({ method, path, query, body, bodyText }: ApiRequest, baseUrl: string) {
	const text = bodyText ?? (body && JSON.stringify(body));
	const hasText = text !== undefined;
	return {
		method,
		url: `${baseUrl}${path}${addressOf(query)}`,
		headers: { Accept: 'application/json', ...(hasText && { 'Content-Type': 'application/json' }) },
		...(hasText && { body: text }),
		// Read the body as text, to distinguish a body that is not JSON from a JSON string.
		encoding: 'stream' as const,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		sendCredentialsOnCrossOriginRedirect: false,
	};
}

/**
 * Returns a query as the end of an address, because n8n's helper would drop parameters with names such as
 * `constructor`.
 */
function addressOf(query: ApiRequest['query'] = {}): string {
	const pairs = Object.entries(query).flatMap(([name, value]) =>
		[value].flat().map((one): [string, string] => [name, String(one)]),
	);
	const text = String(new URLSearchParams(pairs)).replaceAll('+', '%20');
	return text && `?${text}`;
}

const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EADDRNOTAVAIL'];
/** Codes that mean "not sent" only if connect() failed. An open connection can fail with them too. */
const UNREACHABLE = ['EHOSTDOWN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'ETIMEDOUT'];
/** Messages of a secure connection that broke off, during the handshake or later. */
const BROKEN_OFF = /BAD.RECORD.MAC|UNEXPECTED.EOF|socket hang up|aborted|terminated/i;
/** Codes of handshakes and certificates only. Other TLS codes (ERR_SSL_*) can also occur after the request was sent. */
const INSECURE = /^EPROTO$|CERT|UNABLE_TO_|SELF_SIGNED/;

/** Message of n8n's agent if a proxy closes the connection before it is established. */
const PROXY_GAVE_UP = /^proxy connection ended/i;

/**
 * Classifies an error that n8n threw. The failure keeps only the error's codes and n8n's own message, because the error
 * object contains headers.
 */
function failureOfThrown(error: unknown, baseUrl: string, hasBegun: boolean): ServiceFailure {
	if (error instanceof ServiceFailure) return error;
	const chain = readErrorChain(error);
	const kind = kindOfError(chain, hasBegun);
	const { host, hostname, port, protocol } = new URL(baseUrl);
	// Name the port too, because it may be mistyped if no connection is made. `URL.port` is empty for the default port.
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
	// Require that there is no code, because the error of a response that broke off also has the message "aborted", but
	// with a code.
	const isWithoutCode = codes.length === 0 && says(/^(this operation was )?(cancell?ed|aborted)$/i);
	if (isWithoutCode || codes.includes('ERR_CANCELED')) return 'cancelled';
	const isTimeout = codes.includes('ETIMEDOUT') || says(/timeout of \d+ ?ms|ESOCKETTIMEDOUT/i);
	// The body is not UTF-8 (assumption A8 in docs/maintainers/assumptions.md).
	if (codes.includes('ERR_ENCODING_INVALID_ENCODED_DATA')) return 'notUtf8';
	// V8 throws an error with this message for a text of more than half a gigabyte.
	if (hasBegun && says(/^Invalid string length$/)) return 'tooLong';
	// Once a response has begun, the service has received the request.
	if (hasBegun) return isTimeout ? 'timeout' : 'connectionLost';
	const isUnconnected = says(PROXY_GAVE_UP) || says(/before secure TLS connection/i);
	const neverSent = syscalls.includes('connect') ? [...NEVER_SENT, ...UNREACHABLE] : NEVER_SENT;
	if (isUnconnected || codes.some((code) => neverSent.includes(code))) return 'notSent';
	if (isTimeout) return 'timeout';
	if (says(BROKEN_OFF)) return 'connectionLost';
	if (codes.some((code) => INSECURE.test(code))) return 'insecure';
	// An error with an unknown code may occur after the request was sent, so it counts as a lost connection. Only n8n's
	// own refusals have no code.
	return codes.length > 0 && !codes.includes('ERR_INVALID_URL') ? 'connectionLost' : 'blocked';
}

function readErrorChain(error: unknown) {
	const levels = new Set([error]);
	// The loop also visits the members that it adds. A set visits an error that contains itself only once.
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
