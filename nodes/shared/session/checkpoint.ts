import type { IDataObject, INode } from 'n8n-workflow';

import { resumeFrom, type FollowedList, type Resumed } from '../changes/checkpoint';
import { OTHER_ACCESS, noticeOfStart, type Notice } from '../changes/notices';
import { InputProblem } from '../errors/node-errors';

/** Who keeps the checkpoint: the trigger, Sync, or the user, who passes it in the parameter Checkpoint. */
type CheckpointHolder = 'trigger' | 'sync' | 'checkpoint';

const NEW_TEXT = "enter a new text in 'Start Over'";

/** Advice for error texts. `both` says how to follow changes with two credentials. `anew` says how to start over. */
const WAYS_ON: Record<CheckpointHolder, { both: string; anew: string }> = {
	trigger: { both: 'add a second trigger', anew: NEW_TEXT },
	sync: {
		both: "give each its own 'Sync Name' (several in one node: by an expression)",
		anew: NEW_TEXT,
	},
	checkpoint: { both: 'keep a checkpoint for each', anew: "leave 'Checkpoint' empty" },
};

/**
 * Returns the checkpoint to continue from, and notices for the user if settings have changed or reading starts over.
 * @throws InputProblem if the checkpoint is damaged or belongs to another credential, or if Start Date is in the future
 */
export function openCheckpoint(stored: unknown, start: FollowedList, keeper: CheckpointHolder) {
	const opened = resumeFrom(stored, start);
	if ('refusal' in opened) throw refused(opened.refusal, keeper);
	const { checkpoint, reason, from, hasOtherAccess } = opened;
	if (reason !== undefined && from === undefined) refuseFutureStart(start);
	const { both } = WAYS_ON[keeper];
	const notices: Notice[] = reason === undefined ? [] : [noticeOfStart(reason, from, start, both)];
	if (hasOtherAccess) notices.push(OTHER_ACCESS);
	// True in the first run with Start From: Now. The time of this start is not stored yet.
	const isStart = checkpoint.starting && reason !== undefined && from === undefined;
	return { checkpoint, notices, isStart };
}

/** Throws InputProblem if Start Date is in the future, because this date would be stored and could not be corrected. */
function refuseFutureStart({ startFrom, startDate = 0, now }: FollowedList): void {
	if (startFrom !== 'date' || startDate <= now) return;
	throw new InputProblem(
		"'Start Date' is in the future",
		`Set an earlier date, or set 'Start From' to Now. Until ${new Date(startDate).toISOString()}, no change would be returned.`,
	);
}

function refused(
	refusal: Extract<Resumed, { refusal: unknown }>['refusal'],
	keeper: CheckpointHolder,
): InputProblem {
	const { both, anew } = WAYS_ON[keeper];
	if (refusal === 'damaged') {
		return new InputProblem(
			`The saved progress of this ${keeper} cannot be read`,
			`To begin again at 'Start From', ${anew}. The progress is damaged, so it does not show which records were returned.`,
		);
	}
	const byKey = ' A credential with expressions counts as another credential for each key.';
	return new InputProblem(
		`This ${keeper} belongs to another credential`,
		`To continue, choose the former credential again, and change its key if necessary. To follow both, ${both}. To begin again, ${anew}.${keeper === 'trigger' ? '' : byKey}`,
	);
}

/** Members of n8n's execution contexts. n8n's types do not declare `workflow`, and some versions do not have it. */
export interface ContextWithNode {
	getNode: () => INode;
	workflow?: { nodes?: Record<string, INode>; staticData?: IDataObject };
}

/** Throws InputProblem if another enabled node has the same type and ID, as in workflows from old versions of n8n. */
export function refuseSameId(context: ContextWithNode): void {
	const self = context.getNode();
	const hasSameId = ({ id, name, type, disabled }: INode): boolean =>
		id === self.id && name !== self.name && type === self.type && disabled !== true;
	const other = Object.values(context.workflow?.nodes ?? {}).find(hasSameId);
	if (other === undefined) return;
	throw new InputProblem(
		`The nodes "${self.name}" and "${other.name}" have the same ID`,
		'Copy one of them in the editor, then delete the original: the copy gets a new ID. Progress is saved by this ID, so each node would skip the changes that the other returned.',
	);
}
