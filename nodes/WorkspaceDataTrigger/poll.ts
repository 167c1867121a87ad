import { ServiceFailure } from '../shared/failures';
import { begin } from './begin';
import { follow } from './follow';
import { locate, startLocating } from './locate';
import type { PollNote, PollResult, PollSettings, Reader } from './settings';
import type { TriggerState } from './state';

/** A service that refuses every cursor it gives must not keep a poll going for ever. */
const MOST_REFUSALS = 3;

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
	for (let refusals = 1; ; refusals++) {
		const result = await locateAndFollow(state, reader, settings);
		if (!(result instanceof ServiceFailure)) {
			return { ...result, notes: [...notes, ...result.notes] };
		}
		if (refusals >= MOST_REFUSALS) throw result;
		// "success: false" may be about anything, so it is asked for once more before the cursor is given up.
		if (result.kind === 'unsuccessful' && refusals === 1) continue;
		notes.push({ kind: 'cursorRefused', failure: result });
		state = startLocating(state);
	}
}

/** Looks for the checkpoint where it is lost, and reads on from there. A refused cursor comes as a failure. */
async function locateAndFollow(
	state: TriggerState,
	reader: Reader,
	settings: PollSettings,
): Promise<PollResult | ServiceFailure> {
	if (state.locating === null) return await follow(state, reader, settings);
	const located = await locate(state, reader, settings);
	if (located instanceof ServiceFailure) return located;
	if (located.state.locating !== null) return { ...located, records: [] };
	const result = await follow(located.state, reader, settings);
	if (result instanceof ServiceFailure) return result;
	return { ...result, notes: [...located.notes, ...result.notes] };
}
