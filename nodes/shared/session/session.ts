// nodes/shared/: code that both nodes use.
// nodes/shared/session/: connects the client to n8n. Reads the credential, sends requests and opens checkpoints.

import { sleep, type ICredentialDataDecryptedObject as Decrypted } from 'n8n-workflow';

import { RECORDS_QUERY, type RequestLimits, type Wait } from '../client/api';
import { createClient } from '../client/client';
import { readCredential } from '../client/credential';
import { RateLimiter } from '../client/rate-limiter';
import { MinuteQuota } from '../client/minute-quota';
import { digestOf } from '../client/exact-json';
import { createTransport, CREDENTIAL_TYPE, type RequestContext } from './transport';
import { formatTime } from '../errors/words';

/** Objects that the requests of one execution share, such as the decrypted credential and the client. */
export type Session = Awaited<ReturnType<typeof openSession>>;

interface SessionOptions {
	/** Abort signal of the run. It is aborted when no further response is needed. */
	signal?: AbortSignal;
	/** Rate limiter of the run. Without it, requests are sent one at a time. */
	rateLimiter?: RateLimiter;
	/** Called before a request waits. The wait is also logged. */
	onWait?: (wait: Wait) => void;
	/** Decrypted credential, if the caller has read it already. */
	data?: Decrypted;
}

/** Quota for Requests per Minute. All executions share it, because the service does not tell them apart. */
const minuteQuota = new MinuteQuota();

/** Returns the time of a monotonic clock in ms, which never jumps. */
export const now = (): number => performance.now();
const timeOfDay = (): number => Date.now();

/** Reads the credential and creates the client, once per execution and credential. Throws CredentialProblem. */
export async function openSession(context: RequestContext, more: SessionOptions = {}) {
	const data: Decrypted = more.data ?? (await context.getCredentials(CREDENTIAL_TYPE));
	const credential = readCredential(data);
	const decrypted = { id: '', name: CREDENTIAL_TYPE, type: CREDENTIAL_TYPE, data };
	const rateLimiter = more.rateLimiter ?? new RateLimiter();
	const access = digestOf(JSON.stringify([credential.baseUrl, credential.bearer]));
	const { id = null } = context.getNode().credentials?.[CREDENTIAL_TYPE] ?? {};
	const values = data.sameForAllItems === true ? null : credential;
	const log = (line: string): void => context.logger.info(`Workspace Data: ${line}`);
	const client = createClient({
		transport: createTransport(context, { baseUrl: credential.baseUrl, credential: decrypted }),
		rateLimiter,
		minuteQuota,
		quotaKey: access,
		// Some versions of n8n's sleep() ignore the signal. A wait then ends only a little later, as sleeps are short.
		sleep: async (ms, wanted) => await sleep(ms, wanted).catch(() => undefined),
		signal: more.signal,
		now,
		timeOfDay,
		random: () => Math.random(),
		secrets: credential.secrets,
		onWait: (wait) => {
			log(sayWait(wait));
			more.onWait?.(wait);
		},
	});
	return {
		credential,
		client,
		/**
		 * Identifies the credential to which checkpoints and cached results belong. It is a digest of n8n's ID of the
		 * credential, which stays the same if the user replaces the key, and of the values of its expressions.
		 */
		credentialScope: digestOf(JSON.stringify([id, values])),
		/** Like `credentialScope`, without values of expressions: a trigger has no items that they could read. */
		credentialScopeById: digestOf(JSON.stringify([id, null])),
		/** Digest of the Base URL and the key, which changes if the user replaces one of them. */
		access,
		rateLimiter,
		/** Returns how long the next request has to wait because of the option Requests per Minute, in ms. */
		quotaWaitMs: ({ maxPerMinute = Infinity }: RequestLimits) =>
			minuteQuota.waitMs(access, maxPerMinute, now()),
		timeOfDay,
	};
}

/** Returns data for error texts of the trigger and dropdown lists. Reads the credential if there is no session. */
export async function contextOfQuery(context: RequestContext, session?: Session) {
	const read = async () => readCredential(await context.getCredentials<Decrypted>(CREDENTIAL_TYPE));
	const known = session?.credential ?? (await read().catch(() => undefined));
	return {
		node: context.getNode(),
		apiVersion: known?.apiVersion,
		secrets: known?.secrets ?? [],
		permission: RECORDS_QUERY.permission,
	};
}

function sayWait({ afterMs, failure, retry }: Wait): string {
	if (failure.kind === 'quotaExceeded')
		return `waiting ${formatTime(afterMs)} for 'Requests per Minute'`;
	return `waiting ${formatTime(afterMs)} before retry ${retry} (${failure.shortName})`;
}
