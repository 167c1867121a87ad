import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { Checkpoint } from '../shared/changes/checkpoint';
import { isObject } from '../shared/client/json';
import type { ContextWithNode } from '../shared/session/checkpoint';

/** Key in n8n's static data of a node. The value is an object with checkpoints by node ID. */
const STATE_KEY = 'workspaceData';
/**
 * Maximum number of checkpoints to keep for other nodes whose checkpoints this process has neither loaded nor saved.
 */
const MAX_OTHERS = 4;

/** A checkpoint of a node, and the number of checkpoints that this node has saved so far. */
interface Saved {
	count: number;
	state: unknown;
}

type Context = ContextWithNode & Pick<IPollFunctions, 'getWorkflow' | 'getWorkflowStaticData'>;

/** Checkpoints that triggers have loaded or saved in this process, by workflow ID and then by node ID. */
const savedHere = new Map<string | undefined, Map<string, Saved>>();

/**
 * Returns the last checkpoint of this node. Searches all static data of the workflow for the node's ID, because n8n
 * stores static data by node name. After a rename, the checkpoint is still stored under the old name.
 */
export function loadCheckpoint(context: Context): unknown {
	return findOwn(context)?.state;
}

/**
 * Saves the checkpoint of this node, together with the checkpoints of the workflow's other triggers. n8n gives each
 * published trigger its own copy of the static data, and saving one copy overwrites the other copies. So every copy
 * must contain all checkpoints.
 */
export function saveCheckpoint(context: Context, state: Checkpoint): void {
	const own = findOwn(context);
	if (JSON.stringify(own?.state) === JSON.stringify(state)) return;
	const data = context.getWorkflowStaticData('node');
	const ofWorkflow = savedIn(context).set(context.getNode().id, {
		count: (own?.count ?? 0) + 1,
		state,
	});
	const byNode = new Map(Object.entries(statesIn(data)));
	for (const [id, saved] of ofWorkflow) {
		// Move the checkpoint to the end of the map, because the first ones are dropped below.
		byNode.delete(id);
		byNode.set(id, saved);
	}
	const kept = [...byNode].slice(-MAX_OTHERS - ofWorkflow.size);
	data[STATE_KEY] = Object.fromEntries(kept) as IDataObject;
}

function findOwn(context: Context): Saved | undefined {
	const { id } = context.getNode();
	const byName = Object.values(context.workflow?.staticData ?? {});
	const [own] = [context.getWorkflowStaticData('node'), ...byName]
		.map((data) => statesIn(data)[id])
		.filter(isSaved)
		.sort((one, other) => other.count - one.count);
	// Replace the checkpoint that this process remembers. It can be newer than the stored checkpoint, because n8n
	// discards the result of a poll if the workflow is published during the poll.
	if (own !== undefined) savedIn(context).set(id, own);
	return own;
}

function savedIn(context: Context): Map<string, Saved> {
	const { id } = context.getWorkflow();
	const found = savedHere.get(id) ?? new Map<string, Saved>();
	savedHere.set(id, found);
	return found;
}

function statesIn(data: unknown): Record<string, unknown> {
	const states = isObject(data) ? data[STATE_KEY] : undefined;
	return isObject(states) ? states : {};
}

function isSaved(value: unknown): value is Saved {
	return isObject(value) && typeof value.count === 'number';
}
