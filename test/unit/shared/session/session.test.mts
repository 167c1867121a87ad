import type { IExecuteFunctions } from 'n8n-workflow';
import { expect, it } from 'vitest';

import type { RequestLimits } from '../../../../nodes/shared/client/api.ts';
import { openSession } from '../../../../nodes/shared/session/session.ts';

const REQUEST = { method: 'GET', path: '/v2/public/items', repeat: 'safe' } as const;
const BOUNDS: RequestLimits = { maxRetries: 1, maxWaitMs: 900_000, timeoutMs: 1_000 };

/**
 * Opens a session whose service responds with HTTP 429 and a Retry-After of ten minutes, until a test changes
 * `service.status`.
 */
async function refusingSession(which = 'ofRun', onWait: () => void = () => undefined) {
	const ofRun = new AbortController();
	const service = { requests: 0, status: 429, asked: async (): Promise<void> => {} };
	const context = {
		getCredentials: async () => ({ baseUrl: 'https://api.example.com/', apiKey: 'fake-key' }),
		helpers: {
			httpRequestWithAuthentication: async () => {
				service.requests++;
				await service.asked();
				return { statusCode: service.status, headers: { 'retry-after': '600' }, body: '{}' };
			},
		},
		logger: { info: () => undefined },
		getNode: () => ({}),
	} as unknown as IExecuteFunctions;
	const signal = which === 'ofRun' ? ofRun.signal : undefined;
	const session = await openSession(context, { signal, onWait });
	return { session, service, ofRun, ofRequest: new AbortController() };
}

it.each(['ofRun', 'ofRequest'] as const)(
	'ends a wait at once if an abort signal fires, and sends no more requests (signal: %s)',
	async (which) => {
		const bench = await refusingSession(which, () => bench[which].abort());
		const { session, service, ofRequest } = bench;
		const own = which === 'ofRequest' ? [ofRequest.signal] : [];
		for (let request = 0; request < 2; request++) {
			const ended = session.client(REQUEST, BOUNDS, ...own);
			await expect(ended).rejects.toMatchObject({ kind: 'cancelled' });
		}
		expect(service.requests).toBe(1);
	},
);

it('returns the response to a request in flight even if the run is aborted, because the request may be billed', async () => {
	const { session, service, ofRun } = await refusingSession();
	service.status = 200;
	service.asked = async () => ofRun.abort();
	expect(await session.client(REQUEST, BOUNDS)).toMatchObject({ statusCode: 200 });
});
