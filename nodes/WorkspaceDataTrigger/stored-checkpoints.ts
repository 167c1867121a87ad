import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { Checkpoint } from '../shared/changes/checkpoint';
import { isObject } from '../shared/client/json';
import type { ContextWithNode } from '../shared/session/checkpoint';

/** Key in n8n's static data of a node. The value is an object with checkpoints by node ID. */
const STATE_KEY = 'workspaceData';
/** Maximum number of checkpoints to keep for other nodes, without those that this process has loaded or saved. */
const MAX_OTHERS = 4;

/** A checkpoint of a node, and the number of checkpoints that this node has saved so far. */
interface Saved {
	count: number;
	state: unknown;
}

type Context = ContextWithNode & Pick<IPollFunctions, 'getWorkflow' | 'getWorkflowStaticData'>;

/** Checkpoints that triggers have loaded or saved in this process, by workflow ID and then by node ID. */
const savedHere = new Map<string | undefined, Map<string, Saved>>();

/** Returns this node's last checkpoint, even after a rename, although n8n stores static data by node name. */
export function loadCheckpoint(context: Context): unknown {
	return findOwn(context)?.state;
}

/**
 * Saves this node's checkpoint with those of the workflow's other triggers. Every copy of the static data must contain
 * all checkpoints, because n8n gives each published trigger its own copy, and saving one overwrites the others.
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
	// Use the stored checkpoint instead of the one in memory. The checkpoint in memory is too new if n8n discarded a
	// poll because the workflow was published.
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
