// nodes/shared/: code that both nodes use.
// nodes/shared/session/: the requests of one run of a node: transport, credential, checkpoint.

import { sleep, type ICredentialDataDecryptedObject as Decrypted } from 'n8n-workflow';

import { RECORDS_QUERY, type RequestLimits, type Wait } from '../client/api';
import { createClient } from '../client/client';
import { readCredential } from '../client/credential';
import { RateLimiter } from '../client/rate-limiter';
import { MinuteQuota } from '../client/minute-quota';
import { digestOf } from '../client/exact-json';
import { createTransport, CREDENTIAL_TYPE, type RequestContext } from './transport';
import { formatTime } from '../errors/words';

/** Objects that one execution of a node shares: the credential, decrypted once, and the client made with it. */
export type Session = Awaited<ReturnType<typeof openSession>>;

interface SessionOptions {
	/** Signal of the run. It is aborted when the run needs no further response. */
	signal?: AbortSignal;
	/** Rate limiter of the run. Undefined means one request at a time. */
	rateLimiter?: RateLimiter;
	onWait?: (wait: Wait) => void;
	data?: Decrypted;
}

/**
 * Quota for Requests per Minute, shared by all executions of this n8n process. A service distinguishes addresses and
 * keys, but not executions.
 */
const minuteQuota = new MinuteQuota();

/** Returns ms of a monotonic clock, which never jumps. */
export const now = (): number => performance.now();
const timeOfDay = (): number => Date.now();

/** Decrypts and checks the credential, and builds the client, once per execution. Throws CredentialProblem. */
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
		// Some versions of n8n's sleep() ignore the signal. An aborted wait then ends after the client's current short
		// step.
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
		 * Identifies the owner of records and results, also in later executions. It is a digest of n8n's ID of the
		 * credential, because the key of a credential may be replaced. If the credential has expressions, each set of
		 * values is a separate owner.
		 */
		owner: digestOf(JSON.stringify([id, values])),
		/** Owner by the ID of the credential alone, for a node without input items that expressions could read. */
		ownerById: digestOf(JSON.stringify([id, null])),
		/** Digest of Base URL and key. It changes if the Base URL or the key is replaced. */
		access,
		rateLimiter,
		/** Returns how long the next request has to wait for Requests per Minute, in ms. */
		quotaWaitMs: ({ maxPerMinute = Infinity }: RequestLimits) =>
			minuteQuota.waitMs(access, maxPerMinute, now()),
		timeOfDay,
	};
}

/** Returns the error context of a node that only queries records. Does not need an open session. */
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
