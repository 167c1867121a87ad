import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import type { Checkpoint } from '../../shared/changes/checkpoint';
import { isObject, parseJson } from '../../shared/client/json';
import { canonicalJson, digestOf } from '../../shared/client/exact-json';
import { redact } from '../../shared/client/secrets';
import { InputProblem } from '../../shared/errors/node-errors';
import { refuseSameId } from '../../shared/session/checkpoint';
import { adviceOnTable, DataTable, matching } from '../data-table';
import type { NodeRun } from '../node-run';
import type { SyncParameters } from './sync-parameters';
import { WHERE_TO_CONFIRM } from './sync-properties';
import { leadsTo, syncNodes } from '../wiring';

/** The data table in which all syncs of a project are remembered, made when it is missing. */
export const TABLE_NAME = 'workspace_data_sync';
const COLUMNS = { key: 'string', committed: 'string', reader: 'string' } as const;

/** One sync. n8n gives null for what was never written. */
export interface Row {
	key: string;
	/** The checkpoint that every run starts from, as JSON. */
	committed: string | null;
	/** The execution that has read last, until what one has read is confirmed. */
	reader: string | null;
}

/** n8n keeps what an execution has under this key through waits, and for a retry from the list. */
const FLOW_KEY = 'workspaceDataSyncs';

/** What an execution has last read of a sync. */
export interface SyncRead {
	/** The name of Get Changes. */
	node: string;
	/** Until it is confirmed: a digest of the checkpoint that reading began with, and the checkpoint after it, as JSON. */
	toConfirm?: { from: string; reached: string };
	/** Which execution it was, since a retry from the list is another one; and a digest of its Filters. */
	execution?: string;
	filter?: string;
	/** How many were returned. */
	records: number;
}

/** Shared by all input items of a run, so that n8n is asked only once for its data tables. */
const tables = new WeakMap<object, SyncTable>();

/** What a run begins with, unchecked (`stored`), and what remembers its end (`keep`). Throws InputProblem. */
export async function openProgress(nodeRun: NodeRun, parameters: SyncParameters) {
	const { context, syncs } = nodeRun;
	// The user keeps the checkpoint, and there is nothing to confirm.
	if (parameters.progress === 'given')
		return { stored: parameters.checkpoint, keep: async () => undefined };
	if (parameters.syncName === undefined) refuseSameId(context);
	const key = syncKey(nodeRun, parameters);
	if (!nodeRun.isFirst(`sync ${key}`)) {
		// The second would read from where the first began, and its progress would replace the first one's.
		throw new InputProblem(
			"Give each input item its own 'Sync Name', or let only one item in",
			"Two input items have the same 'Object Type', 'Event' and 'Sync Name', so they would share their saved progress. A Limit node lets only one item in.",
		);
	}
	const { name: node } = context.getNode();
	const execution = String(context.getExecutionId());
	const filter = digestOf(canonicalJson(parameters.additional ?? {}));
	const read: SyncRead = { node, execution, filter, records: 0 };
	// Another try of this run may read it again.
	if (!syncs.has(key)) refuseUnconfirmed(read, readsOf(context)[key]);
	syncs.add(key);
	// What an earlier try has read does not come out now.
	recordRead(context, key, read);
	const table = tables.get(nodeRun) ?? new SyncTable(context);
	tables.set(nodeRun, table);
	const row = await table.find(key);
	const committed = row?.committed || undefined;
	const stored = committed && (parseJson(committed) ?? committed);
	const keep = async ({ checkpoint, records }: { checkpoint: Checkpoint; records: number }) => {
		const reached = JSON.stringify(checkpoint);
		// Where nothing came out, nothing can be lost, so nobody need confirm it.
		const values = records === 0 ? { committed: reached, reader: '' } : { reader: execution };
		if (records > 0 || reached !== committed) await table.move(key, committed, values);
		if (records === 0) return;
		const toConfirm = { from: digestOf(committed ?? ''), reached };
		recordRead(context, key, { ...read, records, toConfirm });
		if (row?.reader && row.reader !== execution) {
			nodeRun.warn(
				`These are the same changes as in the last run, because they were not confirmed. ${adviceOnUnconfirmed(context)}`,
			);
		}
	};
	return { stored, keep };
}

/** Nodes that may pass nothing on. Then the nodes after them do not run. */
const FILTERS = ['filter', 'removeDuplicates', 'if', 'switch'].map(
	(name) => `n8n-nodes-base.${name}`,
);

/** Says why the last run may not have confirmed its changes, by the nodes after Get Changes. */
function adviceOnUnconfirmed(context: IExecuteFunctions): string {
	const after = context.getChildNodes(context.getNode().name, { includeNodeParameters: true });
	const [confirm] = syncNodes(after, 'confirm').filter(({ parameters }) => parameters);
	if (confirm === undefined)
		return `Add Confirm Changes ${WHERE_TO_CONFIRM}. If it is there already, the last run ended before it.`;
	const between = after.filter(({ name }) => leadsTo(context, name, confirm.name));
	const merges = between.filter(({ type }) => type === 'n8n-nodes-base.merge');
	const filter = between.find(
		({ name, type }) =>
			FILTERS.includes(type) && !merges.some((merge) => leadsTo(context, name, merge.name)),
	);
	return filter === undefined
		? `The last run ended before "${confirm.name}".`
		: `If "${filter.name}" passed on no items, "${confirm.name}" did not run. Use If and Merge, so that it runs in both cases.`;
}

