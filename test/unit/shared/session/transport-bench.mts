import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import type { ApiRequest } from '../../../../nodes/shared/client/api.ts';
import { createTransport } from '../../../../nodes/shared/session/transport.ts';

export const BASE_URL = 'https://api.example.com/data';
export const KEY = 'fake-v2-full-access-key-0123456789';
export const GET: ApiRequest = {
	method: 'GET',
	path: '/v2/public/items',
	query: { limit: 5, cursor: 'c=1&x' },
	repeat: 'safe',
};

/**
 * Returns a transport with a simulated n8n, whose HTTP helper returns or throws what `reply` returns or throws. `calls`
 * holds the options of all requests.
 */
export function bench(reply: () => unknown, data: Record<string, unknown> = {}) {
	const calls: IHttpRequestOptions[] = [];
	const helpers: Pick<IExecuteFunctions['helpers'], 'httpRequestWithAuthentication'> = {
		async httpRequestWithAuthentication(_credentialType, options) {
			// Some versions of n8n need the context as `this`.
			if (this !== (context as unknown)) throw new Error('not called on the context of the node');
			calls.push(options);
			return await Promise.resolve(reply());
		},
	};
	const context = { helpers } as IExecuteFunctions;
	const credential = {
		id: '',
		name: 'workspaceDataApi',
		type: 'workspaceDataApi',
		data: { apiKey: KEY, ...(data as Record<string, string>) },
	};
	const send = createTransport(context, { baseUrl: BASE_URL, credential });
	const transport = async (request: ApiRequest, timeoutMs: number, maxCharacters?: number) =>
		await send(request, { timeoutMs, maxCharacters });
	return { transport, calls };
}

/** Returns n8n's result for a successful request. */
export const success = () => ({ statusCode: 200, headers: { 'x-a': '1' }, body: '{"a":1}' });
