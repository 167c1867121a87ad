import { isRefusal, ServiceFailure } from '../client/failures';
import type { PollNote, PollResult, PollSettings, Reader, Lost } from './settings';
import { unpack, type Seeding, type TriggerState } from './state';
import { readSteps } from './steps';
import type { Version } from './version';
import { Window } from './window';

/** Why reading came to its end. */
type Stop = 'end' | 'limit' | 'time' | ServiceFailure;

/**
 * Reads from the checkpoint to the end of the list, or until this poll's limits are reached, and collects the
 * versions that no earlier poll has dealt with.
 *
 * @returns the result, or which place is lost
 * @throws ServiceFailure when a request fails before anything was achieved
 */
export async function follow(
	state: TriggerState,
	reader: Reader,
	settings: PollSettings,
): Promise<PollResult | Lost> {
	const window = new Window(state, settings);
	const records: PollResult['records'] = [];
	const reading: Reading = { settings, window, records, behindGap: null };
	const stop = await read(state, reader, reading);
	if (window.hasLostGap) return { lost: 'gapForGood' };
	if (stop instanceof ServiceFailure) {
		if (reading.behindGap !== null && isRefusal(stop)) return { lost: 'gap', failure: stop };
		const isAtCheckpoint = window.isEmpty && state.cursor !== null;
		if (isAtCheckpoint && isRefusal(stop)) return { lost: 'checkpoint', failure: stop };
		// What is missing must not be passed over: only the beginning of the list shows it.
		if (!window.progressed || stop.kind === 'incompleteList') throw stop;
	}
	if (stop === 'time' && !window.progressed) window.moveToEnd();
	return resultOf(state, window, records, stop);
}

interface Reading {
	settings: PollSettings;
	window: Window;
	/** Where new records go. */
	records: PollResult['records'];
	/** Where the next page is read, once the gap is reached; else null. */
	behindGap: string | null;
}

async function read(state: TriggerState, reader: Reader, reading: Reading): Promise<Stop> {
	const { settings, window, records } = reading;
	const { maxRecordsPerPoll, mayContinue } = settings;
	const isBacklog = backlogTest(state.seeding);
	const used = new Set<string | undefined>();
	for await (const step of readSteps(reader, state.cursor, () => reading.behindGap)) {
		if (step instanceof ServiceFailure) return step;
		window.openPage();
		for (const record of step.envelope.data.items) {
			const version = reader.versionOf(record);
			if (!window.isKnown(version) && !isBacklog(version)) {
				if (records.length >= maxRecordsPerPoll) return 'limit';
				records.push(record);
			}
			window.pass(version);
			if (window.hasLostGap) return 'end';
		}
		used.add(step.cursor);
		// A list that leads back to where it was ends in a failure; the checkpoint must not move back with it.
		if (step.nextCursor !== undefined && used.has(step.nextCursor)) continue;
		reading.behindGap = window.closePage(step.nextCursor);
		// The generator proves the end before it ends itself.
		if (step.nextCursor === undefined) continue;
		if (records.length >= maxRecordsPerPoll) return 'limit';
		// A poll that always ended at the gap would never come past it.
		if (reading.behindGap === null && !mayContinue(records.length)) return 'time';
	}
	return 'end';
}

/** Tells the records that existed when the trigger started from newer ones. */
function backlogTest(seeding: Seeding | null): (version: Version) => boolean {
	if (seeding === null) return () => false;
	const { upTo } = seeding;
	if (upTo === null) return () => true;
	const known = new Set(unpack(seeding.known));
	return ({ digest, time }) => time === null || time <= upTo || known.has(digest);
}

function resultOf(
	state: TriggerState,
	window: Window,
	records: PollResult['records'],
	stop: Stop,
): PollResult {
	const reachedEnd = stop === 'end';
	const next = window.toState(reachedEnd);
	const isSeeded = state.seeding !== null && reachedEnd;
	const notes: PollNote[] = [];
	// What was read before a failure stays good; one that lasts is thrown by the next poll's first request.
	if (stop instanceof ServiceFailure) notes.push({ kind: 'stoppedEarly', failure: stop });
	if (isSeeded) notes.push({ kind: 'seeded' });
	if (window.shortened) notes.push({ kind: 'windowShortened' });
	if (window.gapBegan) notes.push({ kind: 'gapBegan' });
	const seeding = isSeeded ? null : state.seeding;
	return { records, state: { ...next, seeding }, notes, reachedEnd };
}
