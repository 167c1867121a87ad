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
				message: `The service no longer accepts the remembered cursor (${causeOf(note.failure)}), so the list is read again from its beginning. Nothing is skipped.`,
			};
		case 'cursorMoved':
			return {
				level: 'debug',
				message:
					'The remembered cursor leads to another place now, so the list is read again from its beginning. Nothing is skipped.',
			};
		case 'stoppedEarly':
			return {
				level: 'warn',
				message: `A request failed (${causeOf(note.failure)}). What was read before it is kept, and the next time continues from there.`,
			};
		case 'started':
			return {
				level: 'info',
				message: 'All records that existed at the start have been passed over. Changes follow.',
			};
		case 'overlapShortened':
			return {
				level: 'debug',
				message:
					'More records lie within the overlap than can be remembered, so only the newest of them are read again.',
			};
	}
}

const WHY_NOT_USED = {
	damaged: 'cannot be used: it is damaged, or of another version of this node',
	otherSettings:
		'belongs to another address, object type or event, to other Additional Parameters or another Start Over',
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
	const lost = startFrom === 'now' ? ' Changes since the last reading are not returned.' : '';
	return {
		level: 'warn',
		message: `What was remembered (${objectType}) ${WHY_NOT_USED[reason]}. So it starts over, ${start}.${lost}`,
	};
}

/** How far a list is read that takes longer than one reading. */
export function tellHowFar(readUpTo: number | null): Told {
	const place = readUpTo === null ? 'not to its end' : `up to ${shownTime(readUpTo)}`;
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
