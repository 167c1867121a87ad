import type { INode } from 'n8n-workflow';

import type { Owner } from '../changes/state';
import type { ServiceCredential } from '../client/credential';
import { isObject } from '../client/envelope';
import { bodyWithAllDigits, WrittenNumber } from '../client/exact-json';
import { asServiceFailure, isRejection } from '../client/failures';
import type { Client, RequestLimits } from '../client/api';
import { CREDENTIAL_TYPE } from './transport';
import { digestOf } from '../lists/version';

/** By digest of address and key. A key stays in its workspace, so whoami is asked once for each. */
const workspaces = new Map<string, string | null>();

/**
 * Whose records the credential of a node gives. Its id alone would not do: it stays when a key of another workspace is put
 * into it, and changes with each new credential. Throws ServiceFailure when whoami could not be asked.
 */
export async function findOwner(
	context: { getNode: () => INode },
	{ client, credential }: { client: Client; credential: ServiceCredential },
	limits: RequestLimits,
): Promise<Owner> {
	const key = digestOf(JSON.stringify([credential.baseUrl, credential.bearer]));
	if (!workspaces.has(key)) workspaces.set(key, await fetchWorkspace(client, limits));
	const { id = null } = context.getNode().credentials?.[CREDENTIAL_TYPE] ?? {};
	return { workspace: workspaces.get(key) ?? null, credential: id };
}

/** Null where whoami tells nothing of it. Its answer is not specified: one that is no JSON, or a redirect, is no error. */
async function fetchWorkspace(client: Client, limits: RequestLimits): Promise<string | null> {
	const request = { method: 'GET', path: '/v2/public/auth/whoami', risk: 'safe' } as const;
	try {
		return workspaceOf(bodyWithAllDigits(await client(request, limits)));
	} catch (error) {
		const failure = asServiceFailure(error);
		if (isRejection(failure) || ['invalidBody', 'redirected'].includes(failure.kind)) return null;
		throw failure;
	}
}

/** The specification does not show where whoami names the workspace, and no answer may exhaust the stack. */
const MOST_DEPTH = 4;
/** What is called after a workspace here may change while the workspace stays the same. */
const VOLATILE = /^meta$|permission|role|scope|access/i;
/** What a workspace is known by, best first; the empty name is that of a text that is called "workspace". */
const IDS = ['id', 'uuid', 'guid', 'code', ''];

/**
 * Which workspace a whoami answer names, as a digest of its one best id, so that one more field makes no other workspace
 * and a renamed one stays itself. Null where it names none.
 */
export function workspaceOf(body: unknown): string | null {
	const ids = isObject(body) ? idsIn(body, 0, false) : [];
	const best = ids.sort((one, other) => one.rank - other.rank)[0] as Id | undefined;
	return best ? digestOf(JSON.stringify([best.name, best.value])) : null;
}

/** The name is `id` for `workspace_id` and `workspaceId` as well as for `id` of a workspace. */
type Id = { rank: number; name: string; value: unknown };

/** What is nearest to the top comes first, since what lies deeper may be about another workspace. */
function idsIn(object: object, depth: number, isWorkspace: boolean): Id[] {
	const ids: Id[] = [];
	for (const [key, value] of Object.entries(object) as Array<[string, unknown]>) {
		if (VOLATILE.test(key) || depth === MOST_DEPTH) continue;
		const name = key.toLowerCase().replace(/^workspace_?/, '');
		const isNamed = isWorkspace || name !== key.toLowerCase();
		const isValue = ['number', 'string'].includes(typeof value) && value !== '';
		if (isValue || value instanceof WrittenNumber) {
			const level = name === '' ? MOST_DEPTH : depth;
			const rank = level * IDS.length + IDS.indexOf(name);
			if (isNamed && IDS.includes(name)) ids.push({ rank, name, value });
		} else if (isObject(value)) {
			ids.push(...idsIn(value, depth + 1, /^workspace$/i.test(key)));
		}
	}
	return ids;
}
