import { randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { State } from '../../changes/state';
import { isObject, parseJson } from '../../client/envelope';
import { digestOf } from '../../lists/version';
import { InputProblem } from '../../common/errors';
import { refuseTwin } from '../../common/twins';
import { isFirst, warn } from '../hints';
import type { SyncParameters } from './parameters';
import { SyncTable } from './table';

/** Where an execution remembers what it has read. n8n keeps it through waits, and for a retry from the list. */
const FLOW_KEY = 'workspaceDataSyncs';

/** What an execution has last read of a sync. */
export interface Read {
	/** The name of the Get Changes that has read it. */
	node: string;
	/** Who has written the place that is to be confirmed; null once nothing is left to confirm, or where that failed. */
	owner: string | null;
	/** True until Get Changes has come to its end. */
	hasFailed?: boolean;
	/** How many records Get Changes returned, and in how many items. */
	records: number;
	items: number;
}

/** Where the place of a sync is kept between two runs. */
export interface Progress {
	/** What is remembered, as it was found; undefined for nothing. */
	stored: unknown;
	/** Remembers what this run has come to: the records that it returned are lost if they do not arrive. */
	keep: (reached: Pick<Read, 'records' | 'items'> & { state: State }) => Promise<void>;
}

type SyncIdentity = Pick<SyncParameters, 'progress' | 'objectType' | 'field'> &
	Partial<Pick<SyncParameters, 'checkpoint' | 'syncName'>>;

/**
 * Where a run begins. With `given`, the new place comes out with the records: the user keeps it. Otherwise it is kept in
 * n8n's data table, and moves when Confirm Changes says that the changes of this run have arrived. Throws InputProblem.
 */
export async function openProgress(
	context: IExecuteFunctions,
	parameters: SyncIdentity,
	baseUrl: string,
): Promise<Progress> {
	const node = context.getNode().name;
	if (parameters.progress === 'given') {
		return {
			stored: parameters.checkpoint,
			keep: async ({ records, items }) =>
				noteRead(context, `given ${node}`, { node, owner: null, records, items }),
		};
	}
	if (parameters.syncName === undefined) refuseTwin(context);
	const key = keyOf(context, parameters, baseUrl);
	if (!isFirst(context, `sync ${key}`)) {
		// The second would read from where the first began, and its place would replace the first one's.
		throw new InputProblem(
			'Give each input item its own Sync Name, or let only one in',
			'Two input items have the same Object Type, Event and Sync Name, so they would share their saved progress. A Limit node lets only one in.',
		);
	}
	noteRead(context, key, { node, owner: null, hasFailed: true, records: 0, items: 0 });
	const table = new SyncTable(context);
	const rows = await table.find({ key });
	// Two first runs at the same moment may have made a row each; every place in them was reached in earnest.
	const { committed, pending } = rows.find((row) => row.committed) ?? rows[0] ?? {};
	return {
		stored: committed ? (parseJson(committed) ?? committed) : undefined,
		keep: async ({ state, ...counts }) => {
			const place = JSON.stringify(state);
			if (counts.records === 0) {
				// Where nothing came out, nothing can be lost.
				const moved = { committed: place, pending: '', owner: '' };
				if (place !== committed) await table.move(key, committed, moved);
				noteRead(context, key, { node, owner: null, ...counts });
				return;
			}
			const owner = context.getExecutionId() || randomUUID();
			await table.move(key, committed, { owner, pending: place });
			noteRead(context, key, { node, owner, ...counts });
			if (!pending) return;
			warn(
				context,
				'Same changes as last run, because nothing confirmed them. Add Confirm Changes as the last step. If it is there, the last run did not get that far.',
			);
		},
	};
}

/** Which sync it is: of this node, whatever its name, or of all nodes of the workflow with the same Sync Name. */
function keyOf(context: IExecuteFunctions, parameters: SyncIdentity, baseUrl: string): string {
	const { syncName, objectType, field } = parameters;
	const workflow = context.getWorkflow().id ?? '';
	const whose = syncName === undefined ? `node ${context.getNode().id}` : `name ${syncName}`;
	// Names may hold what stands between the parts, so the digest has the last word.
	const digest = digestOf(JSON.stringify([workflow, whose, objectType, field, baseUrl]));
	return [`workflow ${workflow}`, whose, objectType, field, digest].join(', ');
}

/** This execution has read a sync, or has confirmed it. */
export function noteRead(context: IExecuteFunctions, key: string, read: Read): void {
	context.getContext('flow')[FLOW_KEY] = { ...readsOf(context), [key]: read };
}

/** What this execution has read, by the key of the sync. */
export function readsOf(context: IExecuteFunctions): Record<string, Read> {
	const reads: unknown = context.getContext('flow')[FLOW_KEY];
	return isObject(reads) ? (reads as Record<string, Read>) : {};
}
