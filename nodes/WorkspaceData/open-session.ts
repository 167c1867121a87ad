import type { IExecuteFunctions } from 'n8n-workflow';

import { needsDeveloperKey } from '../common/errors';
import type { Wait } from '../client/request';
import { isRateLimit } from '../client/statuses';
import { openSession, type Session } from '../common/session';
import { kindOf, titleOf, type Operation } from './operation';
import { namesForV1 } from './operations';
import { readMaxConcurrent } from './call/parameters';
import { readOptions } from '../common/parameters';

/** Waits that add up to more than this leave a hint on the node, in ms. */
const LONG_WAIT_MS = 10_000;

/**
 * Opens the session for an operation: how many requests at once, whether the credential's version has the operation,
 * and a hint for the user when the service makes the node wait for long.
 *
 * @throws CredentialProblem or InputProblem before any request is sent
 */
export async function openOperationSession(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<Session> {
	const get = (name: string, fallback?: unknown): unknown =>
		context.getNodeParameter(name, 0, fallback);
	const maxConcurrent = kindOf(operation) === 'call' ? readMaxConcurrent(readOptions(get)) : 1;
	const session = await openSession(context, { maxConcurrent, onWait: longWaitHint(context) });
	const { apiVersion } = session.credential;
	if (operation.endpoints[apiVersion] === undefined) {
		throw needsDeveloperKey(titleOf(operation), namesForV1());
	}
	return session;
}

/** Waiting is visible: one hint for the whole run once the waits add up, not one for each. */
function longWaitHint(context: IExecuteFunctions): (wait: Wait) => void {
	let waitedMs = 0;
	return ({ afterMs, failure }) => {
		const before = waitedMs;
		waitedMs += afterMs;
		if (before >= LONG_WAIT_MS || waitedMs < LONG_WAIT_MS) return;
		const reason = isRateLimit(failure.facts.statusCode)
			? 'The service limits how many requests it takes'
			: 'The service had passing faults';
		// n8n versions before hints lack the function.
		context.addExecutionHints?.({
			message: `${reason}, so this node waited more than ${LONG_WAIT_MS / 1000} seconds in all.`,
			location: 'outputPane',
		});
	};
}
