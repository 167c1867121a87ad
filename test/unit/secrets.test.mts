import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { RawResponse } from '../../nodes/shared/api.ts';
import { readListEnvelope } from '../../nodes/shared/envelope.ts';
import { createNodeError } from '../../nodes/shared/errors.ts';
import { ServiceFailure } from '../../nodes/shared/failures.ts';
import { Pace } from '../../nodes/shared/pace.ts';
import { createClient } from '../../nodes/shared/request.ts';

const KEY = 'fake-v2-full-access-key-0123456789';
const LONGEST_WORDS = 400;
const NODE = {
	id: '1',
	name: 'Workspace Data',
	type: 'n8n-nodes-workspace-data.workspaceData',
	typeVersion: 1,
	position: [0, 0] as [number, number],
	parameters: {},
};

/** The failure of one list request that is answered so, read as far as a list is. */
async function failureAfter(response: RawResponse, secrets: string[]): Promise<ServiceFailure> {
	const client = createClient({
		transport: async () => response,
		pace: new Pace(),
		sleep: async () => {},
		now: () => 0,
		random: () => 0,
		secrets,
		onWait: () => {},
	});
	try {
		const request = { method: 'GET', path: '/v2/public/items', risk: 'safe' } as const;
		readListEnvelope(await client(request, { maxRetries: 0, timeoutMs: 1 }));
	} catch (error) {
		if (error instanceof ServiceFailure) return error;
		throw error;
	}
	throw new Error('expected a failure');
}

const refusal = (body: unknown, statusCode = 400): RawResponse => ({
	statusCode,
	headers: {},
	text: typeof body === 'string' ? body : JSON.stringify(body),
});

/** Everything of the error made from a failure that somebody could read. */
function everythingShown(failure: ServiceFailure, secrets: string[]): string {
	const error = createNodeError(failure, { node: NODE, itemIndex: 0, apiVersion: 'v2', secrets });
	const { message, description, context, messages, stack, cause } = error;
	const own = { ...error };
	return JSON.stringify({
		message,
		description,
		context,
		messages,
		stack,
		cause,
		own,
	});
}

describe('secrets', () => {
	it.each([
		['a message', refusal({ message: `Key ${KEY} is unknown` }, 401)],
		['an error list', refusal({ errors: [{ field: KEY, message: KEY }] })],
		['plain text', refusal(`no: ${KEY}`)],
		['a page', refusal(`<html><title>${KEY}</title>`, 502)],
		['a success that failed', refusal({ success: false, error: KEY }, 200)],
		['something that is not JSON', refusal(`{"a": ${KEY}`, 200)],
		['the request id', refusal({ meta: { ctx_id: `ctx-${KEY}` } }, 403)],
		['the request id of a list without records', refusal({ meta: { ctx_id: KEY } }, 200)],
	])('are hidden when the service echoes one in %s', async (_place, response) => {
		const failure = await failureAfter(response, [KEY]);
		expect(everythingShown(failure, [KEY])).not.toContain(KEY);
	});

	it.each([LONGEST_WORDS - 20, LONGEST_WORDS - 30])(
		'are hidden when the words are cut inside one, at %i',
		async (before) => {
			const message = `${'x'.repeat(before)}${KEY}`;
			const { facts } = await failureAfter(refusal({ message }), [KEY]);
			expect(facts.words).not.toContain(KEY.slice(0, 12));
		},
	);

	it('are hidden when the request id is cut inside one', async () => {
		const body = { meta: { ctx_id: `${'x'.repeat(80)}${KEY}` } };
		const { facts } = await failureAfter(refusal(body), [KEY]);
		expect(facts.ctxId).not.toContain(KEY.slice(0, 12));
	});

	it('show no more than 12 characters, wherever they stand in whatever body', async () => {
		const secret = fc.stringMatching(/^fake-[A-Za-z0-9_.-]{12,60}$/);
		await fc.assert(
			fc.asyncProperty(secret, fc.nat(500), fc.nat(200), async (key, before, after) => {
				const text = `${'x'.repeat(before)} ${key} ${'y'.repeat(after)}`;
				for (const body of [{ message: text }, { errors: [{ detail: text }] }, text]) {
					const { facts } = await failureAfter(refusal(body), [key]);
					expect(facts.words).not.toContain(key.slice(0, 13));
				}
			}),
			{ numRuns: 300 },
		);
	});

	it('do not make the words longer than 400 characters when they are replaced', async () => {
		const { facts } = await failureAfter(refusal({ message: 'k3y '.repeat(90) }), ['k3y']);
		expect(facts.words?.length).toBeLessThanOrEqual(LONGEST_WORDS);
	});
});
