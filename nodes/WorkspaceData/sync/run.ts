import { askOwner } from '../../changes/owner';
import { createReader } from '../../changes/reader';
import type { PollNote, PollResult } from '../../changes/settings';
import { fingerprintOf, readState, type TriggerState } from '../../changes/state';
import { readChanges } from '../../changes/stream';
import { canonicalJson } from '../../common/canonical-json';
import { CREDENTIAL_TYPE } from '../../client/transport';
import type { Runner, Task } from '../task';
import { hintOf, say, startOverHint } from './hints';
import { createOutput } from './outputs';
import { readSyncParameters, type SyncParameters } from './parameters';
import { keptProgress } from './kept';
import { givenProgress, type Progress } from './progress';
import { RecordTexts } from './texts';

/** Versions kept for reading again, as for the trigger: bounds what is remembered and the requests of a quiet run. */
const WINDOW_RECORDS = 2_000;

/** With one of these, the place must be kept even though nothing came: from the old one, a run would begin again. */
const MOVED: ReadonlyArray<PollNote['kind']> = ['seeded', 'cursorFound'];

/** Get Changes: what came since the place that is remembered, and the place after it. */
export const runSync: Runner = async (task) => {
	const parameters = readSyncParameters(task.get, task.operation);
	task.session.throwIfCancelled();
	const progress = await openProgress(task, parameters);
	const { previous, fingerprint, owner } = await previousState(task, parameters, progress);
	const texts = new RecordTexts();
	const { throwIfCancelled } = task.session;
	const reader = createReader(texts.remember(task.session.client), {
		...parameters,
		beginWith: previous?.limit,
		limits: () => {
			throwIfCancelled();
			return parameters.limits;
		},
	});
	const output = createOutput(task, parameters, texts);
	let count = 0;
	let last: PollResult | undefined;
	let isMoved = previous === undefined;
	for await (const stretch of readChanges(previous, reader, {
		...parameters,
		fingerprint,
		owner,
		windowRecords: WINDOW_RECORDS,
		room: () => Math.min(output.room(), parameters.maxRecords - count),
	})) {
		await output.add(stretch.records, stretch.state);
		count += stretch.records.length;
		isMoved ||= stretch.notes.some(({ kind }) => MOVED.includes(kind));
		sayNotes(task, stretch.notes);
		last = stretch;
	}
	if (last === undefined) return;
	const { state, reachedEnd } = last;
	const mustCarry = parameters.progress === 'given' && isMoved;
	await output.finish(!reachedEnd, mustCarry ? state : undefined);
	await progress.keep({ state, hasRecords: count > 0 });
};

async function openProgress(
	{ context, session }: Task,
	parameters: SyncParameters,
): Promise<Progress> {
	return parameters.progress === 'given'
		? givenProgress(parameters.checkpoint)
		: await keptProgress(context, parameters, session.credential.baseUrl);
}

/** What is remembered, where it is of this sync and of use. */
async function previousState(
	{ context, session }: Task,
	parameters: SyncParameters,
	{ stored }: Progress,
): Promise<{
	previous: TriggerState | undefined;
	fingerprint: string;
	owner: Awaited<ReturnType<typeof askOwner>>;
}> {
	const { baseUrl } = session.credential;
	const { objectType, field, additional } = parameters;
	// With other parameters, it may be another list.
	const more = additional === undefined ? [] : [canonicalJson(additional)];
	const fingerprint = fingerprintOf(baseUrl, objectType, field, more);
	const { id } = context.getNode().credentials?.[CREDENTIAL_TYPE] ?? {};
	const owner = await askOwner(id, session, parameters.limits);
	const read = readState(stored, fingerprint, owner);
	if (read.state === undefined && read.reason !== 'none') {
		say(context, startOverHint(read.reason, parameters));
	}
	return { previous: read.state, fingerprint, owner };
}

function sayNotes({ context }: Task, notes: readonly PollNote[]): void {
	for (const note of notes) {
		const hint = hintOf(note);
		if (hint !== undefined) say(context, hint);
	}
}
