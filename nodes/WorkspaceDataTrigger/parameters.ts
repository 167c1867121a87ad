import { readChangesParameters, type ChangesParameters } from '../common/changes-options';
import { readOptions, wholeNumber, type GetParameter } from '../common/parameters';

/** Trigger: records that one poll delivers at most, unless the user says otherwise. */
export const DEFAULT_RECORDS_PER_POLL = 1_000;

/** The checked parameters of the trigger. */
export interface TriggerParameters extends ChangesParameters {
	/** The most records that one poll gives. */
	maxRecordsPerPoll: number;
}

/**
 * Reads and checks the trigger's parameters.
 *
 * @param get gives a parameter's value, expressions resolved
 * @param timezone of the workflow
 * @throws InputProblem naming the parameter and the fix, before any request is sent
 */
export function readTriggerParameters(get: GetParameter, timezone: string): TriggerParameters {
	const { maxRecordsPerPoll: most = DEFAULT_RECORDS_PER_POLL } = readOptions(get);
	return {
		...readChangesParameters(get, { startFrom: 'now', timezone }),
		maxRecordsPerPoll: wholeNumber(most, 'Max Records per Poll', 1),
	};
}
