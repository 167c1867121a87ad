import { ServiceFailure } from '../shared/failures';
import type { PollNote, PollResult, PollSettings, Reader } from './settings';
import { unpack, type Seeding, type TriggerState } from './state';
import { isRefusal, readSteps } from './steps';
import { versionOf, type Version } from './version';
import { Window } from './window';

/** Why reading came to its end. */
type Stop = 'end' | 'limit' | 'time' | ServiceFailure;

/**
 * Reads from the checkpoint to the end of the list, or until this poll's limits are reached, and collects the
 * versions that no earlier poll has dealt with.
 *
 * @returns the result, or the failure with which the service refused the stored cursor
 * @throws ServiceFailure when a request fails before anything was achieved
 */
export async function follow(
	state: TriggerState,
	reader: Reader,
	settings: PollSettings,
): Promise<PollResult | ServiceFailure> {
	const window = new Window(state, settings);
	const records: PollResult['records'] = [];
	const stop = await read(state, reader, { settings, window, records });
	if (stop === undefined) throw new RangeError('A list without a page');
	if (stop instanceof ServiceFailure && !window.progressed) {
		if (!window.isEmpty || state.cursor === null || !isRefusal(stop)) throw stop;
		return stop;
	}
	if (stop === 'time' && !window.progressed) window.moveToEnd();
	return resultOf(state, window, records, stop);
}

interface Reading {
	settings: PollSettings;
	window: Window;
	/** Where new records go. */
	records: PollResult['records'];
}

async function read(
	state: TriggerState,
	reader: Reader,
	{ settings, window, records }: Reading,
): Promise<Stop | undefined> {
	const { maxRecordsPerPoll, field, mayContinue } = settings;
	const isBacklog = backlogTest(state.seeding);
	for await (const step of readSteps(reader, state.cursor)) {
		if (step instanceof ServiceFailure) return step;
		window.openPage();
		for (const record of step.envelope.data.items) {
			const version = versionOf(record, field);
			if (!window.isKnown(version) && !isBacklog(version)) {
				if (records.length >= maxRecordsPerPoll) return 'limit';
				records.push(record);
			}
			window.pass(version);
		}
		window.closePage(step.nextCursor);
		if (step.nextCursor === undefined) return 'end';
		if (records.length >= maxRecordsPerPoll) return 'limit';
		if (!mayContinue()) return 'time';
	}
	return undefined;
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
	const next = window.toState(stop === 'end');
	const isSeeded = state.seeding !== null && stop === 'end';
	const notes: PollNote[] = [];
	// What was read before a failure stays good; one that lasts is thrown by the next poll's first request.
	if (stop instanceof ServiceFailure) notes.push({ kind: 'stoppedEarly', failure: stop });
	if (isSeeded) notes.push({ kind: 'seeded' });
	if (window.shortened) notes.push({ kind: 'windowShortened' });
	return { records, state: { ...next, seeding: isSeeded ? null : state.seeding }, notes };
}
