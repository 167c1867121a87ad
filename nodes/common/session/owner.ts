// nodes/common/session/: the requests of one run of a node: transport, credential, whose workspace it is, its place.

import type { INode } from 'n8n-workflow';

import type { FoundOwner } from '../../changes/state';
import type { Client, RequestLimits } from '../../client/api';
import type { ServiceCredential } from '../../client/credential';
import { isObject } from '../../client/envelope';
import { bodyWithAllDigits, WrittenNumber } from '../../client/exact-json';
import { asServiceFailure } from '../../client/failures';
import { isRejection } from '../../client/meaning';
import { redact } from '../../client/secrets';
import { digestOf } from '../../client/digest';
import { CREDENTIAL_TYPE } from './transport';

/** By digest of address and key. A key stays in its workspace, so whoami is asked until it has told. */
const workspaces = new Map<string, Id[]>();

/** Whose records a credential gives. Its id stays when another key is put into it. Throws ServiceFailure. */
export async function findOwner(
	context: { getNode: () => INode },
	{ client, credential }: { client: Client; credential: ServiceCredential },
	limits: RequestLimits,
): Promise<FoundOwner> {
	const { baseUrl, bearer, secrets } = credential;
	const key = digestOf(JSON.stringify([baseUrl, bearer]));
	const ids = workspaces.get(key) ?? (await fetchWorkspace(client, limits));
	if (ids !== undefined) workspaces.set(key, ids);
	const names = ids?.map(digestOfId);
	const { id = null } = context.getNode().credentials?.[CREDENTIAL_TYPE] ?? {};
	const access = digestOf(JSON.stringify([baseUrl, id]));
	return { workspace: names?.[0] ?? null, access, label: labelOf(ids ?? [], secrets), names };
}

/** Undefined for what is no answer of whoami, such as the page of a login, which may be gone next time. */
async function fetchWorkspace(client: Client, limits: RequestLimits) {
	const request = { method: 'GET', path: '/v2/public/auth/whoami', repeat: 'safe' } as const;
	try {
		return workspaceIds(bodyWithAllDigits(await client(request, limits)));
	} catch (error) {
		const failure = asServiceFailure(error);
		if (isRejection(failure)) return [];
		if (['invalidBody', 'redirected'].includes(failure.kind)) return undefined;
		throw failure;
	}
}

/** The specification does not show where whoami names the workspace, and no answer may exhaust the stack. */
const MOST_DEPTH = 4;
/** Members with these names may change while the workspace is the same. */
const VOLATILE = /^meta$|permission|role|scope|access/i;
/** What a workspace is known by, best first; the empty name is that of a text that is called "workspace". */
const IDS = ['id', 'uuid', 'guid', 'code', ''];

/** The name is `id` for `workspace_id` and `workspaceId` as well as for `id` of a workspace. */
type Id = { rank: number; name: string; value: string };

/** What a whoami answer calls the workspace, best first: a renamed one stays itself. */
export function workspaceIds(body: unknown): Id[] {
	const ids = isObject(body) ? idsIn(body, 0, false) : [];
	return ids.sort((one, other) => one.rank - other.rank);
}

function digestOfId({ name, value }: Id): string {
	return digestOf(JSON.stringify([name, value]));
}

/** What may be shown of a workspace: a code works like a key, and a service may repeat a secret in any field. */
function labelOf(ids: readonly Id[], secrets: readonly string[]): string | null {
	const isShown = ({ name, value }: Id): boolean =>
		name !== 'code' && /^[\w .:-]{1,40}$/.test(value) && redact(value, secrets) === value;
	return ids.find(isShown)?.value ?? null;
}

/** What is nearest to the top comes first: what lies deeper may be about another workspace, and in a workspace it is. */
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
			const text = value instanceof WrittenNumber ? value.text : String(value);
			if (isNamed && IDS.includes(name)) ids.push({ rank, name, value: text });
		} else if (isObject(value) && !isWorkspace) {
			ids.push(...idsIn(value, depth + 1, /^workspace$/i.test(key)));
		}
	}
	return ids;
}