/**
 * Throws InputProblem where this execution has read the sync before, with another filter or without having confirmed it: the
 * same would be returned without end.
 */
function refuseUnconfirmed(now: SyncRead, before: SyncRead | undefined): void {
	if (before === undefined || before.execution !== now.execution) return;
	if (before.filter !== now.filter) {
		throw new InputProblem(
			"Give each filter its own 'Sync Name' by an expression",
			"This execution has read these changes before, with other 'Filters'. The two filters would share their saved progress, so each would skip changes of the other. An expression is, for example, {{ $json.region }}.",
		);
	}
	if (before.toConfirm === undefined) return;
	const isSame = before.node === now.node;
	throw new InputProblem(
		isSame
			? 'Put Confirm Changes inside the loop, before Get Changes runs again'
			: `Give "${before.node}" and "${now.node}" a 'Sync Name' each`,
		`This execution has read these changes before, and they were not confirmed, so the same changes would be returned ${isSame ? 'in every round' : 'again'}. Confirm Changes belongs ${WHERE_TO_CONFIRM}.`,
	);
}

/** One for this node, whatever its name, or for all nodes of the workflow with the same Sync Name. */
function syncKey(nodeRun: NodeRun, parameters: SyncParameters): string {
	const { syncName, objectType, field } = parameters;
	const { context } = nodeRun;
	const workflow = context.getWorkflow().id ?? '';
	const whose = syncName === undefined ? `node ${context.getNode().id}` : `name ${syncName}`;
	// Names may contain ', ', so a digest makes the key unique.
	const digest = digestOf(JSON.stringify([workflow, whose, objectType, field]));
	const parts = [`workflow ${workflow}`, whose, objectType, field].join(', ');
	return `${redact(parts, nodeRun.secrets)}, ${digest}`;
}

/** Remembers that this execution has read a sync, or has confirmed it. */
export function recordRead(context: IExecuteFunctions, key: string, read: SyncRead): void {
	context.getContext('flow')[FLOW_KEY] = { ...readsOf(context), [key]: read };
}

/** What this execution has read, by the key of the sync. */
export function readsOf(context: IExecuteFunctions): Record<string, SyncRead> {
	const reads: unknown = context.getContext('flow')[FLOW_KEY];
	return isObject(reads) ? (reads as Record<string, SyncRead>) : {};
}

/** The rows of syncs. Each function throws InputProblem when n8n has no data tables or cannot use them. */
export class SyncTable {
	private readonly table: DataTable;

	constructor(context: IExecuteFunctions) {
		this.table = new DataTable(context, TABLE_NAME, COLUMNS);
	}

	/** The row of a sync. One that n8n handed to this project, as a user left, is taken over. */
	async find(key: string): Promise<Row | undefined> {
		const choice = { returnAll: true, ...where({ key }) };
		const rows = await rowsOf(this.table.find(choice));
		// Two first runs at the same moment may have made a row each; either is right.
		if (rows.length > 0) return rows.find(({ committed }) => committed) ?? rows[0];
		const handedOver = await rowsOf(this.table.findHandedOver(choice));
		const former = handedOver.findLast(({ committed }) => committed);
		if (former) await this.write('upsert', { key }, { key, committed: former.committed });
		return former;
	}

	/** Writes the row of a sync where `committed` is still so, and tells whether: what another run confirmed must not come again. */
	async move(key: string, committed: string | undefined, values: Partial<Row>): Promise<boolean> {
		if (committed) return await this.write('update', { key, committed }, values);
		const isNew = !(await this.find(key))?.committed;
		return isNew && (await this.write('upsert', { key }, { key, ...values }));
	}

	/** Whether what an execution has read is confirmed: now, or by an earlier try of Confirm Changes. */
	async confirm(key: string, read: NonNullable<SyncRead['toConfirm']>): Promise<boolean> {
		const committed = (await this.find(key))?.committed || undefined;
		if (committed === read.reached) return true;
		const isStill = digestOf(committed ?? '') === read.from;
		return isStill && (await this.move(key, committed, { committed: read.reached, reader: '' }));
	}

	private async write(operation: 'update' | 'upsert', found: Partial<Row>, values: Partial<Row>) {
		const columns = { mappingMode: 'defineBelow', value: { ...values } };
		const rows = await rowsOf(this.table.change({ operation, ...where(found), columns }));
		return rows.length > 0;
	}
}

async function rowsOf(step: Promise<IDataObject[]>): Promise<Row[]> {
	const found = await step.catch((error: unknown) => {
		const advice = adviceOnTable(
			TABLE_NAME,
			error,
			`set 'Progress' of Get Changes to "Use My Own Checkpoint"`,
		);
		const message = `n8n could not use the data table "${TABLE_NAME}" of this project`;
		throw new InputProblem(message, advice);
	});
	// An empty item stands for no row.
	return found.filter((json): json is IDataObject & Row => typeof json.key === 'string');
}

function where(values: Partial<Row>): INodeParameters {
	return matching(Object.entries(values).map(([name, value]) => [name, 'eq', value ?? '']));
}
