// nodes/WorkspaceData/sync/: Get Changes and Confirm Changes: every run gives what changed since the last one.

import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { counted, formatNumber } from '../../common/errors/words';
import { hint, warn } from '../hints';
import { noteRead, readsOf, SyncTable, type SyncRead } from './progress';
import { WHERE_TO_CONFIRM } from './properties';

/** Nodes of n8n that let a part of their input through at a time. */
const DIVIDING = ['filter', 'if', 'splitInBatches', 'switch'];

/** Confirm Changes: what the Get Changes nodes before it read in this execution has arrived. Passes its input on. */
export async function confirmChanges(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const input = context.getInputData();
	const parents = context.getParentNodes(context.getNode().name);
	const isParent = (node: string): boolean => parents.some(({ name }) => name === node);
	const reads = Object.entries(readsOf(context)).filter(
		([, { node, overtaken = [] }]) => isParent(node) || overtaken.some(isParent),
	);
	if (reads.length === 0) {
		warn(
			context,
			'Nothing to confirm: no Get Changes before this step has read changes in this execution. Run the whole workflow, not this step alone.',
		);
	}
	const table = new SyncTable(context);
	const confirmed: SyncRead[] = [];
	for (const [key, read] of reads) {
		const overtaken = (read.overtaken ?? []).filter(isParent);
		const isOwn = isParent(read.node);
		if (overtaken.length > 0 && (!isOwn || read.owner === null))
			tellOvertaken(context, overtaken[0], read.node);
		if (isOwn && (await confirmRead(context, table, key, read))) confirmed.push(read);
	}
	const isDivided = parents.some(({ type }) => DIVIDING.includes(type.replace(/.*\./, '')));
	if (confirmed.length > 0) tellConfirmed(context, confirmed, input, isDivided);
	return input.map((item, index) => ({ ...item, pairedItem: { item: index } }));
}

/** Whether it is confirmed now. Where another execution has read the same changes since, that one confirms them. */
async function confirmRead(
	context: IExecuteFunctions,
	table: SyncTable,
	key: string,
	read: SyncRead,
): Promise<boolean> {
	const { node, owner, hasFailed } = read;
	const warnOf = (what: string, why: string): void =>
		warn(context, `${what} was confirmed for "${node}": ${why}`);
	if (hasFailed === true) {
		const why = 'Get Changes did not get to its end. The next run returns what is missing.';
		warnOf('Not everything', why);
	}
	if (owner === null) return false;
	const [row] = await table.find({ key, owner });
	const values = { committed: row?.pending, pending: '', owner: '' };
	const changed = row?.pending ? await table.write('update', { key, owner }, values) : [];
	noteRead(context, key, { ...read, owner: null, overtaken: [] });
	if (changed.length > 0) return true;
	warnOf(
		'Nothing',
		'another execution has read these changes since, or an earlier try has confirmed them.',
	);
	return false;
}

/** Nodes of one Sync Name read from one place, and only what the last of them has read is remembered. */
function tellOvertaken(context: IExecuteFunctions, node: string, by: string): void {
	const why = `"${by}" has the same 'Sync Name' and has read the changes since`;
	const fix = "Give each Get Changes its own 'Sync Name'.";
	warn(context, `Nothing was confirmed for "${node}": ${why}. ${fix}`);
}

/** Says how many are confirmed, and warns where some did not come. One item of another kind may stand for all. */
function tellConfirmed(
	context: IExecuteFunctions,
	reads: readonly SyncRead[],
	input: readonly INodeExecutionData[],
	isDivided: boolean,
): void {
	const records = reads.reduce((sum, read) => sum + read.records, 0);
	const items = reads.reduce((sum, read) => sum + read.items, 0);
	const counts = input.map(({ json }) => recordsOfItem(json));
	const isAsRead = counts.every((count) => count !== undefined);
	const arrived = counts.reduce<number>((sum, count) => sum + (count ?? 1), 0);
	const isLoaded = input.length === items || (input.length === 1 && !isDivided);
	if (arrived >= records || (!isAsRead && isLoaded)) {
		const confirmed = counted(records, 'change');
		hint(context, `Confirmed ${confirmed}. The next run returns only newer ones.`);
		return;
	}
	const some = isAsRead ? `${formatNumber(arrived)} of them` : counted(arrived, 'item');
	const came = arrived === 0 ? 'none' : `only ${some}`;
	warn(
		context,
		`Get Changes returned ${counted(records, 'record')}, but ${came} came here, and everything is confirmed now. Put Confirm Changes ${WHERE_TO_CONFIRM}.`,
	);
}

/** How many records a batch or a file of Get Changes holds; undefined for any other item. */
function recordsOfItem({ hasMore, records }: IDataObject): number | undefined {
	if (typeof hasMore !== 'boolean') return undefined;
	if (Array.isArray(records)) return records.length;
	return typeof records === 'number' ? records : undefined;
}
