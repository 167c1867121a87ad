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
import { hasPath, syncNodes } from '../workflow-graph';

/** Name of n8n's data table for the progress of all syncs of a project. The first run creates the table. */
export const TABLE_NAME = 'workspace_data_sync';
const COLUMNS = { key: 'string', committed: 'string', reader: 'string' } as const;

/** Row of a sync (the saved progress of one Get Changes). n8n returns null for a cell that was never written. */
export interface Row {
	key: string;
	/** Checkpoint that the next run starts from, as JSON. */
	committed: string | null;
	/** ID of the latest execution that has read changes. Empty after these changes are confirmed. */
	reader: string | null;
}

/** Key in n8n's context data, which n8n keeps while an execution waits, and for a retry of the execution. */
const FLOW_KEY = 'workspaceDataSyncs';

/** Latest read of a sync in this execution: what Get Changes has read, and what Confirm Changes has to confirm. */
export interface SyncRead {
	/** Name of the Get Changes node. */
	node: string;
	/**
	 * Digest of the checkpoint before the read (`from`), and the checkpoint after the read as JSON (`reached`).
	 * Undefined if there is nothing to confirm.
	 */
	toConfirm?: { from: string; reached: string };
	/** ID of the execution, and digest of the option Filters. A retry from the list of executions has another ID. */
	execution?: string;
	filter?: string;
	records: number;
}

/** Tables by node run. All input items share one, so that the node looks up n8n's tables only once. */
const tables = new WeakMap<object, SyncTable>();

/**
 * Returns the stored checkpoint without checking it, and a function that stores the new checkpoint. Throws InputProblem
 * if the progress cannot be used.
 */
