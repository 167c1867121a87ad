import { isRefusal, ServiceFailure } from '../client/failures';
import type { PollNote, PollSettings, Reader } from './settings';
import { pack, unpack, type Locating, type TriggerState } from './state';
import { readSteps } from './steps';
import type { Version } from './version';

/** How far the search has come. */
interface Located {
	/** Without `locating` when the checkpoint is found. */
	state: TriggerState;
	notes: PollNote[];
}

/** A page's answer to the question where the checkpoint is. */
interface PageFinding {
	/** Place of the page's last record that is known to lie before the checkpoint; -1 for none. */
	lastBefore: number;
	/** True when a dated record surely lies before the checkpoint, and so does all that was read before it. */
	hasOlder: boolean;
	/** True when one of the records remembered from just before the checkpoint is on the page. */
	hasAnchor: boolean;
	/** True when a record may lie at or after the checkpoint. */
	reaches: boolean;
	/** True when a record surely lies after every record with the checkpoint's date. */
	isBeyond: boolean;
}

/** Starts, or starts over, the search for the checkpoint from the beginning of the list. */
export function startLocating(state: TriggerState): TriggerState {
	return { ...state, locating: { cursor: null, found: null } };
}

/**
 * Reads forward until it knows where the checkpoint is, by the date of the record before it (`floor`) and, among
 * many records of that date, by the last ones before it (`behind`). Delivers nothing. One poll may not be enough.
 *
 * @returns the state with a new cursor for the checkpoint, or with `locating` moved on; a failure when the service
 *          refused the cursor with which an earlier poll had left the search
 * @throws ServiceFailure when the first request fails, or the list repeats itself
 */
export async function locate(
	state: TriggerState,
	reader: Reader,
	{ mayContinue }: PollSettings,
): Promise<Located | ServiceFailure> {
	const anchors = new Set(unpack(state.behind));
	let locating: Locating = { cursor: null, found: null, ...state.locating };
	let isFirst = true;
	for await (const step of readSteps(reader, locating.cursor)) {
		if (step instanceof ServiceFailure) {
			if (isFirst && locating.cursor !== null && isRefusal(step)) return step;
			// What was searched stays searched, unless the list runs in a circle: that would never end, unnoticed.
			if (isFirst || step.kind === 'repeatedCursor') throw step;
			const notes: PollNote[] = [{ kind: 'stoppedEarly', failure: step }];
			return { state: { ...state, locating }, notes };
		}
		isFirst = false;
		const versions = step.envelope.data.items.map(reader.versionOf);
		const finding = examine(versions, state.floor, anchors);
		// Records without a date may stand before all others; where they do, they said nothing.
		if (finding.hasOlder) locating.found = null;
		const isEnd = finding.isBeyond || step.nextCursor === undefined;
		const isBetter = finding.hasAnchor || (finding.reaches && locating.found === null);
		// At the end of a list that got shorter, all of the last page lies before the checkpoint.
		if (isBetter || (isEnd && locating.found === null)) {
			const passed = versions.slice(0, finding.lastBefore + 1).map(({ digest }) => digest);
			locating.found = { cursor: step.cursor ?? null, passed: pack(passed) };
		}
		if (isEnd) return { state: resume(state, locating.found), notes: [{ kind: 'cursorFound' }] };
		locating = { cursor: step.nextCursor ?? null, found: locating.found };
		if (!mayContinue(0)) break;
	}
	return { state: { ...state, locating }, notes: [] };
}

function examine(
	versions: readonly Version[],
	floor: number | null,
	anchors: ReadonlySet<string>,
): PageFinding {
	const finding = {
		lastBefore: -1,
		hasOlder: false,
		hasAnchor: false,
		reaches: false,
		isBeyond: false,
	};
	for (const [place, { digest, time }] of versions.entries()) {
		const isComparable = time !== null && floor !== null;
		const isAnchor = anchors.has(digest);
		const isOlder = isComparable && time < floor;
		if (isAnchor || isOlder) finding.lastBefore = place;
		else finding.reaches = true;
		if (isOlder) Object.assign(finding, { hasOlder: true, reaches: false });
		if (isAnchor) finding.hasAnchor = true;
		if (isComparable && time > floor) finding.isBeyond = true;
	}
	return finding;
}

function resume(state: TriggerState, found: Locating['found']): TriggerState {
	const passed = unpack(found?.passed ?? '');
	const seen = new Set([...passed, ...unpack(state.seen)]);
	return { ...state, cursor: found?.cursor ?? null, seen: pack(seen), locating: null };
}
