import type { IExecuteFunctions } from 'n8n-workflow';

import type { Told } from '../../common/changes-texts';

/** Where Confirm Changes goes in a workflow. */
export const WHERE_TO_CONFIRM =
	'where everything has arrived: after a loop at its Done branch, after a filter where its branches meet again';

/** Says something under the output, and in n8n's log: nobody looks at the output of a scheduled run. */
export function say(context: IExecuteFunctions, message: string): void {
	context.logger.warn(`Workspace Data: ${message}`);
	// n8n versions before hints lack the function.
	context.addExecutionHints?.({ message, location: 'outputPane' });
}

/** Says what a person should know. */
export function tell(context: IExecuteFunctions, { level, message }: Told): void {
	if (level === 'warn') say(context, message);
	else context.logger[level](`Workspace Data: ${message}`);
}
