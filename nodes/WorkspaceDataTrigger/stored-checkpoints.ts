import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { Checkpoint } from '../shared/changes/checkpoint';
import { isObject } from '../shared/client/json';
import type { Held } from '../shared/session/checkpoint';

/** Where the states lie in the static data of a node, by the ID of the node that has saved them. */
const STATE_KEY = 'workspaceData';
/** How many states of other nodes stay, besides those that were saved in this process. */
const MAX_OTHERS = 4;

/** A state, and how many times its node has saved one. */
interface Saved {
	count: number;
	state: unknown;
}

type Context = Held & Pick<IPollFunctions, 'getWorkflow' | 'getWorkflowStaticData'>;

/** What the triggers of a workflow have saved in this process, by the ID of the workflow and then of the node. */
const savedHere = new Map<string | undefined, Map<string, Saved>>();

/**
 * The state of this node, under whatever name it was saved last, and never another node's: n8n keeps static data by the
 * name that a node has, which may be another one's by now.
 */
export function loadCheckpoint(context: Context): unknown {
	return findOwn(context)?.state;
}

/**
 * Saves the state of this node, and with it what this package's other triggers of the workflow have saved: n8n gives
 * triggers that were published one after the other a copy of the static data each, and what one saves replaces all.
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
		// What was saved last stays longest.
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
	// A poll that n8n has thrown away, since the workflow was published meanwhile, is none that counts.
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
