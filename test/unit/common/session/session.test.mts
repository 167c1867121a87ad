import type { IExecuteFunctions } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { ServiceFailure } from '../../../../nodes/client/failures.ts';
import { openSession } from '../../../../nodes/common/session/session.ts';

it('a wait ends at once where the execution is cancelled, and nothing more is sent', async () => {
	const stop = new AbortController();
	let requests = 0;
	const context = {
		getCredentials: async () => ({ baseUrl: 'https://api.example.com/', apiKey: 'fake-key' }),
		getExecutionCancelSignal: () => stop.signal,
		helpers: {
			httpRequestWithAuthentication: async () => {
				requests++;
				return { statusCode: 500, headers: {}, body: '' };
			},
		},
		logger: { info: () => undefined },
	} as unknown as IExecuteFunctions;
	const { client, throwIfCancelled } = await openSession(context, { onWait: () => stop.abort() });
	expect(throwIfCancelled).not.toThrow();
	const request = { method: 'GET', path: '/v2/public/items', risk: 'safe' } as const;
	const limits = { maxRetries: 1, maxWaitMs: 9_000, timeoutMs: 1_000 };
	await expect(client(request, limits)).rejects.toMatchObject({ kind: 'cancelled' });
	expect(throwIfCancelled).toThrow(ServiceFailure);
	expect(requests).toBe(1);
});
