import type { PollNote } from './open';
import type { Start, WhyNoState } from './state';

/** Something to tell a person: a warning is worth a hint, all of it a line in n8n's log. */
export interface Told {
	level: 'debug' | 'info' | 'warn';
	message: string;
}

/** Says a note of a poll. */
export function tellNote({ kind, failure }: PollNote): Told {
	const { statusCode, code = failure?.kind } = failure?.facts ?? {};
	const cause = statusCode === undefined ? code : `HTTP ${statusCode}`;
	const told: Record<PollNote['kind'], [Told['level'], string]> = {
		cursorRefused: [
			'warn',
			`The service refused the saved cursor (${cause}), so the list is read again from its beginning. Nothing is skipped.`,
		],
		cursorMoved: [
			'debug',
			'The saved cursor leads elsewhere now, so the list is read again from its beginning. Nothing is skipped.',
		],
		stoppedEarly: [
			'warn',
			`A request was not answered (${cause}). What was read before is returned; the rest follows next time.`,
		],
		started: ['info', 'The existing records have been skipped. From now on, changes are returned.'],
		overlapShortened: [
			'debug',
			'Too many records lie within the overlap, so only the newest of them are checked again.',
		],
	};
	const [level, message] = told[kind];
	return { level, message };
}

const WHY_NOT_USED: Record<Exclude<WhyNoState, 'none'>, string> = {
	damaged: 'is damaged, or from another version of this node',
	otherSettings:
		"belongs to another address, object type, event, 'Additional Parameters' or 'Start Over'",
	otherWorkspace: 'belongs to another workspace',
};

/** Where it starts, when no stored state is used. */
export function tellStart(
	reason: WhyNoState,
	{ objectType, startFrom, startDate = 0 }: Pick<Start, 'objectType' | 'startFrom' | 'startDate'>,
): Told {
	const start = {
		now: 'with changes from now on',
		beginning: 'from the beginning',
		date: `with what changed after ${shownTime(startDate)}`,
	}[startFrom];
	if (reason === 'none') return { level: 'info', message: `Starting ${start} (${objectType}).` };
	const lost = startFrom === 'now' ? ' Changes in between are not returned.' : '';
	return {
		level: 'warn',
		message: `Starting over ${start} (${objectType}), because the saved progress ${WHY_NOT_USED[reason]}.${lost}`,
	};
}

/** That a trigger's progress depends on its name; `former` is a node that the workflow no longer has. */
export function tellName(former?: string): Told {
	const why =
		'By default, n8n keeps the progress of a trigger by its name: renamed or copied, it starts over.';
	if (former === undefined) return { level: 'info', message: why };
	const fix = `If this node was called "${former}" before, give it that name again to continue there.`;
	return { level: 'warn', message: `${fix} ${why}` };
}

/** How far a list is read that takes longer than one reading. */
export function tellHowFar(readUpTo: number | null): Told {
	const howFar = readUpTo === null ? 'in part' : `up to ${shownTime(readUpTo)}`;
	return { level: 'info', message: `The list has been read ${howFar}; the rest follows.` };
}

/** A service may give dates that the calendar does not have. */
function shownTime(ms: number): string {
	const date = new Date(ms);
	return Number.isNaN(date.getTime()) ? `${ms} ms` : date.toISOString();
}