export async function openProgress(nodeRun: NodeRun, parameters: SyncParameters) {
	const { context, syncs } = nodeRun;
	// The user stores the checkpoint, so the node stores nothing, and there is nothing to confirm.
	if (parameters.progress === 'given')
		return { stored: parameters.checkpoint, keep: async () => undefined };
	if (parameters.syncName === undefined) refuseSameId(context);
	const key = syncKey(nodeRun, parameters);
	if (!nodeRun.isFirst(`sync ${key}`)) {
		// Items with the same key would share a checkpoint, and overwrite each other's progress.
		throw new InputProblem(
			"Give each input item its own 'Sync Name', or let only one item in",
			"Two input items have the same 'Object Type', 'Event' and 'Sync Name', so they would share their saved progress. A Limit node lets only one item in.",
		);
	}
	const { name: node } = context.getNode();
	const execution = String(context.getExecutionId());
	const filter = digestOf(canonicalJson(parameters.additional ?? {}));
	const read: SyncRead = { node, execution, filter, records: 0 };
	// Skip this check in later attempts of Retry On Fail, because they have to read the same changes again.
	if (!syncs.has(key)) refuseUnconfirmed(read, readsOf(context)[key]);
	syncs.add(key);
	// Replace the record of an earlier attempt. n8n discards its output, so its changes must not be confirmed.
	recordRead(context, key, read);
	const table = tables.get(nodeRun) ?? new SyncTable(context);
	tables.set(nodeRun, table);
	const row = await table.find(key);
	const committed = row?.committed || undefined;
	const stored = committed && (parseJson(committed) ?? committed);
	const keep = async ({ checkpoint, records }: { checkpoint: Checkpoint; records: number }) => {
		const reached = JSON.stringify(checkpoint);
		// A run without records stores the new checkpoint at once, because no record can be lost.
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

/** Types of nodes that may return no items. n8n then does not run the nodes after them. */
const FILTERS = ['filter', 'removeDuplicates', 'if', 'switch'].map(
	(name) => `n8n-nodes-base.${name}`,
);

/** Returns advice on unconfirmed changes of the last run, depending on the nodes after Get Changes. */
function adviceOnUnconfirmed(context: IExecuteFunctions): string {
	const after = context.getChildNodes(context.getNode().name, { includeNodeParameters: true });
	const [confirm] = syncNodes(after, 'confirm').filter(({ parameters }) => parameters);
	if (confirm === undefined)
		return `Add Confirm Changes ${WHERE_TO_CONFIRM}. If it is there already, the last run ended before it.`;
	const between = after.filter(({ name }) => hasPath(context, name, confirm.name));
	const merges = between.filter(({ type }) => type === 'n8n-nodes-base.merge');
	const filter = between.find(
		({ name, type }) =>
			FILTERS.includes(type) && !merges.some((merge) => hasPath(context, name, merge.name)),
	);
	return filter === undefined
		? `The last run ended before "${confirm.name}", or has not reached it yet.`
		: `If "${filter.name}" passed on no items, "${confirm.name}" did not run. Use If and Merge, so that it runs in both cases.`;
}

/**
 * Throws InputProblem if this execution has already read changes of the same sync, and either they were not confirmed,
 * or Filters have changed since. Otherwise a loop could return the same changes forever.
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

/**
 * Returns the key of a sync in the data table. Nodes of a workflow with the same Sync Name, object type and event share
 * a key. A node without a Sync Name has its own key.
 */
function syncKey(nodeRun: NodeRun, parameters: SyncParameters): string {
	const { syncName, objectType, field } = parameters;
	const { context } = nodeRun;
	const workflow = context.getWorkflow().id ?? '';
	const whose = syncName === undefined ? `node ${context.getNode().id}` : `name ${syncName}`;
	// Add a digest to make the key unique, because names may contain ', '.
	const digest = digestOf(JSON.stringify([workflow, whose, objectType, field]));
	const parts = [`workflow ${workflow}`, whose, objectType, field].join(', ');
	return `${redact(parts, nodeRun.secrets)}, ${digest}`;
}

/** Stores the latest read of a sync in n8n's context data of this execution. */
export function recordRead(context: IExecuteFunctions, key: string, read: SyncRead): void {
	context.getContext('flow')[FLOW_KEY] = { ...readsOf(context), [key]: read };
}

/** Returns the latest read of each sync in this execution, by the key of the sync. */
export function readsOf(context: IExecuteFunctions): Record<string, SyncRead> {
	const reads: unknown = context.getContext('flow')[FLOW_KEY];
	return isObject(reads) ? (reads as Record<string, SyncRead>) : {};
}

/** Reads and writes the rows of syncs in the data table. All methods throw InputProblem if n8n cannot use the table. */
export class SyncTable {
	private readonly table: DataTable;

	constructor(context: IExecuteFunctions) {
		this.table = new DataTable(context, TABLE_NAME, COLUMNS);
	}

	/** Returns the row of a sync, or undefined. Copies it from a deleted user's table that n8n gave to this project. */
	async find(key: string): Promise<Row | undefined> {
		const choice = { returnAll: true, ...where({ key }) };
		const rows = await rowsOf(this.table.find(choice));
		// Two first runs at the same moment may each have created a row. Prefer a row with a checkpoint.
		if (rows.length > 0) return rows.find(({ committed }) => committed) ?? rows[0];
		const handedOver = await rowsOf(this.table.findHandedOver(choice));
		const former = handedOver.findLast(({ committed }) => committed);
		if (former) await this.write('upsert', { key }, { key, committed: former.committed });
		return former;
	}

	/**
	 * Writes the row of a sync if its stored checkpoint is still `committed`. Returns false if another run has changed
	 * the checkpoint, because confirmed changes would otherwise be returned again.
	 */
	async move(key: string, committed: string | undefined, values: Partial<Row>): Promise<boolean> {
		if (committed) return await this.write('update', { key, committed }, values);
		const isNew = !(await this.find(key))?.committed;
		return isNew && (await this.write('upsert', { key }, { key, ...values }));
	}

	/**
	 * Confirms a read. Returns false if the stored checkpoint has changed since the read. Returns true if an earlier
	 * attempt of Confirm Changes has confirmed the read already.
	 */
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
	// Leave out the empty item that n8n returns if no row matches.
	return found.filter((json): json is IDataObject & Row => typeof json.key === 'string');
}

function where(values: Partial<Row>): INodeParameters {
	return matching(Object.entries(values).map(([name, value]) => [name, 'eq', value ?? '']));
}
