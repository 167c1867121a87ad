import type { ServiceFailure } from '../client/failures';
import type { FollowedList, ResumeReason } from './checkpoint';

/** A message for the user. The node writes every notice to n8n's log. Sync also shows warnings as hints. */
export interface Notice {
	level: 'info' | 'warn';
	message: string;
}

/** Returns a warning that the service has rejected a saved cursor. */
export function cursorRefused(failure: ServiceFailure): Notice {
	const message = `The saved cursor did not work (${failure.shortName}), so the list is read again from its beginning. Nothing is skipped.`;
	return { level: 'warn', message };
}

/** Returns a warning that a request failed after the poll had made progress. */
export function stoppedEarly(failure: ServiceFailure): Notice {
	const message = `A request failed (${failure.shortName}). The records read before it are returned. The rest follows next time.`;
	return { level: 'warn', message };
}

export const STARTED: Notice = {
	level: 'info',
	message: 'The existing records were skipped. From now on, changes are returned.',
};

/** Warning that records with older dates were added. Shown if the list grew by more records than were returned. */
export const OLDER: Notice = {
	level: 'warn',
	message:
		"Records older than the last one returned were added to the list. They will not be returned. For all records, set 'Start From' to Beginning and enter a new text in 'Start Over'.",
};

const WHY: Record<Exclude<ResumeReason, 'none'>, string> = {
	startOver: "'Start Over' has a new text",
	otherList: "'Object Type' or the event has changed",
	otherFilter: "'Filters' have changed",
	otherVersion: 'the saved progress is damaged, or from another version of this node',
};

/** Warning that is shown once after the user has replaced the key or the Base URL of the credential. */
export const OTHER_ACCESS: Notice = {
	level: 'warn',
	message:
		"Continued with another key or address in the same credential. If they belong to another workspace, enter a new text in 'Start Over'. Otherwise, its older records are not returned.",
};

/**
 * Returns a notice that reading starts over, or that it continues from a date instead of from a saved cursor.
 * @param from date to continue from, in ms since 1970; undefined if reading starts over
 * @param toFollowBoth how the user can get changes for both the old and the new Filters, such as "add a second trigger"
 */
export function noticeOfStart(
	reason: ResumeReason,
	from: number | undefined,
	followed: Pick<FollowedList, 'objectType' | 'startFrom' | 'startDate'>,
	toFollowBoth: string,
): Notice {
	const { objectType, startFrom, startDate = 0 } = followed;
	const start = {
		now: 'with changes from now on',
		beginning: 'from the beginning',
		date: `with records changed after ${shownTime(startDate)}`,
	}[startFrom];
	if (reason === 'none') {
		const message = `Starting ${start} ("${objectType}"): no progress is saved yet.`;
		return { level: startFrom === 'beginning' ? 'warn' : 'info', message };
	}
	const lost = startFrom === 'now' ? ' Changes since the last poll or run are not returned.' : '';
	const isAll = startFrom === 'beginning';
	const all = `${isAll ? '' : "set 'Start From' to Beginning and "}change 'Start Over'`;
	const both = reason === 'otherFilter' ? ` To follow both, ${toFollowBoth}.` : '';
	const message =
		from === undefined
			? `Starting over ${start} ("${objectType}"), because ${WHY[reason]}.${lost}`
			: `Continued from ${shownTime(from)} ("${objectType}"), because ${WHY[reason]}.${both} For all records, ${all}.`;
	return { level: 'warn', message };
}

/** Formats a date for messages, for example "24 Nov 2026, 16:05 UTC". */
function shownTime(ms: number): string {
	const [, day, month, year, time] = new Date(ms).toUTCString().split(' ');
	return `${Number(day)} ${month} ${year}, ${time.slice(0, 5)} UTC`;
}
