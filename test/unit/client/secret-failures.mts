import type { RawResponse } from '../../../nodes/client/api.ts';
import { createClient } from '../../../nodes/client/client.ts';
import { readListEnvelope } from '../../../nodes/client/envelope.ts';
import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { Pace } from '../../../nodes/client/pace.ts';
import { createNodeError } from '../../../nodes/common/errors.ts';

export const NODE = {
	id: '1',
	name: 'Workspace Data',
	type: 'n8n-nodes-workspace-data.workspaceData',
	typeVersion: 1,
	position: [0, 0] as [number, number],
	parameters: {},
};

/** The failure of one list request that is answered so, read as far as a list is. */
export async function failureAfter(
	response: RawResponse,
	secrets: string[],
): Promise<ServiceFailure> {
	const client = createClient({
		transport: async () => response,
		pace: new Pace(),
		sleep: async () => {},
		now: () => 0,
		timeOfDay: () => 0,
		random: () => 0,
		secrets,
		onWait: () => {},
	});
	try {
		const request = { method: 'GET', path: '/v2/public/items', risk: 'safe' } as const;
		const limits = { maxRetries: 0, maxWaitMs: 0, timeoutMs: 1 };
		readListEnvelope((await client(request, limits)).body);
	} catch (error) {
		if (error instanceof ServiceFailure) return error;
		throw error;
	}
	throw new Error('expected a failure');
}

export const refusal = (body: unknown, statusCode = 400): RawResponse => ({
	statusCode,
	headers: {},
	text: typeof body === 'string' ? body : JSON.stringify(body),
});

/** Everything of the error made from a failure that somebody could read. */
export function everythingShown(failure: ServiceFailure, secrets: string[]): string {
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
