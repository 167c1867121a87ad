import type { PollNote } from '../../changes/open';
import { readChanges, type PollResult } from '../../changes/poll';
import { createReader } from '../../changes/reader';
import { openState } from '../../changes/state';
import { tellNote, tellStart, type Told } from '../../changes/texts';
import { redact } from '../../client/secrets';
import { findOwner } from '../../common/owner';
import { warn } from '../hints';
import { hintOnExport } from '../list/hints';
import type { Runner } from '../task';
import { createOutput } from './outputs';
import { readSyncParameters } from './parameters';
import { openProgress } from './progress';

/** The most records of a stretch, so that they fit into memory. */
const MOST_AT_ONCE = 10_000;
/** After one of these, the new state must be kept even though nothing came: from the old one, a run would begin again. */
const MOVED: ReadonlyArray<PollNote['kind']> = ['cursorRefused', 'cursorMoved', 'started'];

/** Get Changes: what has changed since the state that is remembered, and the state after it. */
export const runSync: Runner = async (task) => {
	const { context, session, output: items } = task;
	const tell = ({ level, message }: Told): void => {
		if (level === 'warn') warn(context, message);
		else context.logger[level](`Workspace Data: ${message}`);
	};
	const parameters = readSyncParameters(task.get, context.getTimezone());
	session.throwIfCancelled();
	const { baseUrl, secrets } = session.credential;
	// In all that is told of it.
	const objectType = redact(parameters.objectType, secrets);
	const progress = await openProgress(context, parameters, baseUrl);
	const owner = await findOwner(context, session, parameters.limits);
	const { state, reason } = openState(progress.stored, { ...parameters, baseUrl, owner });
	if (reason !== undefined) tell(tellStart(reason, { ...parameters, objectType }));
	const reader = createReader(session.client, {
		...parameters,
		beginWith: state.limit,
		limits: () => {
			session.throwIfCancelled();
			return parameters.limits;
		},
	});
	const output = createOutput(task, parameters);
	const itemsBefore = items.length;
	const beganMs = performance.now();
	let records = 0;
	let last: PollResult | undefined;
	let isMoved = reason !== undefined;
	for await (const stretch of readChanges(state, reader, {
		...parameters,
		now: session.timeOfDay,
		room: () => Math.min(output.room(), parameters.maxRecords - records, MOST_AT_ONCE),
	})) {
		await output.add(stretch);
		records += stretch.records.length;
		isMoved ||= stretch.notes.some(({ kind }) => MOVED.includes(kind));
		for (const note of stretch.notes) tell(tellNote(note));
		last = stretch;
	}
	if (last === undefined) return;
	await output.finish(!last.reachedEnd, parameters.progress === 'given' && isMoved);
	const put = items.slice(itemsBefore);
	await progress.keep({ state: last.state, records, items: put.length });
	if (parameters.files === undefined) return;
	hintOnExport(context, objectType, put, performance.now() - beganMs);
};
