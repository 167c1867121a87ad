import { bodyWithAllDigits } from '../client/exact-json';
import { isRejection, ServiceFailure } from '../client/failures';
import type { ServiceCredential } from '../client/credential';
import type { Client, RequestLimits } from '../client/request';
import { digestOf } from './digests';
import { workspaceOf } from './workspace-identity';

/** Whose records a state is about. Both null where nothing is known of it. */
export interface Owner {
	/** The workspace, as a digest of what whoami calls it; null where whoami does not name it. */
	workspace: string | null;
	/** n8n's id of the credential; null where n8n does not tell. */
	credential: string | null;
}

/** By digest of address and key: a key belongs to one workspace as long as it is valid, so each is asked for once. */
const workspaces = new Map<string, string | null>();

/**
 * Whose records the credential gives: the workspace that whoami names and n8n's id of the credential. The id alone
 * would not do: it stays when a key of another workspace is put into the credential, and changes with each new one.
 *
 * @param credentialId n8n's id of the credential; undefined where n8n does not tell
 * @throws ServiceFailure when whoami could not be asked
 */
export async function askOwner(
	credentialId: string | null | undefined,
	{ client, credential }: { client: Client; credential: ServiceCredential },
	limits: RequestLimits,
): Promise<Owner> {
	const key = digestOf(JSON.stringify([credential.baseUrl, credential.bearer]));
	let workspace = workspaces.get(key);
	if (workspace === undefined) {
		workspace = await askWorkspace(client, limits);
		workspaces.set(key, workspace);
	}
	return { workspace, credential: credentialId ?? null };
}

/** Null where the service knows no whoami or does not name the workspace in it. */
async function askWorkspace(client: Client, limits: RequestLimits): Promise<string | null> {
	const request = { method: 'GET', path: '/v2/public/auth/whoami', risk: 'safe' } as const;
	const answer = await client(request, limits).catch((error: unknown) => {
		if (error instanceof ServiceFailure && namesNoWorkspace(error)) return undefined;
		throw error;
	});
	return answer === undefined ? null : (workspaceOf(bodyWithAllDigits(answer)) ?? null);
}

/** Nothing is specified of whoami's answer: what is no JSON, or leads elsewhere, tells as little as a refusal. */
function namesNoWorkspace(failure: ServiceFailure): boolean {
	return isRejection(failure) || failure.kind === 'invalidBody' || failure.kind === 'redirected';
}

/** By workspace where whoami has named it both times: a key may be replaced within a credential, and by another credential. */
export function isSameOwner(before: Owner, now: Owner): boolean {
	if (before.workspace !== null && now.workspace !== null)
		return before.workspace === now.workspace;
	return before.credential === now.credential;
}
