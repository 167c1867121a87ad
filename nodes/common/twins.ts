import type { IDataObject, INode } from 'n8n-workflow';

import { InputProblem } from './errors';

/** What n8n's contexts hold of the workflow, though their types do not show it. Where one does not, nothing is known. */
interface Held {
	getNode: () => INode;
	workflow?: { nodes?: Record<string, INode>; staticData?: IDataObject };
}

/**
 * Two nodes of one id share what is remembered by it, so one would skip what the other has returned. n8n's editor makes
 * none; old versions of it, and workflows written by hand, do. Throws InputProblem.
 */
export function refuseTwin(context: object): void {
	const { workflow, ...self } = heldIn(context);
	const isTwin = ({ id, name, type, disabled }: INode): boolean =>
		id === self.id && name !== self.name && type === self.type && disabled !== true;
	const twin = Object.values(workflow?.nodes ?? {}).find(isTwin);
	if (twin === undefined) return;
	throw new InputProblem(
		`The nodes "${self.name}" and "${twin.name}" have the same ID`,
		'Copy one of them in the editor, then delete the original: the copy gets an ID of its own. Progress is saved by this ID, so each would skip what the other returned.',
	);
}

/** The name of a node whose static data the workflow still holds under this key, but which it no longer has. */
export function formerNode(context: object, key: string): string | undefined {
	const { workflow } = heldIn(context);
	const entries = Object.entries(workflow?.staticData ?? {});
	const kept = entries.filter(([, data]) => (data as IDataObject | null)?.[key] !== undefined);
	const names = kept.map(([name]) => name.replace(/^node:/, ''));
	return names.find((name) => workflow?.nodes?.[name] === undefined);
}

function heldIn(context: object) {
	const { getNode, workflow } = context as Held;
	return { ...getNode.call(context), workflow };
}
