import type { Logger } from 'n8n-workflow';

import type { Told } from '../common/changes-texts';

const NAME = 'Workspace Data Trigger';

/** Writes to n8n's log. */
export function log(logger: Logger, { level, message }: Told): void {
	logger[level](`${NAME}: ${message}`);
}

/** Says that a poll was skipped, and why; the next one does its work. */
export function logLeftOut(logger: Logger, reason: string): void {
	log(logger, { level: 'info', message: `${reason}, so this poll is skipped` });
}
