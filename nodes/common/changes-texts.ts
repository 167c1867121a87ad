import type { ServiceFailure } from '../client/failures';
import type { ChangesParameters } from './changes-options';

/** Something to tell a person: a warning is worth a hint, all of it a line in n8n's log. */
export interface Told {
	level: 'debug' | 'info' | 'warn';
	message: string;
}

/** What happened while changes were read; see `PollNote`. */
type Note =
	| { kind: 'cursorRefused' | 'stoppedEarly'; failure: ServiceFailure }
	| { kind: 'cursorMoved' | 'started' | 'overlapShortened' };

/** One text for each thing that can happen while changes are read. */
export function tellNote(note: Note): Told {
	switch (note.kind) {
		case 'cursorRefused':
			return {
				level: 'warn',
				message: `The service refused the saved cursor (${causeOf(note.failure)}), so the list is read again from its beginning. Nothing is skipped.`,
			};
		case 'cursorMoved':
			return {
				level: 'debug',
				message:
					'The saved cursor leads elsewhere now, so the list is read again from its beginning. Nothing is skipped.',
			};
		case 'stoppedEarly':
			return {
				level: 'warn',
				message: `A request failed (${causeOf(note.failure)}). What was read before is returned; the rest follows next time.`,
			};
		case 'started':
			return {
				level: 'info',
				message: 'The existing records have been skipped. From now on, changes are returned.',
			};
		case 'overlapShortened':
			return {
				level: 'debug',
				message:
					'Too many records lie within the overlap, so only the newest of them are checked again.',
			};
	}
}

const WHY_NOT_USED = {
	damaged: 'is damaged, or from another version of this node',
	otherSettings:
		'belongs to another address, object type, event, Additional Parameters or Start Over',
	otherWorkspace: 'belongs to another workspace',
};

/**
 * Where it starts, where nothing is remembered that could be continued.
 *
 * @param reason `none` where nothing was remembered at all
 */
export function tellStart(
	reason: keyof typeof WHY_NOT_USED | 'none',
	parameters: Pick<ChangesParameters, 'objectType' | 'startFrom' | 'startDate'>,
): Told {
	const { objectType, startFrom } = parameters;
	const start = startOf(parameters);
	if (reason === 'none') return { level: 'info', message: `Starting ${start} (${objectType}).` };
	const lost = startFrom === 'now' ? ' Changes in between are not returned.' : '';
	return {
		level: 'warn',
		message: `Starting over ${start} (${objectType}), because the saved progress ${WHY_NOT_USED[reason]}.${lost}`,
	};
}

/** How far a list is read that takes longer than one reading. */
export function tellHowFar(readUpTo: number | null): Told {
	const place = readUpTo === null ? 'in part' : `up to ${shownTime(readUpTo)}`;
	return { level: 'info', message: `The list has been read ${place}; the rest follows.` };
}

function startOf({
	startFrom,
	startDate = 0,
}: Pick<ChangesParameters, 'startFrom' | 'startDate'>): string {
	if (startFrom === 'now') return 'with changes from now on';
	if (startFrom === 'beginning') return 'from the beginning';
	return `with what changed after ${shownTime(startDate)}`;
}

/** A service may give dates that the calendar does not have. */
function shownTime(ms: number): string {
	const date = new Date(ms);
	return Number.isNaN(date.getTime()) ? `${ms} ms` : date.toISOString();
}

function causeOf({ kind, facts }: ServiceFailure): string {
	return facts.statusCode === undefined ? (facts.code ?? kind) : `HTTP ${facts.statusCode}`;
}
