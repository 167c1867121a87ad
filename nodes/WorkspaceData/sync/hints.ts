import type { IExecuteFunctions } from 'n8n-workflow';

import type { PollNote } from '../../changes/settings';
import type { WhyNoState } from '../../changes/state';
import type { ServiceFailure } from '../../client/failures';
import type { SyncParameters } from './parameters';

/** Says something under the output, and in n8n's log: nobody looks at the output of a scheduled run. */
export function say(context: IExecuteFunctions, message: string): void {
	context.logger.warn(`Workspace Data: ${message}`);
	// n8n versions before hints lack the function.
	context.addExecutionHints?.({ message, location: 'outputPane' });
}

const WHY: Record<Exclude<WhyNoState, 'none'>, string> = {
	damaged: 'cannot be used: it is damaged, or of another version of this node',
	otherSettings:
		'belongs to another address, object type or event, or to other additional parameters',
	otherWorkspace: 'belongs to another workspace',
};

/** Why a sync starts over although something was remembered. */
export function startOverHint(
	reason: Exclude<WhyNoState, 'none'>,
	{ objectType, startFrom }: SyncParameters,
): string {
	const start =
		startFrom === 'beginning'
			? 'all records are read again'
			: 'it begins with changes from now on, and those since the last run are not read';
	return `What was remembered of this sync (${objectType}) ${WHY[reason]}. So it starts over: ${start}.`;
}

/** What a person should know of how the reading went; undefined where nothing is to be done or known. */
export function hintOf(note: PollNote): string | undefined {
	switch (note.kind) {
		case 'stoppedEarly':
			return `A request failed (${causeOf(note.failure)}), so this run ended early. What was read before is put out, and the next run goes on from there.`;
		case 'cursorRefused':
			return `The service no longer accepts the remembered cursor (${causeOf(note.failure)}). The place was looked for again by dates; nothing is skipped.`;
		case 'newestUnknown':
			return 'The service does not tell which records are the newest, so this sync starts with changes after it has read the whole list once.';
		case 'gapBegan':
			return 'More records without a readable date stand at the end of the list than can be remembered. Changes arrive as before, but a new record without a date may be missed.';
		default:
			return undefined;
	}
}

function causeOf({ kind, facts }: ServiceFailure): string {
	return facts.statusCode === undefined ? (facts.code ?? kind) : `HTTP ${facts.statusCode}`;
}
