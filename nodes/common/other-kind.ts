import { ServiceFailure } from '../client/failures';
import type { Session } from './session';

/** How long the check may take, in ms: the error that it is for waits for it. */
const TIMEOUT_MS = 10_000;

/** What the service said, by the run that asked: one question is enough for all of its items. */
const answers = new WeakMap<Session, Promise<boolean>>();

/**
 * Whether a key was entered with the wrong API Version: the service does not know it as what the credential says, but
 * knows it as the other kind. That kind's Who Am I is asked once; nothing but the service can tell the kinds apart.
 *
 * @param error what a request has failed with
 */
export async function isOfOtherKind(error: unknown, session: Session): Promise<boolean> {
	const isUnknown = error instanceof ServiceFailure && error.facts.statusCode === 401;
	if (!isUnknown || session.credential.bearer === '') return false;
	const answer = answers.get(session) ?? askOtherKind(session);
	answers.set(session, answer);
	return await answer;
}

async function askOtherKind({ credential, client }: Session): Promise<boolean> {
	const other = credential.apiVersion === 'v1' ? 'v2' : 'v1';
	const path = `/${other}/public/auth/whoami`;
	const limits = { maxRetries: 0, maxWaitMs: 0, timeoutMs: TIMEOUT_MS };
	return await client({ method: 'GET', path, risk: 'safe' }, limits).then(
		() => true,
		() => false,
	);
}
