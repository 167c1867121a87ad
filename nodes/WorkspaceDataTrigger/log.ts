import type { Logger } from 'n8n-workflow';

import type { ServiceFailure } from '../client/failures';
import type { TriggerParameters } from './parameters';
import type { PollNote } from '../changes/settings';
import type { WhyNoState } from '../changes/state';

const NAME = 'Workspace Data Trigger';

/** Says in n8n's log that the trigger starts, and why it starts over where something was stored. */
export function logStartOver(
	logger: Logger,
	reason: WhyNoState,
	{ objectType, startFrom }: TriggerParameters,
): void {
	const start = `starting ${startFrom === 'now' ? 'with changes from now on' : 'from the beginning'} (${objectType})`;
	if (reason === 'none') logger.info(`${NAME}: ${start}`);
	if (reason === 'otherWorkspace') {
		logger.warn(`${NAME}: what was stored belongs to another workspace; ${start}`);
	}
	if (reason === 'otherSettings') {
		logger.warn(
			`${NAME}: what was stored belongs to another address, object type or event, to other Additional Parameters or another Start Over; ${start}`,
		);
	}
	if (reason === 'damaged') {
		logger.warn(
			`${NAME}: what was stored cannot be used (damaged, or of another version); ${start}`,
		);
	}
}

/** Says that a poll was left out, and why; the next one does its work. */
export function logLeftOut(logger: Logger, reason: string): void {
	logger.info(`${NAME}: ${reason}, so this poll is left out`);
}

/** Says how far the first reading has come. */
export function logProgress(logger: Logger, progress: string): void {
	logger.info(`${NAME}: ${progress}; the next poll goes on`);
}

/** Writes what happened in a poll to n8n's log. */
export function logNotes(logger: Logger, notes: readonly PollNote[]): void {
	for (const note of notes) logNote(logger, note);
}

function logNote(logger: Logger, note: PollNote): void {
	switch (note.kind) {
		case 'cursorRefused':
			logger.warn(
				`${NAME}: the service no longer accepts the stored cursor (${causeOf(note.failure)}). The place is looked for again by the last records before it; nothing is skipped.`,
			);
			break;
		case 'cursorFound':
			logger.info(`${NAME}: the place in the list was found again`);
			break;
		case 'stoppedEarly':
			logger.warn(
				`${NAME}: a request failed (${causeOf(note.failure)}). What was read before it is kept, and the next poll goes on from there.`,
			);
			break;
		case 'newestUnknown':
			logger.warn(
				`${NAME}: the service does not tell which records are the newest, so the trigger starts with changes after it has read the whole list once`,
			);
			break;
		case 'seeded':
			logger.info(
				`${NAME}: all records that existed at the start are passed over; now waiting for changes`,
			);
			break;
		case 'gapBegan':
			logger.warn(
				`${NAME}: more records without a readable date stand at the end of the list than can be remembered. They are not read again: changes arrive as before, but a new record without a date may be missed.`,
			);
			break;
		case 'windowShortened':
			logger.debug(
				`${NAME}: many records lie within the overlap, so only the newest of them are read again`,
			);
	}
}

function causeOf({ kind, facts }: ServiceFailure): string {
	return facts.statusCode === undefined ? (facts.code ?? kind) : `HTTP ${facts.statusCode}`;
}
