import { createHash } from 'crypto';

import { isObject } from '../client/envelope';
import { WrittenNumber } from '../client/exact-json';

/** How deep below the body a member may lie; the specification does not show where whoami names the workspace. */
const MOST_DEPTH = 3;
/** Members that say nothing about which workspace it is, and may change while it stays the same. */
const VOLATILE = /^(meta|ctx_?id)$|permission|role|level|scope|access/i;
const NAMES_ITSELF = /^(id|uuid|guid|code)$/;

/**
 * Which workspace a whoami answer names, as a digest: made of the members whose name contains "workspace". Where
 * there is an id among them (or a uuid, guid or code), only that counts, so that a renamed workspace stays itself.
 *
 * @param body the answer's body, best with all digits of its numbers (`bodyWithAllDigits`)
 * @returns undefined when the answer names no workspace
 */
export function workspaceOf(body: unknown): string | undefined {
	const leaves = isObject(body) ? collect(body, 1, false) : [];
	if (leaves.length === 0) return undefined;
	const ids = leaves.filter(([path]) => NAMES_ITSELF.test(lastName(path)));
	// Those of something inside the workspace, its owner for instance, lie deeper.
	const level = Math.min(...ids.map(([path]) => levelOf(path)));
	const own = ids.filter(([path]) => levelOf(path) === level);
	const told = (own.length > 0 ? own : leaves).map((leaf) => JSON.stringify(leaf)).sort();
	return createHash('sha256').update(JSON.stringify(told)).digest('hex').slice(0, 32);
}

type Leaf = [path: string, value: unknown];

/** Texts and numbers at or below a member that is named after the workspace. */
function collect(value: object, depth: number, isInside: boolean, path = ''): Leaf[] {
	return Object.entries(value).flatMap(([name, member]: [string, unknown]): Leaf[] => {
		if (VOLATILE.test(name)) return [];
		const isNamed = isInside || /workspace/i.test(name);
		const here = `${path}/${name}`;
		const isLeaf = typeof member === 'number' || (typeof member === 'string' && member !== '');
		if (isLeaf || member instanceof WrittenNumber) return isNamed ? [[here, member]] : [];
		if (!isObject(member) || (!isNamed && depth === MOST_DEPTH)) return [];
		return collect(member, depth + 1, isNamed, here);
	});
}

function levelOf(path: string): number {
	return path.split('/').length;
}

/** `/data/workspace/id`, `/workspace_id` and `/workspaceId` all end in `id`. */
function lastName(path: string): string {
	const name = path.slice(path.lastIndexOf('/') + 1);
	return name.toLowerCase().replace(/workspace|[^a-z]/g, '');
}
