import type { ApiRequest } from './api';
import type { Client, ClientParts, RequestLimits } from './request';
import { Sending, type Run } from './sending';
import { Spread } from './spread';
import { Standstill } from './standstill';

/**
 * The one way a request leaves this package: waits for its turn, sends, reads the answer, and retries by the table
 * of docs/reliability.md. One client serves one run: once the service could not be waited for, nothing more is sent.
 *
 * @returns a function that throws ServiceFailure for whatever did not end in a JSON body with a success status
 */
export function createClient(parts: ClientParts): Client {
	const run: Run = { parts, spread: new Spread(), standstill: new Standstill() };
	const answer: Client['answer'] = async (request, limits, hooks) =>
		await new Sending(run, request, limits, hooks).answer();
	const client = async (request: ApiRequest, limits: RequestLimits): Promise<unknown> =>
		(await answer(request, limits)).body;
	return Object.assign(client, { answer });
}
