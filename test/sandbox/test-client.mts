import { headerOf } from './authentication.mts';
import { parseRecord, sandboxCredentials, type Sandbox } from './server.mts';

/** An answer, with the parts of the envelope that tests look at. */
export interface ClientAnswer {
	status: number;
	text: string;
	body: {
		success: boolean;
		data: Record<string, unknown> & { items: Record<string, unknown>[] };
		error: { code: string; message: string };
		meta: {
			ctx_id: string;
			pagination: { page: number; page_size: number; total: number; next_cursor?: string };
		};
	};
}

/** How to send one request; the default is a GET with the v2 Full access key. */
export interface ClientRequest {
	method?: string;
	/** null sends none. */
	credential?: string | null;
	/** A string is sent as it is, anything else as JSON. Makes the request a POST. */
	body?: unknown;
	headers?: Record<string, string>;
}

/** A plain client for the sandbox's own tests: one request, nothing retried. Throws where there is no answer. */
export async function send(
	sandbox: Sandbox,
	path: string,
	request: ClientRequest = {},
): Promise<ClientAnswer> {
	const { credential = sandboxCredentials.v2Full, body } = request;
	const own = credential === null ? {} : headerOf(credential);
	const headers: Record<string, string> = { ...request.headers, ...own };
	if (body !== undefined) headers['content-type'] ??= 'application/json';
	const response = await fetch(sandbox.url + path, {
		method: request.method ?? (body === undefined ? 'GET' : 'POST'),
		headers,
		body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
	});
	const text = await response.text();
	const isJson = response.headers.get('content-type')?.includes('json') ?? false;
	return {
		status: response.status,
		text,
		body: (isJson && text !== '' ? parseRecord(text) : {}) as unknown as ClientAnswer['body'],
	};
}
