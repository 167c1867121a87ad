import { readChangesParameters } from '../common/panel/changes-options';
import { readOptions, wholeNumber, type GetParameter } from '../common/panel/parameters';

/** What Limit is unless the user says otherwise. */
export const DEFAULT_RECORDS_PER_POLL = 1_000;

export type TriggerParameters = ReturnType<typeof readTriggerParameters>;

/** Reads and checks the trigger's parameters. Throws as `readChangesParameters` does. */
export function readTriggerParameters(get: GetParameter, timezone: string) {
	const options = readOptions(get);
	const { maxRecordsPerPoll: most = DEFAULT_RECORDS_PER_POLL } = options;
	return {
		...readChangesParameters(get, options, 'poll', timezone),
		maxRecordsPerPoll: wholeNumber(most, 'Limit', 1),
	};
}
