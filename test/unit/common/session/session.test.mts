import type { IExecuteFunctions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { ApiRequest } from '../../../../nodes/client/api.ts';
import { CredentialProblem } from '../../../../nodes/client/credential.ts';
import { ServiceFailure } from '../../../../nodes/client/failures.ts';
import { openSession } from '../../../../nodes/common/session/session.ts';

const KEY = 'fake-v2-full-access-key-0123456789';
const CREDENTIAL = { baseUrl: 'https://api.example.com/', apiVersion: 'v2', apiKey: KEY };
const LIST: ApiRequest = { method: 'GET', path: '/v2/public/items', risk: 'safe' };
const LIMITS = { maxRetries: 1, maxWaitMs: 9_000, timeoutMs: 1_000 };

/** A node's context whose service answers the statuses in order; keeps the log and counts decryptions. */
function bench(
	statuses: number[],
	more: Partial<IExecuteFunctions> = {},
	data: object = CREDENTIAL,
) {
	const seen = { log: [] as unknown[], decryptions: 0, urls: [] as string[] };
	const context = {
		getCredentials: async () => {
			seen.decryptions += 1;
			return data;
		},
		helpers: {
			httpRequestWithAuthentication: async (_type: string, { url }: { url: string }) => {
				seen.urls.push(url);
				const statusCode = statuses[seen.urls.length - 1];
				const headers = { 'retry-after': '0' };
				return { statusCode, headers, body: '{"ok":true}' };
			},
		},
		logger: { info: (...line: unknown[]) => void seen.log.push(line) },
		...more,
	} as unknown as IExecuteFunctions;
	return { context, seen };
}

describe('openSession', () => {
	it('decrypts once and sends with the checked credential', async () => {
		const { context, seen } = bench([200, 200]);
		const { client, credential } = await openSession(context);
		expect((await client(LIST, LIMITS)).body).toEqual({ ok: true });
		await client(LIST, LIMITS);
		expect(credential.bearer).toBe(KEY);
		expect(seen.decryptions).toBe(1);
		expect(seen.urls).toEqual(Array(2).fill('https://api.example.com/v2/public/items'));
		expect(seen.log).toEqual([]);
	});

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

	it('refuses a credential that cannot be used', async () => {
		const { context } = bench([], {}, { ...CREDENTIAL, baseUrl: '' });
		await expect(openSession(context)).rejects.toThrow(CredentialProblem);
	});
});

describe('cancelling', () => {
	it('ends a wait at once with a failure of its own kind', async () => {
		const stop = new AbortController();
		const { context, seen } = bench([500, 200], { getExecutionCancelSignal: () => stop.signal });
		const { client, throwIfCancelled } = await openSession(context, { onWait: () => stop.abort() });
		expect(throwIfCancelled).not.toThrow();
		await expect(client(LIST, LIMITS)).rejects.toMatchObject({ kind: 'cancelled' });
		expect(throwIfCancelled).toThrow(ServiceFailure);
		expect(seen.urls).toHaveLength(1);
	});

	it('is never seen where n8n gives no signal', async () => {
		for (const more of [{}, { getExecutionCancelSignal: () => undefined }]) {
			const { throwIfCancelled } = await openSession(bench([], more).context);
			expect(throwIfCancelled).not.toThrow();
		}
	});
});
