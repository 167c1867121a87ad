import { follow } from './follow';
import type { PollResult, PollSettings, Reader, StreamSettings } from './poll-types';
import { freshState, type State } from './state';

/** The most records of a stretch, so that they fit into memory. */
const MOST_AT_ONCE = 10_000;

/**
 * One poll: from what is remembered and what the service gives to the new record versions and what to remember
 * then. Nothing is changed but through its result.
 *
 * @param previous what the last poll remembered; undefined at the start
 * @throws ServiceFailure when nothing was achieved; polling again with the same state is right then
 */
export async function poll(
	previous: State | undefined,
	reader: Reader,
	settings: PollSettings,
): Promise<PollResult> {
	const room = (): number => settings.maxRecordsPerPoll;
	const stretches = follow(previous ?? freshState(settings), reader, { ...settings, room });
	return (await stretches.next()).value as PollResult;
}

/**
 * Reads changes to the end of the list, or until there is no room for more. Each stretch comes with the state after it;
 * once that is dealt with, this run or any other may continue from there.
 *
 * After a failure, what was given before stays good: the last stretch then has a note of it (`stoppedEarly`).
 *
 * @param previous what was remembered; undefined at the start
 * @throws ServiceFailure when no record was given before the failure, or what follows it could be missed (see `follow`)
 */
export async function* readChanges(
	previous: State | undefined,
	reader: Reader,
	settings: StreamSettings,
): AsyncGenerator<PollResult, void> {
	if (settings.room() <= 0) return;
	let given = 0;
	const room = (): number => Math.min(settings.room(), MOST_AT_ONCE);
	const limits = { ...settings, room, mayContinue: () => true };
	for await (const stretch of follow(previous ?? freshState(settings), reader, limits)) {
		given += stretch.records.length;
		const stop = stretch.notes.find((note) => note.kind === 'stoppedEarly');
		if (stop !== undefined && given === 0) throw stop.failure;
		yield stretch;
	}
}
