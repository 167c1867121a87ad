import type { INode } from 'n8n-workflow';

import type { RawResponse } from '../../../nodes/client/api.ts';
import { readListEnvelope } from '../../../nodes/client/envelope.ts';
import type { ServiceFailure } from '../../../nodes/client/failures.ts';
import { createNodeError } from '../../../nodes/common/errors/node-errors.ts';
import { answer, clientOf, failureOf, LIST } from './request-bench.mts';

export const NODE = { name: 'Workspace Data' } as INode;

/** The failure of one list request that is answered so, read as far as a list is. */
export async function failureAfter(
	response: RawResponse,
	secrets: string[],
): Promise<ServiceFailure> {
	const client = clientOf({ transport: async () => response, secrets });
	const limits = { maxRetries: 0, maxWaitMs: 0, timeoutMs: 1 };
	return await failureOf(client(LIST, limits).then(({ body }) => readListEnvelope(body)));
}

export const refusal = (body: unknown, statusCode = 400): RawResponse => answer(statusCode, body);

/** Everything of the error made from a failure that somebody could read. */
export function everythingShown(failure: ServiceFailure, secrets: string[]): string {
	const known = { node: NODE, itemIndex: 0, apiVersion: 'v2', objectType: secrets[0] } as const;
	const error = createNodeError(failure, { ...known, secrets });
	const { message, description, context, messages, stack, cause } = error;
	const own = { ...error };
	return JSON.stringify({ message, description, context, messages, stack, cause, own });
}
