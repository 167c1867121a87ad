import { readChangesParameters } from '../common/changes-options';
import { readOptions, wholeNumber, type GetParameter } from '../common/parameters';

/** Records that one poll gives at most, unless the user says otherwise. */
export const DEFAULT_RECORDS_PER_POLL = 1_000;

/** The checked parameters of the trigger. */
export type TriggerParameters = ReturnType<typeof readTriggerParameters>;

/** Reads and checks the trigger's parameters. Throws as `readChangesParameters` does. */
export function readTriggerParameters(get: GetParameter, timezone: string) {
	const { maxRecordsPerPoll: most = DEFAULT_RECORDS_PER_POLL } = readOptions(get);
	return {
		...readChangesParameters(get, { startFrom: 'now', timezone }),
		maxRecordsPerPoll: wholeNumber(most, 'Max Records per Poll', 1),
	};
}
