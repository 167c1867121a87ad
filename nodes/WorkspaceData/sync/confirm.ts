import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { InputProblem } from '../../shared/errors/node-errors';
import { counted } from '../../shared/errors/words';
import type { NodeRun } from '../node-run';
import {
	unprocessedNodesAfter,
	isRunByHand,
	hasPath,
	nodesToRun,
	syncNodes,
	hasNode,
} from '../workflow-graph';
import { recordRead, readsOf, SyncTable, type SyncRead } from './progress';

/**
 * Confirms the changes that the Get Changes nodes before this node have read. Returns the input items. Throws
 * InputProblem, and confirms nothing, if there is no Get Changes, or if a node that may still fail has not run yet.
 */
export async function confirmChanges(nodeRun: NodeRun): Promise<INodeExecutionData[]> {
	const { context } = nodeRun;
	const before = context.getParentNodes(context.getNode().name, { includeNodeParameters: true });
	if (syncNodes(before, 'getChanges').length === 0) throw new InputProblem(ALONE, NOT_ALONE);
	const all = Object.entries(readsOf(context));
	const reads = all.filter(([, { node }]) => before.some(({ name }) => name === node));
	const lost = all.find(([, { node, toConfirm }]) => toConfirm && !hasNode(context, node));
	if (lost !== undefined) throw renamed(lost[1].node);
	if (reads.length === 0) {
		nodeRun.warn(
			'Nothing to confirm: in this execution, no Get Changes before this node has read changes. Run the whole workflow, not this node alone. If Get Changes uses your own checkpoint, remove this node.',
		);
	}
	const unconfirmed = reads.filter(([, { toConfirm }]) => toConfirm !== undefined);
	const deactivated = unconfirmed.flatMap(([, { node }]) => refuseTooEarly(context, node));
	const records = await confirmReads(nodeRun, reads);
	if (records > 0) {
		nodeRun.hint(
			`Confirmed ${counted(records, 'change')}. The next run returns only newer changes.`,
		);
		for (const name of new Set(deactivated))
			nodeRun.warn(
				`"${name}" is deactivated, so these changes have not arrived there. Activate "${name}", or remove it.`,
			);
	}
	return nodeRun.items.map((item, index) => ({ ...item, pairedItem: { item: index } }));
}

const ALONE = 'Put Get Changes and Confirm Changes into one workflow';
const NOT_ALONE =
	'There is no Get Changes before this node, so it can confirm nothing, and each run would return the same changes again. If a sub-workflow reads the changes, put Confirm Changes into the same sub-workflow.';

/** Returns the error for a retry after Get Changes was renamed or removed. */
function renamed(getChanges: string): InputProblem {
	return new InputProblem(
		'Run the workflow again, and do not retry this execution',
		`"${getChanges}" read changes in this execution, and was then renamed or removed. The next run returns the same changes. Nothing has been confirmed.`,
	);
}

/**
 * Throws InputProblem if Confirm Changes is in a loop without Get Changes, or if a node after Get Changes has not run
 * yet. Returns the names of deactivated nodes after Get Changes.
 */
function refuseTooEarly(context: IExecuteFunctions, getChanges: string): string[] {
	const { name: self } = context.getNode();
	if (hasPath(context, self, self, getChanges)) throw inLoop(context, getChanges);
	// Check for left-out nodes first, because n8n also lists them among the nodes that will still run.
	const deactivated = refuseUnprocessed(context, getChanges);
	const late = nodesToRun(context).find(({ name, from }) => {
		// Ignore items from the error output, because error items are not changes.
		const isError = (one: (typeof from)[number]): boolean =>
			one?.previousNode === getChanges && one.previousNodeOutput === 1;
		const hasOnlyErrors = from.length > 0 && from.every(isError);
		return name !== self && !hasOnlyErrors && hasPath(context, getChanges, name, self);
	});
	if (late === undefined) return deactivated;
	throw new InputProblem(
		`Put "${late.name}" and Confirm Changes one after the other`,
		`"${late.name}" has not yet processed the changes of "${getChanges}", and may fail. If that matters, join the branches with a Merge node before Confirm Changes. If not, connect "${late.name}" after Confirm Changes. Nothing has been confirmed.`,
	);
}

/**
 * Throws InputProblem if a node after Get Changes may not have processed the changes (see ReasonNotProcessed). Outside
 * the editor, deactivated nodes do not cause an error. Their names are returned instead.
 */
function refuseUnprocessed(context: IExecuteFunctions, getChanges: string): string[] {
	const unprocessed = unprocessedNodesAfter(context, getChanges, context.getNode().name);
	// n8n lists the farthest node first, so findLast() returns the nearest node.
	const refused = unprocessed.findLast(
		({ reason }) => reason !== 'deactivated' || isRunByHand(context),
	);
	if (refused === undefined) return unprocessed.map(({ name }) => name);
	const { name, reason } = refused;
	const isLeftOut = reason !== 'not waited for';
	const why = isLeftOut
		? `In this run "${name}" is ${reason}, so it has not received the changes of "${getChanges}".`
		: `Otherwise, the changes of "${getChanges}" may be confirmed before they are saved.`;
	throw new InputProblem(
		isLeftOut
			? `Run the whole workflow, with "${name}"`
			: `Turn on Wait For Sub-Workflow Completion in "${name}"`,
		`${why} If that does not matter, connect "${name}" after Confirm Changes. Nothing has been confirmed.`,
	);
}

/** Returns the error for a loop. It names the outermost loop, whose Done branch runs only after all rounds. */
function inLoop(context: IExecuteFunctions, getChanges: string): InputProblem {
	const { name: self } = context.getNode();
	const isAround = (name: string): boolean =>
		hasPath(context, self, name, getChanges) && hasPath(context, name, self, getChanges);
	// n8n lists the farthest node first, so find() returns the outermost loop.
	const loop = context
		.getParentNodes(self)
		.find(({ name, type }) => type === 'n8n-nodes-base.splitInBatches' && isAround(name));
	const place = loop === undefined ? 'after the loop' : `at the Done branch of "${loop.name}"`;
	return new InputProblem(
		`Put Confirm Changes ${place}`,
		`Inside the loop, it runs once per round, and the first round would confirm all changes of "${getChanges}". Nothing has been confirmed.`,
	);
}

/**
 * Confirms what Get Changes has read, and returns the number of confirmed changes. If another execution has confirmed
 * changes meanwhile, the table keeps the checkpoint of that execution.
 */
async function confirmReads(
	nodeRun: NodeRun,
	reads: Array<[key: string, SyncRead]>,
): Promise<number> {
	const table = new SyncTable(nodeRun.context);
	let records = 0;
	for (const [key, read] of reads) {
		const { node, toConfirm } = read;
		if (toConfirm === undefined) continue;
		const isConfirmed = await table.confirm(key, toConfirm);
		recordRead(nodeRun.context, key, { ...read, toConfirm: undefined });
		if (isConfirmed) records += read.records;
		else
			nodeRun.warn(
				`Nothing was confirmed for "${node}": another execution has confirmed changes in the meantime. Anything else that this execution read will be returned again.`,
			);
	}
	return records;
}
