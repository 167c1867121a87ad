import type { IDataObject, INode } from 'n8n-workflow';

import type { FoundOwner } from '../changes/state';
import type { Client, RequestLimits } from '../client/api';
import type { ServiceCredential } from '../client/credential';
import { isObject } from '../client/envelope';
import { bodyWithAllDigits, WrittenNumber } from '../client/exact-json';
import { asServiceFailure, isRejection } from '../client/failures';
import { digestOf } from '../lists/version';
import { InputProblem } from './errors';
import { CREDENTIAL_TYPE } from './transport';

/** By digest of address and key. A key stays in its workspace, so whoami is asked until it has told. */
const workspaces = new Map<string, readonly string[]>();

/** Whose records a credential gives. Its id stays when another key is put into it. Throws ServiceFailure. */
export async function findOwner(
	context: { getNode: () => INode },
	{ client, credential }: { client: Client; credential: ServiceCredential },
	limits: RequestLimits,
): Promise<FoundOwner> {
	const key = digestOf(JSON.stringify([credential.baseUrl, credential.bearer]));
	const names = workspaces.get(key) ?? (await fetchWorkspace(client, limits));
	if (names !== undefined) workspaces.set(key, names);
	const { id = null } = context.getNode().credentials?.[CREDENTIAL_TYPE] ?? {};
	return { workspace: names?.[0] ?? null, names, credential: id };
}

/** See `workspaceOf`. Undefined for what is no answer of whoami, such as the page of a login, which may be gone next time. */
async function fetchWorkspace(client: Client, limits: RequestLimits) {
	const request = { method: 'GET', path: '/v2/public/auth/whoami', risk: 'safe' } as const;
	try {
		return workspaceOf(bodyWithAllDigits(await client(request, limits)));
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

/** The workspace that a whoami answer names, as digests of its ids, best first: a renamed one stays itself. */
export function workspaceOf(body: unknown): string[] {
	const ids = isObject(body) ? idsIn(body, 0, false) : [];
	ids.sort((one, other) => one.rank - other.rank);
	return ids.map(({ name, value }) => digestOf(JSON.stringify([name, value])));
}

/** The name is `id` for `workspace_id` and `workspaceId` as well as for `id` of a workspace. */
type Id = { rank: number; name: string; value: string };

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

/** What n8n's contexts hold of the workflow, though their types do not show it. Where one does not, nothing is known. */
interface Held {
	getNode: () => INode;
	workflow?: { nodes?: Record<string, INode>; staticData?: IDataObject };
}

/** Throws InputProblem for a node with the ID of another one, as old versions of n8n and workflows made by hand have it. */
export function refuseTwin(context: Held): void {
	const self = context.getNode();
	const isTwin = ({ id, name, type, disabled }: INode): boolean =>
		id === self.id && name !== self.name && type === self.type && disabled !== true;
	const twin = Object.values(context.workflow?.nodes ?? {}).find(isTwin);
	if (twin === undefined) return;
	throw new InputProblem(
		`The nodes "${self.name}" and "${twin.name}" have the same ID`,
		'Copy one of them in the editor, then delete the original: the copy gets an ID of its own. Progress is saved by this ID, so each would skip what the other returned.',
	);
}

/** The name of a node whose static data the workflow still holds under this key, but which it no longer has. */
export function formerNode({ workflow }: Held, key: string): string | undefined {
	const entries = Object.entries(workflow?.staticData ?? {});
	const kept = entries.filter(([, data]) => (data as IDataObject | null)?.[key] !== undefined);
	const names = kept.map(([name]) => name.replace(/^node:/, ''));
	return names.find((name) => workflow?.nodes?.[name] === undefined);
}
