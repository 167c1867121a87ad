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

/** A longer timer would end at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Sends requests through n8n's own HTTP helper, so that n8n's proxy, TLS, domain and cancel settings hold.
 * Every status but a redirect is an answer. No redirect is followed: filters, limits and bodies do not survive it, the key
 * would go along, and a paid call could be sent twice.
 * @param credential decrypted once for the whole run: decrypting it for every request doubles the time of a page loop
 */
export function createTransport(
	context: RequestContext,
	{ baseUrl, credential }: { baseUrl: string; credential: ICredentialsDecrypted },
): Transport {
	// n8n's "Allowed HTTP Request Domains", where the user restricted the credential to specific ones.
	const { allowedHttpRequestDomains: allowed, allowedDomains } = credential.data ?? {};
	const restriction = allowed === 'domains' ? { allowedDomains: allowedDomains as string } : {};
	const decrypted = { credentialsDecrypted: credential };
	/** Hands a request to n8n's helper, and gives its answer with the whole text. */
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
 * Reads an answer of n8n's HTTP helper, its text piece by piece as it comes: given whole by the helper, each page would
 * be in memory twice until V8 goes through all that n8n holds, once or twice for every 100,000 records.
 * `timeoutMs` lasts until the end of the body: n8n's own is one of silence, and an answer may come drop by drop.
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
		// Closes the connection of an answer that nobody reads to its end, also where it comes later.
		void answer.then(({ body }) => isStream(body) && body.destroy()).catch(() => undefined);
	}
}

function isStream(body: unknown): body is NodeJS.ReadableStream & { destroy: () => void } {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** @param isSuccess whether to refuse data in another encoding, which would come out with other letters in silence */
async function readText(body: unknown, isSuccess: boolean, maxCharacters: number): Promise<string> {
	if (!isStream(body)) return typeof body === 'string' ? body : '';
	let decoder: { decode: (piece?: Buffer, options?: { stream: boolean }) => string } | undefined;
	let text = '';
	for await (const piece of body as AsyncIterable<Buffer>) {
		// Quicker than the stream's own decoding; also leaves out a byte order mark, which is not part of the text.
		decoder ??= new TextDecoder('utf-8', { fatal: isSuccess });
		text += decoder.decode(piece, { stream: true });
		if (text.length > maxCharacters) throw new ServiceFailure('tooLong');
	}
	return decoder === undefined ? '' : text + endOf(decoder);
}

/** Text that ends inside a character was cut off: what is left of it makes it no JSON. */
function endOf(decoder: { decode: () => string }): string {
	try {
		return decoder.decode();
	} catch {
		return '\ufffd';
	}
}

/** Names the target of a redirect, but never its query, user name or fragment. */
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

/** What n8n's helper gets of a request. It changes the object, so each request gets its own. */
function helperOptions({ method, path, query, body, bodyText }: ApiRequest, baseUrl: string) {
	const text = bodyText ?? (body && JSON.stringify(body));
	const hasText = text !== undefined;
	return {
		method,
		url: `${baseUrl}${path}${addressOf(query)}`,
		headers: { Accept: 'application/json', ...(hasText && { 'Content-Type': 'application/json' }) },
		...(hasText && { body: text }),
		// Read as text, so that a body which is not JSON can be distinguished from one that is a JSON string.
		encoding: 'stream' as const,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		sendCredentialsOnCrossOriginRedirect: false,
	};
}

/** A query as the end of an address. n8n's helper would leave out parameters called `constructor` and the like. */
function addressOf(query: ApiRequest['query'] = {}): string {
	const pairs = Object.entries(query).flatMap(([name, value]) =>
		[value].flat().map((one): [string, string] => [name, String(one)]),
	);
	const text = String(new URLSearchParams(pairs)).replaceAll('+', '%20');
	return text && `?${text}`;
}

const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EADDRNOTAVAIL'];
/** Never sent only where they come from connecting: an open connection can end with them too. */
const UNREACHABLE = ['EHOSTDOWN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'ETIMEDOUT'];
/** What a secure connection says when it breaks off, at any time. */
const BROKEN_OFF = /BAD.RECORD.MAC|UNEXPECTED.EOF|socket hang up|aborted|terminated/i;
/** Of handshakes and certificates alone: other codes of TLS (ERR_SSL_*) also come after the request was sent. */
const INSECURE = /^EPROTO$|CERT|UNABLE_TO_|SELF_SIGNED/;

/** What n8n's agent says of a proxy that ends a connection before it has made it. */
const PROXY_GAVE_UP = /^proxy connection ended/i;

/** Says what n8n's error means. Only codes and n8n's own sentence are kept: the error itself holds headers. */
function failureOfThrown(error: unknown, baseUrl: string, hasBegun: boolean): ServiceFailure {
	if (error instanceof ServiceFailure) return error;
	const chain = readErrorChain(error);
	const kind = kindOfError(chain, hasBegun);
	const { host, hostname, port, protocol } = new URL(baseUrl);
	// Where no connection is made, a mistyped port may be why; an address leaves out the usual one.
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
	// A response that broke off also says "aborted", but then there is a code for it.
	const isWithoutCode = codes.length === 0 && says(/^(this operation was )?(cancell?ed|aborted)$/i);
	if (isWithoutCode || codes.includes('ERR_CANCELED')) return 'cancelled';
	const isTimeout = codes.includes('ETIMEDOUT') || says(/timeout of \d+ ?ms|ESOCKETTIMEDOUT/i);
	// docs/maintainers/assumptions.md, A8
	if (codes.includes('ERR_ENCODING_INVALID_ENCODED_DATA')) return 'notUtf8';
	// What V8 says of text of more than half a gigabyte.
	if (hasBegun && says(/^Invalid string length$/)) return 'tooLong';
	// Whatever ends an answer that has begun, the service has had the request.
	if (hasBegun) return isTimeout ? 'timeout' : 'connectionLost';
	const isUnconnected = says(PROXY_GAVE_UP) || says(/before secure TLS connection/i);
	const neverSent = syscalls.includes('connect') ? [...NEVER_SENT, ...UNREACHABLE] : NEVER_SENT;
	if (isUnconnected || codes.some((code) => neverSent.includes(code))) return 'notSent';
	if (isTimeout) return 'timeout';
	if (says(BROKEN_OFF)) return 'connectionLost';
	if (codes.some((code) => INSECURE.test(code))) return 'insecure';
	// A code that is not known here may have come after sending; only n8n's own refusals have none.
	return codes.length > 0 && !codes.includes('ERR_INVALID_URL') ? 'connectionLost' : 'blocked';
}

function readErrorChain(error: unknown) {
	const levels = new Set([error]);
	// The loop goes on over what it adds; what is in a circle is there already.
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
		/** Where a connection could not be made to, and whose address was not found. */
		ports: records.map(({ port }) => port).filter((port) => typeof port === 'number'),
		hosts: textsUnder('hostname'),
		messages,
		says: (pattern: RegExp): boolean => messages.some((message) => pattern.test(message)),
	};
}
