import type { IDataObject, INode } from 'n8n-workflow';

import { openState, type Followed, type FoundOwner, type Opened } from '../../changes/state';
import { tellStart } from '../../changes/texts';
import { isObject } from '../../client/envelope';
import { InputProblem } from '../errors/node-errors';

/** What keeps a place in a list of changes. */
type Keeper = 'trigger' | 'sync' | 'checkpoint';

const NEW_TEXT = "enter a new text in 'Start Over'";

/** How to follow two workspaces, and how to begin anew. */
const WAYS_ON: Record<Keeper, { both: string; anew: string }> = {
	trigger: { both: 'add a second trigger', anew: NEW_TEXT },
	sync: {
		both: "give each its own 'Sync Name' (several in one node: by an expression)",
		anew: NEW_TEXT,
	},
	checkpoint: { both: 'keep a checkpoint for each', anew: "leave 'Checkpoint' empty" },
};

/**
 * What to continue from, and what to say where that is not simply what is stored. Throws InputProblem, so that nothing is
 * stored, for a place that belongs to another owner or is damaged beyond reading a date.
 */
export function openPlace(stored: unknown, start: Followed, keeper: Keeper) {
	const opened = openState(stored, start);
	if ('refusal' in opened) throw refused(opened, start.owner, keeper);
	const { state, reason, from } = opened;
	return { state, told: reason && tellStart(reason, from, start) };
}

function refused(
	{ refusal, before }: Extract<Opened, { refusal: unknown }>,
	now: FoundOwner,
	keeper: Keeper,
): InputProblem {
	const { both, anew } = WAYS_ON[keeper];
	if (refusal === 'damaged') {
		return new InputProblem(
			`The saved progress of this ${keeper} cannot be read`,
			`To begin as 'Start From' says, ${anew}. The progress is damaged, so nothing tells what was returned before.`,
		);
	}
	const isNamed = typeof before?.workspace === 'string' && now.workspace !== null;
	const labels = [before?.label, now.label].filter((one) => typeof one === 'string');
	const which =
		isNamed && labels.length === 2
			? `the workspace "${labels[0]}", and the key to "${labels[1]}"`
			: `another ${isNamed ? 'workspace' : 'address or credential'} than the one in use`;
	const former = isNamed ? 'key' : 'address and credential';
	return new InputProblem(
		`This ${keeper} belongs to ${which}`,
		`To follow both, ${both}. To begin anew, ${anew}. To continue, use the former ${former} again: nothing has been changed.`,
	);
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

/**
 * The state of a trigger, which holds the node's ID as `node`, and as `savedAt` when it was saved. n8n keeps it by the node's
 * name: a renamed node has the one of its own ID that was saved last, and the name of another node gives it nothing.
 *
 * @param key where the state lies in the static data of a node
 * @param byName what n8n keeps by the name that the node has now
 */
export function ownState(context: Held, key: string, byName: unknown): unknown {
	const { id } = context.getNode();
	const { nodes = {}, staticData = {} } = context.workflow ?? {};
	// A name that a node of this ID has is no former one.
	const former = Object.entries(staticData).filter(([name]) => nodes[name.slice(5)]?.id !== id);
	const isOwn = (state: unknown): state is IDataObject =>
		isObject(state) && state.node === id && id !== undefined;
	const savedAt = (state: IDataObject): number => Number(state.savedAt ?? 0);
	const [last] = [byName, ...former.map(([, data]) => isObject(data) && data[key]).reverse()]
		.filter(isOwn)
		.sort((one, other) => savedAt(other) - savedAt(one));
	if (last !== undefined) return last;
	const { node: holder } = isObject(byName) ? byName : {};
	const isOthers = ({ id: other }: INode): boolean => holder !== undefined && other === holder;
	return Object.values(nodes).some(isOthers) ? undefined : byName;
}

/** Whether n8n shows what else the workflow holds, so that a renamed node finds its state. */
export function showsWorkflow({ workflow }: Held): boolean {
	return workflow?.nodes !== undefined && workflow.staticData !== undefined;
}
