import type { IExecuteFunctions } from 'n8n-workflow';

import { digestOf } from '../../changes/version';
import { isObject, parseJson } from '../../client/envelope';
import { InputProblem } from '../../common/errors';
import { checkpointOf } from './checkpoint';
import { ownerOf, noteRead } from './executions';
import { say } from './hints';
import type { SyncParameters } from './parameters';
import type { Progress } from './progress';
import { SyncTable, type Row } from './table';

/** What a run has come to, until it is confirmed. */
interface Pending {
	/** How many runs have read these changes, and none has confirmed them. */
	reads: number;
	state: unknown;
}

/** The syncs that each run of a node has opened. */
const opened = new WeakMap<IExecuteFunctions, Set<string>>();

/**
 * The place is kept in n8n's data table. With `confirmed` it moves when Confirm Changes says that the changes of this
 * run have arrived; with `read`, as soon as they are read.
 *
 * @throws InputProblem when n8n cannot keep it, or two input items ask for one sync
 */
export async function keptProgress(
	context: IExecuteFunctions,
	parameters: SyncParameters,
	baseUrl: string,
): Promise<Progress> {
	const key = keyOf(context, parameters, baseUrl);
	assertOnce(context, key);
	const table = new SyncTable(context);
	const rows = await table.find({ key });
	// Two first runs at the same moment may have made a row each; every place in them was reached in earnest.
	const row = rows.find(({ committed }) => committed) ?? rows[0];
	const stored = row?.committed ? (parseJson(row.committed) ?? row.committed) : undefined;
	const start = { key, committed: row?.committed };
	const move: Move = async (values) => await table.move(start, values);
	if (parameters.progress === 'read') return { stored, keep: keepAsRead(context, move) };
	const reads = timesRead(row?.pending);
	return {
		stored,
		keep: async ({ state, hasRecords }) => {
			// Where nothing came out, nothing can be lost.
			if (!hasRecords) {
				const committed = checkpointOf(state);
				if (committed !== row?.committed) await move({ committed });
				return;
			}
			const owner = ownerOf(context);
			const pending: Pending = { reads: reads + 1, state };
			await move({ owner, pending: JSON.stringify(pending) });
			noteRead(context, key, owner);
			if (reads > 0) sayReadAgain(context, reads);
		},
	};
}

/** Changes the row of a sync that is still where this run began. */
type Move = (values: Partial<Row>) => Promise<void>;

function keepAsRead(context: IExecuteFunctions, move: Move): Progress['keep'] {
	return async ({ state, hasRecords }) => {
		if (context.getMode() !== 'manual') {
			await move({ committed: checkpointOf(state), pending: '', owner: '' });
		} else if (hasRecords) {
			say(
				context,
				'This was a manual run, so the progress has not moved: the next run gives the same changes again.',
			);
		}
	};
}

/** Which sync it is: of this node, whatever its name, or of all nodes of the workflow with the same Sync Name. */
function keyOf(context: IExecuteFunctions, parameters: SyncParameters, baseUrl: string): string {
	const { syncName, objectType, field } = parameters;
	const workflow = context.getWorkflow().id ?? '';
	const whose = syncName === undefined ? `node ${context.getNode().id}` : `name ${syncName}`;
	// Names may hold what stands between the parts, so the digest has the last word.
	const digest = digestOf(JSON.stringify([workflow, whose, objectType, field, baseUrl]));
	return [`workflow ${workflow}`, whose, objectType, field, digest].join(', ');
}

/** The second would read from where the first began, and its place would replace the first one's. */
function assertOnce(context: IExecuteFunctions, key: string): void {
	const keys = opened.get(context) ?? new Set();
	opened.set(context, keys);
	if (keys.has(key)) {
		throw new InputProblem(
			'Two input items ask for the same sync',
			'They have the same Object Type, Event and Sync Name, so they would share one place. Let one item through, for example with a Limit node, or give each a Sync Name of its own.',
		);
	}
	keys.add(key);
}

function timesRead(text: string | null | undefined): number {
	const pending = text ? parseJson(text) : undefined;
	const reads = isObject(pending) ? pending.reads : undefined;
	return typeof reads === 'number' && reads > 0 ? reads : 0;
}

/** The place to commit, of what `keptProgress` has written; undefined when there is none. */
export function pendingStateOf(text: string | null): string | undefined {
	const pending = text ? parseJson(text) : undefined;
	return isObject(pending) && isObject(pending.state) ? JSON.stringify(pending.state) : undefined;
}

function sayReadAgain(context: IExecuteFunctions, reads: number): void {
	const times = reads === 1 ? 'once before' : `${reads} times before`;
	say(
		context,
		`These changes were read ${times} and not confirmed, so they come again. If no run has failed, put "Confirm Changes" (resource Sync) behind the last node that they go through.`,
	);
}
