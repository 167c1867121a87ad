import { canonicalJson } from '../../common/canonical-json';
import type { ListParameters } from './parameters';
import type { Task } from '../task';

/** What each execution has read so far, until it was told once. */
const readBefore = new WeakMap<Task['context'], Set<string> | 'told'>();

/**
 * Tells the user where a second input item reads the very list that another one has read: n8n runs a list for each of
 * its input items. Old versions of n8n have no such hints.
 */
export function adviseExecuteOnce({ context }: Task, parameters: ListParameters): void {
	const before = readBefore.get(context) ?? new Set<string>();
	if (before === 'told') return;
	const list = canonicalJson(parameters);
	if (!before.has(list)) {
		readBefore.set(context, before.add(list));
		return;
	}
	readBefore.set(context, 'told');
	context.addExecutionHints?.({
		message:
			'This node ran once for each of its input items, and several of them read the same list, so its records came out several times. If you want them once, turn on <b>Execute Once</b> in the settings of this node.',
		location: 'outputPane',
	});
}
