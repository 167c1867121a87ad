import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { RECORDS_QUERY } from '../client/api';
import type { Client, RequestLimits } from '../client/request';
import { createNodeError, needsDeveloperKey } from './errors';
import { openSession, type Session } from './session';

/** Somebody waits for the list, and asks for it again where it fails. */
const LIMITS: RequestLimits = { maxRetries: 1, maxWaitMs: 5_000, timeoutMs: 20_000 };

/**
 * Asks the service for something that the panel offers to choose from.
 *
 * @param what as errors call it, for example "the list of object types"
 * @throws NodeApiError or NodeOperationError; the panel shows the message alone, so it says what to do as well
 */
export async function loadForPanel<T>(
	context: ILoadOptionsFunctions,
	what: string,
	load: (client: Client, limits: RequestLimits) => Promise<T>,
): Promise<T> {
	let session: Session | undefined;
	try {
		session = await openSession(context, { maxConcurrent: 4 });
		if (session.credential.apiVersion !== 'v2') throw needsDeveloperKey(capitalized(what));
		return await load(session.client, LIMITS);
	} catch (error) {
		throw createNodeError(error, {
			node: context.getNode(),
			apiVersion: session?.credential.apiVersion,
			secrets: session?.credential.secrets ?? [],
			permission: RECORDS_QUERY.permission,
			needsV2: true,
			operation: what,
			hasRequestOptions: false,
			messageAlone: true,
		});
	}
}

function capitalized(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
