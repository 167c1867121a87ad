import { ServiceFailure } from '../client/failures';
import { begin } from './begin';
import { follow } from './follow';
import { loseGap } from './gap';
import { locate, startLocating } from './locate';
import type { PollNote, PollResult, PollSettings, Reader, Lost } from './settings';
import type { TriggerState } from './state';

/** A service that refuses every cursor it gives must not keep a poll going for ever. */
const MOST_REFUSALS = 5;

/**
 * One poll: from what is remembered and what the service gives to the new record versions and what to remember
 * then. Knows no clock and nothing of n8n. Nothing is changed but through its result.
 *
 * @param previous what the last poll remembered; undefined at the start
 * @throws ServiceFailure when nothing was achieved; polling again with the same state is right then
 */
export async function poll(
	previous: TriggerState | undefined,
	reader: Reader,
	settings: PollSettings,
): Promise<PollResult> {
	const started =
		previous === undefined ? await begin(reader, settings) : { state: previous, notes: [] };
	const notes: PollNote[] = [...started.notes];
	let { state } = started;
	let isAskedAgain = false;
	for (let refusals = 1; ; refusals++) {
		const result = await locateAndFollow(state, reader, settings);
		if (!('lost' in result)) {
			const found = { ...result.state, limit: reader.firstSize() };
			return { ...result, state: found, notes: [...notes, ...result.notes] };
		}
		if (result.lost === 'gapForGood') {
			state = { ...state, gap: null };
			continue;
		}
		const { lost, failure } = result;
		if (refusals >= MOST_REFUSALS) throw failure;
		// "success: false" may be about anything, so it is asked for once more before the cursor is given up.
		isAskedAgain = failure.kind === 'unsuccessful' && !isAskedAgain;
		if (isAskedAgain) continue;
		notes.push({ kind: 'cursorRefused', failure });
		state = lost === 'checkpoint' ? startLocating(state) : { ...state, gap: loseGap(state.gap) };
	}
}

/** Looks for the checkpoint where it is lost, and reads on from there. */
async function locateAndFollow(
	state: TriggerState,
	reader: Reader,
	settings: PollSettings,
): Promise<PollResult | Lost> {
	if (state.locating === null) return await follow(state, reader, settings);
	const located = await locate(state, reader, settings);
	if (located instanceof ServiceFailure) return { lost: 'checkpoint', failure: located };
	if (located.state.locating !== null) return { ...located, records: [], reachedEnd: false };
	const result = await follow(located.state, reader, settings);
	if ('lost' in result) return result;
	return { ...result, notes: [...located.notes, ...result.notes] };
}
