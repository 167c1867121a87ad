import type { INode } from 'n8n-workflow';

import type { ServiceCredential } from '../client/credential';
import { isObject } from '../client/envelope';
import { bodyWithAllDigits, WrittenNumber } from '../client/exact-json';
import { isRejection, ServiceFailure } from '../client/failures';
import type { Client, RequestLimits } from '../client/api';
import { CREDENTIAL_TYPE } from './transport';
import { digestOf } from '../lists/digests';

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
 * Whose records the credential of a node gives. Its id alone would not do: it stays when a key of another workspace is put
 * into it, and changes with each new credential. Throws ServiceFailure when whoami could not be asked.
 */
export async function findOwner(
	context: { getNode: () => INode },
	{ client, credential }: { client: Client; credential: ServiceCredential },
	limits: RequestLimits,
): Promise<Owner> {
	const key = digestOf(JSON.stringify([credential.baseUrl, credential.bearer]));
	let workspace = workspaces.get(key);
	if (workspace === undefined) {
		workspace = await fetchWorkspace(client, limits);
		workspaces.set(key, workspace);
	}
	const { id } = context.getNode().credentials?.[CREDENTIAL_TYPE] ?? {};
	return { workspace, credential: id ?? null };
}

/**
 * Null where the service knows no whoami or does not name the workspace in it. Nothing is specified of its answer: what
 * is no JSON, or leads elsewhere, tells as little as a refusal.
 */
async function fetchWorkspace(client: Client, limits: RequestLimits): Promise<string | null> {
	const request = { method: 'GET', path: '/v2/public/auth/whoami', risk: 'safe' } as const;
	const answer = await client(request, limits).catch((error: unknown) => {
		if (!(error instanceof ServiceFailure)) throw error;
		if (isRejection(error) || ['invalidBody', 'redirected'].includes(error.kind)) return undefined;
		throw error;
	});
	return answer === undefined ? null : (workspaceOf(bodyWithAllDigits(answer)) ?? null);
}

/** By workspace where whoami has named it both times: a key may be replaced within a credential, and by another credential. */
export function isSameOwner(before: Owner, now: Owner): boolean {
	const isNamed = before.workspace !== null && now.workspace !== null;
	return isNamed ? before.workspace === now.workspace : before.credential === now.credential;
}

/** How deep a member may lie: the specification does not show where whoami names the workspace, and no answer ends the stack. */
const MOST_DEPTH = 4;
/** Members that say nothing about which workspace it is, and may change while it stays the same. */
const VOLATILE = /^(meta|ctx_?id)$|permission|role|level|scope|access/i;
/** What a workspace is known by, best first; anything else of it, a count or a date, may change while it stays itself. */
const IDS = ['id', 'uuid', 'guid', 'code'];
/** Where it has none of these; the empty name is that of a text that is called after the workspace. */
const NAMES = ['', 'slug', 'subdomain', 'domain', 'handle', 'name', 'displayname', 'title'];

/**
 * Which workspace a whoami answer names, as a digest of one value, so that one more field makes no other workspace: its
 * own id (else uuid, guid, code), so that a renamed one stays itself; its name where it has no id. Undefined where it
 * names none.
 */
export function workspaceOf(body: unknown): string | undefined {
	const leaves = isObject(body) ? leavesOf(body, 1, false) : [];
	const known = leaves.filter(({ name }) => [...IDS, ...NAMES].includes(name));
	const rankOf = (name: string): number => [...IDS, ...NAMES].indexOf(name);
	// What lies deeper, or has a longer name, may be another one, such as the parent of the workspace.
	const [own] = known.sort(
		(one, other) =>
			Number(NAMES.includes(one.name)) - Number(NAMES.includes(other.name)) ||
			one.depth - other.depth ||
			rankOf(one.name) - rankOf(other.name) ||
			one.key.length - other.key.length,
	);
	return own && digestOf(JSON.stringify([own.name, own.value]));
}

/** The name is `id` for `id` of a workspace as well as for `workspace_id` and `workspaceId`. */
type Leaf = { depth: number; key: string; name: string; value: unknown };

/** Texts and numbers that are named after the workspace, or lie right in an object that is. */
function leavesOf(body: object, depth: number, isOfWorkspace: boolean): Leaf[] {
	return Object.entries(body).flatMap(([key, value]: [string, unknown]): Leaf[] => {
		if (VOLATILE.test(key)) return [];
		const isLeaf = typeof value === 'number' || (typeof value === 'string' && value !== '');
		if (isLeaf || value instanceof WrittenNumber) {
			const name = key.toLowerCase().replace(/^.*workspace|[^a-z]/g, '');
			return isOfWorkspace || /workspace/i.test(key) ? [{ depth, key, name, value }] : [];
		}
		if (!isObject(value) || depth === MOST_DEPTH) return [];
		return leavesOf(value, depth + 1, /workspace$/i.test(key));
	});
}
