import { headerOf } from './authentication.mts';
import { parseRecord, sandboxCredentials, type Sandbox } from './server.mts';

/** Response of the sandbox, with the members of the body that tests read. */
export interface ClientResponse {
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

/** Request to send. By default, a GET with the v2 key that has Full access. */
export interface ClientRequest {
	method?: string;
	/** Credential to send. Null sends no credential. */
	credential?: string | null;
	/**
	 * Body to send. Text is sent unchanged, any other value as JSON. The default method of a request with a body is
	 * POST.
	 */
	body?: unknown;
	headers?: Record<string, string>;
}

/** Sends one request to the sandbox, without retries. Throws if there is no response. */
export async function send(
	sandbox: Sandbox,
	path: string,
	request: ClientRequest = {},
): Promise<ClientResponse> {
	const { credential = sandboxCredentials.v2Full, body } = request;
	const credentialHeader = credential === null ? {} : headerOf(credential);
	const headers: Record<string, string> = { ...request.headers, ...credentialHeader };
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
		body: (isJson && text !== '' ? parseRecord(text) : {}) as unknown as ClientResponse['body'],
	};
}
