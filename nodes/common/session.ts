import {
	sleep,
	type ICredentialDataDecryptedObject,
	type ILoadOptionsFunctions,
} from 'n8n-workflow';

import { readCredential } from '../client/credential';
import { ServiceFailure } from '../client/failures';
import { RateLimiter } from '../client/rate-limiter';
import { listSizes } from '../lists/page-size';
import { createClient } from '../client/client';
import { type Client, type RequestLimits, type Wait, RECORDS_QUERY } from '../client/api';
import { createTransport, CREDENTIAL_TYPE, type RequestContext } from './transport';
import { digestOf } from '../lists/digests';
import { createNodeError, needsDeveloperKey } from './errors';

/** What one execution of a node holds on to: its credential, decrypted once, and the client made with it. */
export type Session = Awaited<ReturnType<typeof openSession>>;

/** Decrypts and checks the credential and builds the client, once per execution. Throws CredentialProblem. */
export async function openSession(
	context: RequestContext,
	more: {
		maxConcurrent?: number;
		onWait?: (wait: Wait) => void;
		/** Where it is decrypted already. */
		data?: ICredentialDataDecryptedObject;
	} = {},
) {
	const data =
		more.data ?? (await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL_TYPE));
	const credential = readCredential(data);
	const decrypted = { id: '', name: CREDENTIAL_TYPE, type: CREDENTIAL_TYPE, data };
	// Polling contexts have no cancel signal, and neither have old versions of n8n.
	const signal =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	const rateLimiter = new RateLimiter(more.maxConcurrent);
	const timeOfDay = (): number => Date.now();
	const client = createClient({
		transport: createTransport(context, { baseUrl: credential.baseUrl, credential: decrypted }),
		rateLimiter,
		sleep: async (ms) => await sleepUnlessCancelled(ms, signal),
		now: () => performance.now(),
		timeOfDay,
		random: () => Math.random(),
		secrets: credential.secrets,
		onWait: (wait) => {
			logWait(context, wait);
			more.onWait?.(wait);
		},
		onTurn: (waitedMs) => {
			const seconds = Math.round(waitedMs / 1_000);
			context.logger.info(`Workspace Data: a request has waited ${seconds} s for its turn`);
		},
	});
	return {
		credential,
		client,
		/** Tells the credential from every other one, also in later executions: a digest of all that it resolves to. */
		key: digestOf(JSON.stringify(data)),
		/** How fast this run's requests may go; shared by all of them. */
		rateLimiter,
		/** What the lists of this run begin with. */
		sizes: listSizes(),
		/** How long the user's own bound of requests per minute lets the next one wait, in ms. */
		turnInMs: ({ maxPerMinute = Infinity }: RequestLimits) =>
			rateLimiter.boundMs(maxPerMinute, performance.now()),
		/** The time by n8n's clock, in ms since 1970. */
		timeOfDay,
		/** Throws a `cancelled` ServiceFailure once the user has cancelled the execution. */
		throwIfCancelled: () => throwIfCancelled(signal),
	};
}

/** What no text may show where something is wrong before there is a session. */
export async function secretsOf(context: RequestContext): Promise<readonly string[]> {
	try {
		return readCredential(await context.getCredentials(CREDENTIAL_TYPE)).secrets;
	} catch {
		return [];
	}
}

function throwIfCancelled(signal: AbortSignal | undefined): void {
	if (signal?.aborted) throw new ServiceFailure('cancelled');
}

/** The `sleep` of some n8n versions ignores the signal: there, a cancel is seen after one of the client's short steps. */
async function sleepUnlessCancelled(ms: number, signal: AbortSignal | undefined): Promise<void> {
	throwIfCancelled(signal);
	await sleep(ms, signal).catch(() => undefined);
	throwIfCancelled(signal);
}

function logWait({ logger }: RequestContext, { afterMs, failure, retry }: Wait): void {
	const { statusCode, code } = failure.facts;
	const cause = statusCode === undefined ? (code ?? failure.kind) : `HTTP ${statusCode}`;
	const seconds = (afterMs / 1000).toFixed(1);
	logger.info(`Workspace Data: waiting ${seconds} s before retry ${retry} (${cause})`);
}

/** Somebody waits for the panel's list, and opens it again where it fails. */
const PANEL_LIMITS: RequestLimits = { maxRetries: 1, maxWaitMs: 5_000, timeoutMs: 20_000 };

/** Asks the service for something that the panel offers to choose from; errors call it `what`. */
export async function loadForPanel<T>(
	context: ILoadOptionsFunctions,
	what: string,
	load: (client: Client, limits: RequestLimits) => Promise<T>,
): Promise<T> {
	let session: Session | undefined;
	try {
		session = await openSession(context, { maxConcurrent: 4 });
		if (session.credential.apiVersion !== 'v2') {
			throw needsDeveloperKey(`${what.charAt(0).toUpperCase()}${what.slice(1)}`);
		}
		return await load(session.client, PANEL_LIMITS);
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
