import type { IExecuteFunctions } from 'n8n-workflow';

import { parseJson } from '../../client/envelope';
import { digestOf } from '../../common/digests';
import { InputProblem } from '../../common/errors';
import { checkpointOf } from './checkpoint';
import { noteRead, ownerOf } from './executions';
import { say } from './hints';
import type { SyncParameters } from './parameters';
import type { Progress } from './progress';
import { SyncTable } from './table';

/** The syncs that each run of a node has opened. */
const opened = new WeakMap<IExecuteFunctions, Set<string>>();

/**
 * The place is kept in n8n's data table. It moves when Confirm Changes says that the changes of this run have arrived.
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
	const start = { key, committed: row?.committed };
	return {
		stored: row?.committed ? (parseJson(row.committed) ?? row.committed) : undefined,
		keep: async ({ state, ...counts }) => {
			const place = checkpointOf(state);
			if (counts.records === 0) {
				// Where nothing came out, nothing can be lost.
				const isMoved = place !== row?.committed;
				if (isMoved) await table.move(start, { committed: place, pending: '', owner: '' });
				noteRead(context, key, { owner: null, ...counts });
				return;
			}
			const owner = ownerOf(context);
			await table.move(start, { owner, pending: place });
			noteRead(context, key, { owner, ...counts });
			if (row?.pending) sayReadAgain(context);
		},
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
			'Give each input item its own Sync Name, or let only one in',
			'Two input items have the same Object Type, Event and Sync Name, so they would share their saved progress. A Limit node lets only one in.',
		);
	}
	keys.add(key);
}

function sayReadAgain(context: IExecuteFunctions): void {
	say(
		context,
		'Same changes as last run, because nothing confirmed them. Add Confirm Changes as the last step. If it is there, the last run did not get that far.',
	);
}
