import type { INodeProperties } from 'n8n-workflow';

import type { RequestLimits } from '../client/api';
import { group, number, yesOrNo } from './parameter-builders';
import { wholeNumber } from './read-parameters';

/** Maximum number of retries after temporary errors that leave open whether the service processed the request. */
export const MAX_RETRIES = 6;
/** Default of Retry For in seconds: how long a request that the service does not accept may wait in total. */
export const DEFAULT_RETRY_SECONDS = 300;
/** Default timeout of one request to a list or of Who Am I, in ms. Each retry has its own timeout. */
export const DEFAULT_READ_TIMEOUT_MS = 60_000;
/** Default timeout of Enrich, Score and Prospect in ms. AI work is slow, and an abandoned call may be billed. */
export const DEFAULT_CALL_TIMEOUT_MS = 300_000;

/** Returns the option group Requests. `timeoutMs` is the default of its option Timeout. */
export function requestOptions(timeoutMs: number): INodeProperties {
	return group('Requests (Rate Limit, Retry, Timeout)', 'requests', [
		number('Requests per Minute', 'maxRequestsPerMinute', {
			minValue: 0,
			default: 0,
			description:
				'Maximum requests per minute for this key. They are spread evenly over the minute, and shared by all executions with the same or a lower limit. 0 means no limit. This waiting does not count towards Retry For.',
		}),
		number('Retry For (Seconds)', 'retryFor', {
			minValue: 0,
			default: DEFAULT_RETRY_SECONDS,
			description:
				'How long one request may wait in total while the service throttles it, or while no connection can be made (at most a minute). If the service accepts no request of the node for this long, the remaining requests fail without being sent. After other temporary errors, the node retries up to six times within this time, unless the request may have been billed, or may have created, changed or deleted something. 0 means no retries.',
		}),
		number('Timeout (Ms)', 'timeout', {
			minValue: 1,
			default: timeoutMs,
			description: 'How long to wait for the response to one request, in milliseconds',
		}),
	]);
}

/** Option Ignore Total, for services whose total is only an estimate. It is in the group Pagination. */
export const ignoreTotalOption = yesOrNo('Ignore Total', 'ignoreTotal', {
	default: false,
	description:
		"Whether to accept a list that ends with fewer records than the service's total. If this is off, such a list ends in an error. Turn it on only if the total is an estimate.",
});

/** Returns the option Page Size, the number of records per request. With 0, the node finds a size itself. */
export function pageSizeOption(description: string, maxValue?: number): INodeProperties {
	return number('Page Size', 'pageSize', { minValue: 0, maxValue, default: 0, description });
}

/** Reads the option Page Size. Undefined lets the node find a size. Throws InputProblem for an invalid number. */
export function readPageSize({ pageSize = 0 }: Record<string, unknown>, max?: number) {
	return wholeNumber(pageSize, 'Page Size', 0, max) || undefined;
}

/** Reads the limits for each request from the options of the group Requests. Throws InputProblem for invalid values. */
export function readRequestLimits(
	options: Record<string, unknown>,
	defaultTimeoutMs: number,
): RequestLimits {
	const { retryFor = DEFAULT_RETRY_SECONDS, timeout = defaultTimeoutMs } = options;
	const { maxRequestsPerMinute = 0 } = options;
	const maxWaitMs = wholeNumber(retryFor, 'Retry For', 0) * 1_000;
	return {
		maxRetries: maxWaitMs === 0 ? 0 : MAX_RETRIES,
		maxWaitMs,
		maxPerMinute: wholeNumber(maxRequestsPerMinute, 'Requests per Minute', 0) || undefined,
		timeoutMs: wholeNumber(timeout, 'Timeout', 1),
	};
}
