import type { INodeProperties } from 'n8n-workflow';

import type { RequestLimits } from '../../client/api';
import { wholeNumber } from './parameters';
import { number, yesOrNo } from './fields';

/** Retries after temporary errors that do not say whether the request was processed. */
export const DEFAULT_MAX_RETRIES = 4;
/** Longest time to wait, in all, for a service that does not accept a request, in seconds. */
export const DEFAULT_MAX_WAIT_SECONDS = 300;
/** Longest time for one attempt of a list or of Who Am I, in ms. */
export const DEFAULT_READ_TIMEOUT_MS = 60_000;
/** Longest time for one attempt of enrich, score or prospect, in ms: AI work is slow, and giving up early may be billed. */
export const DEFAULT_CALL_TIMEOUT_MS = 300_000;

const WAIT =
	'How long one request may wait in all when the service refuses it because of a rate limit. If no connection can be made, it waits a minute at most. After that, it and the remaining items fail. The time starts again whenever the service accepts another request of the run.';

/** The options of everything that asks the service. */
export function requestOptions(timeoutMs: number, waitDescription = WAIT): INodeProperties[] {
	return [
		number('Max Requests per Minute', 'maxRequestsPerMinute', {
			minValue: 1,
			default: 60,
			description:
				'Most requests per minute with this key, over all runs of this n8n process. Waiting for it does not count towards Max Wait.',
		}),
		number('Max Retries', 'maxRetries', {
			minValue: 0,
			default: DEFAULT_MAX_RETRIES,
			description:
				'How often a request is tried again after a temporary error. What may have been billed, created, changed or deleted is never sent twice.',
		}),
		number('Max Wait (Seconds)', 'maxWait', {
			minValue: 0,
			default: DEFAULT_MAX_WAIT_SECONDS,
			description: waitDescription,
		}),
		number('Timeout (Ms)', 'timeout', {
			minValue: 1,
			default: timeoutMs,
			description: 'How long to wait for the response to one request, in milliseconds',
		}),
	];
}

/** For services that only estimate how many records a list has; an option of everything that reads lists. */
export const ignoreTotalOption = yesOrNo('Ignore Total', 'ignoreTotal', {
	description:
		"Whether to accept a list that ends with fewer records than the service's total. Add it only if that total is an estimate. Without this option, such a list ends in an error.",
});

/** How many records to ask for per request; undefined where that is to be found out. Throws InputProblem. */
export function readPageSize({ pageSize }: Record<string, unknown>, most?: number) {
	return pageSize === undefined ? undefined : wholeNumber(pageSize, 'Page Size', 1, most);
}

/** The limits of a single request, from the options that every operation has. Throws InputProblem. */
export function readRequestLimits(
	{
		maxRetries = DEFAULT_MAX_RETRIES,
		maxWait = DEFAULT_MAX_WAIT_SECONDS,
		maxRequestsPerMinute: most,
		timeout,
	}: Record<string, unknown>,
	defaultTimeoutMs: number,
): RequestLimits {
	return {
		maxRetries: wholeNumber(maxRetries, 'Max Retries', 0),
		maxWaitMs: wholeNumber(maxWait, 'Max Wait (Seconds)', 0) * 1_000,
		maxPerMinute: most === undefined ? most : wholeNumber(most, 'Max Requests per Minute', 1),
		timeoutMs: wholeNumber(timeout === undefined ? defaultTimeoutMs : timeout, 'Timeout (Ms)', 1),
	};
}
