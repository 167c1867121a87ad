import type { IExecuteFunctions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { ApiRequest } from '../../../../nodes/client/api.ts';
import { ServiceFailure } from '../../../../nodes/client/failures.ts';
import { openSession } from '../../../../nodes/common/session/session.ts';

const KEY = 'fake-v2-full-access-key-0123456789';
const CREDENTIAL = { baseUrl: 'https://api.example.com/', apiVersion: 'v2', apiKey: KEY };
const LIST: ApiRequest = { method: 'GET', path: '/v2/public/items', risk: 'safe' };
const LIMITS = { maxRetries: 1, maxWaitMs: 9_000, timeoutMs: 1_000 };

/** A node's context whose service answers the statuses in order; keeps the log. */
function bench(statuses: number[], more: Partial<IExecuteFunctions> = {}) {
	const seen = { log: [] as unknown[], requests: 0 };
	const context = {
		getCredentials: async () => CREDENTIAL,
		helpers: {
			httpRequestWithAuthentication: async () => {
				const statusCode = statuses[seen.requests++];
				return { statusCode, headers: { 'retry-after': '0' }, body: '{"ok":true}' };
			},
		},
		logger: { info: (...line: unknown[]) => void seen.log.push(line) },
		...more,
	} as unknown as IExecuteFunctions;
	return { context, seen };
}

describe('openSession', () => {
	it('logs and tells every wait, without a secret', async () => {
		const { context, seen } = bench([503, 200]);
		const waits: number[] = [];
		const { client } = await openSession(context, { onWait: ({ retry }) => waits.push(retry) });
		await client(LIST, LIMITS);
		expect(waits).toEqual([1]);
		expect(seen.log).toHaveLength(1);
		expect(JSON.stringify(seen.log)).toMatch(/retry 1 \(HTTP 503\)/);
		expect(JSON.stringify(seen.log)).not.toContain(KEY);
	});

	it('ends a wait at once where the execution is cancelled', async () => {
		const stop = new AbortController();
		const { context, seen } = bench([500, 200], { getExecutionCancelSignal: () => stop.signal });
		const { client, throwIfCancelled } = await openSession(context, { onWait: () => stop.abort() });
		expect(throwIfCancelled).not.toThrow();
		await expect(client(LIST, LIMITS)).rejects.toMatchObject({ kind: 'cancelled' });
		expect(throwIfCancelled).toThrow(ServiceFailure);
		expect(seen.requests).toBe(1);
	});
});
