import { readChanges } from '../../changes/poll';
import type { PollNote, PollResult } from '../../changes/poll-types';
import { createReader } from '../../changes/reader';
import { fingerprintOf, readState, type State } from '../../changes/state';
import { CREDENTIAL_TYPE } from '../../client/transport';
import { listOf } from '../../common/changes-options';
import { tellNote, tellStart } from '../../common/changes-texts';
import { findOwner, type Owner } from '../../common/owner';
import { hintOnExport } from '../list/hints';
import type { Runner, Task } from '../task';
import { tell } from './hints';
import { keptProgress } from './kept';
import { createOutput } from './outputs';
import { readSyncParameters, type SyncParameters } from './parameters';
import { givenProgress, type Progress } from './progress';
import { RecordTexts } from './texts';

/** With one of these, the place must be kept even though nothing came: from the old one, a run would begin again. */
const MOVED: ReadonlyArray<PollNote['kind']> = ['cursorRefused', 'cursorMoved', 'started'];

/** Get Changes: what came since the place that is remembered, and the place after it. */
export const runSync: Runner = async (task) => {
	const { context, session, output: items } = task;
	const parameters = readSyncParameters(task.get, context.getTimezone());
	session.throwIfCancelled();
	const progress = await openProgress(task, parameters);
	const { previous, ...place } = await openPlace(task, parameters, progress);
	const texts = new RecordTexts();
	const reader = createReader(session.client, {
		...parameters,
		beginWith: previous?.limit,
		limits: () => {
			session.throwIfCancelled();
			return parameters.limits;
		},
	});
	const output = createOutput(task, parameters, texts);
	const itemsBefore = items.length;
	const beganMs = performance.now();
	let records = 0;
	let last: PollResult | undefined;
	let isMoved = previous === undefined;
	for await (const stretch of readChanges(previous, texts.remember(reader), {
		...parameters,
		...place,
		now: session.timeOfDay,
		room: () => Math.min(output.room(), parameters.maxRecords - records),
	})) {
		await output.add(stretch.records, stretch.state);
		records += stretch.records.length;
		isMoved ||= stretch.notes.some(({ kind }) => MOVED.includes(kind));
		for (const note of stretch.notes) tell(context, tellNote(note));
		last = stretch;
	}
	if (last === undefined) return;
	const { state, reachedEnd } = last;
	const mustCarry = parameters.progress === 'given' && isMoved;
	await output.finish(!reachedEnd, mustCarry ? state : undefined);
	const put = items.slice(itemsBefore);
	await progress.keep({ state, records, items: put.length });
	if (parameters.files === undefined) return;
	hintOnExport(context, parameters.objectType, put, performance.now() - beganMs);
};

async function openProgress(
	{ context, session }: Task,
	parameters: SyncParameters,
): Promise<Progress> {
	return parameters.progress === 'given'
		? givenProgress(context, parameters.checkpoint)
		: await keptProgress(context, parameters, session.credential.baseUrl);
}

/** What is remembered, where it is of this sync and of use, and what a new place belongs to. */
async function openPlace(
	{ context, session }: Task,
	parameters: SyncParameters,
	{ stored }: Progress,
): Promise<{ previous: State | undefined; fingerprint: string; owner: Owner }> {
	const { baseUrl } = session.credential;
	const { objectType, field, limits } = parameters;
	const fingerprint = fingerprintOf(baseUrl, objectType, field, listOf(parameters));
	const { id } = context.getNode().credentials?.[CREDENTIAL_TYPE] ?? {};
	const owner = await findOwner(id, session, limits);
	const read = readState(stored, fingerprint, owner);
	if (read.state === undefined) tell(context, tellStart(read.reason, parameters));
	return { previous: read.state, fingerprint, owner };
}
