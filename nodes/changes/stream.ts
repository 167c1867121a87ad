import { ServiceFailure } from '../client/failures';
import { begin } from './begin';
import { poll } from './poll';
import type { PollNote, PollResult, PollSettings, Reader } from './settings';
import type { TriggerState } from './state';

/** A poll that has so many new records hands them on with its page: few enough for memory, many for one reading again. */
const RECORDS_AT_ONCE = 10_000;

/** How changes are read to their end. */
export interface StreamSettings extends Omit<PollSettings, 'maxRecordsPerPoll' | 'mayContinue'> {
	/** Asked before each poll: the most records that it may give. Reading ends where there is no room. */
	room: () => number;
}

/**
 * Reads changes to the end of the list, or until there is no room for more, in stretches that fit into memory. Each
 * stretch comes with the state after it; whoever has dealt with it may go on from there, in this run or in any other.
 *
 * The first run of all that is to start from now only finds that place, and ends: whatever it gave could be lost with it.
 *
 * After a failure, what was handed on before stays good: the last stretch then has a note of it (`stoppedEarly`).
 *
 * @param previous what was remembered; undefined at the start
 * @throws ServiceFailure when no record was given before the failure, and when the execution was cancelled
 */
export async function* readChanges(
	previous: TriggerState | undefined,
	reader: Reader,
	{ room, ...settings }: StreamSettings,
): AsyncGenerator<PollResult, void> {
	let last: PollResult | undefined;
	let given = 0;
	if (previous === undefined && settings.startFrom === 'now') {
		last = { ...(await begin(reader, settings)), records: [], reachedEnd: true };
		yield last;
		// Where that place is the end of the list, it is read up to there, and nothing of it is given.
		if (last.state.seeding?.upTo !== null) return;
	}
	for (let most = room(); most > 0; most = room()) {
		const mayContinue = (collected: number): boolean => collected < RECORDS_AT_ONCE;
		const limits = { maxRecordsPerPoll: most, mayContinue };
		const result = await poll(last?.state ?? previous, reader, { ...settings, ...limits }).catch(
			(error: unknown) => stopped(error, last),
		);
		const failure = failureOf(result.notes);
		given += result.records.length;
		if (failure !== undefined && (given === 0 || failure.kind === 'cancelled')) throw failure;
		yield result;
		if (failure !== undefined || result.reachedEnd) return;
		last = result;
	}
}

/** A failure before the next stretch had any record ends the run like one in its middle. */
function stopped(error: unknown, last: PollResult | undefined): PollResult {
	if (!(error instanceof ServiceFailure) || last === undefined) throw error;
	const notes: PollNote[] = [{ kind: 'stoppedEarly', failure: error }];
	return { records: [], state: last.state, notes, reachedEnd: false };
}

function failureOf(notes: readonly PollNote[]): ServiceFailure | undefined {
	return notes.find((note) => note.kind === 'stoppedEarly')?.failure;
}
