import { mean, median, medianOfRatios } from './statistics.mts';
import { contenderNames, type FaultName, type Results, type ShortListsCase } from './types.mts';

/** A performance target of the node, with its measured value. */
interface PromiseResult {
	promise: string;
	/** Measured value as text. */
	measured: string;
	kept: boolean;
}

/** Maximum mean number of requests per run of Sync, if the same records change before every run. */
export const maxRequests = 20;

/**
 * Minimum number of webhook responses per second with the node, as a share of the number with HTTP Request. The limit
 * is below 1 because measurements vary.
 */
export const leastOften = 0.97;

const inWords = (count: number): string => count.toLocaleString('en-US');
const ratioOf = (promise: string, ratio: number, kept: boolean): PromiseResult => ({
	promise,
	measured: `${ratio.toFixed(3)} ×`,
	kept,
});

/** Returns the targets that these results cover, each with its measured value. */
export function promisesOf(results: Results): PromiseResult[] {
	return [
		...timeResults(results),
		...shortListResults(results),
		...memoryResults(results),
		...webhookResults(results),
		...faultResults(results),
		...changeResults(results),
	];
}

function timeResults({ timings }: Results): PromiseResult[] {
	return timings.flatMap((timing) => {
		const { records, pageSize, latencyMs, seconds, promises } = timing;
		const how =
			pageSize === 'default' ? 'with default settings' : `at page size ${inWords(pageSize)}`;
		const latency = latencyMs === 0 ? 'without latency' : `at ${latencyMs} ms`;
		return promises.map(({ other, most }) => {
			const ratio = medianOfRatios(seconds.node, seconds[other]);
			return ratioOf(
				`${inWords(records)} records ${how}, ${latency}, take at most ${most} × ${contenderNames[other]}`,
				ratio,
				ratio <= most,
			);
		});
	});
}

/** Returns the time in seconds that the requests of the short lists need at least. */
export function leastSecondsOf({ lists, listsAtOnce, latencyMs }: ShortListsCase): number {
	return (Math.ceil(lists / listsAtOnce) * latencyMs) / 1_000;
}

function shortListResults({ shortLists }: Results): PromiseResult[] {
	if (shortLists === undefined) return [];
	const { lists, listsAtOnce, records, latencyMs, seconds, most } = shortLists;
	const leastSeconds = leastSecondsOf(shortLists);
	const ratio = median(seconds.node) / leastSeconds;
	const promise = `${inWords(lists)} lists of ${records} records, ${listsAtOnce} at once, at ${latencyMs} ms, take at most ${most} × the ${leastSeconds.toFixed(1)} s that the requests alone need`;
	return [ratioOf(promise, ratio, ratio <= most)];
}

function memoryResults({ memory }: Results): PromiseResult[] {
	return memory.flatMap(({ output, records, peakMb, most }) => {
		const few = memory.find((one) => one.output === output);
		if (most === undefined || few === undefined) return [];
		const growth = peakMb / few.peakMb;
		return ratioOf(
			`${inWords(records)} records as ${output.toUpperCase()} files need at most ${most} × the memory of ${inWords(few.records)}`,
			growth,
			growth <= most,
		);
	});
}

/** Checks that a webhook with the node responds as fast as the same webhook with HTTP Request. */
function webhookResults({ webhooks }: Results): PromiseResult[] {
	if (webhooks === undefined) return [];
	const { inFlight, perSecond, milliseconds } = webhooks;
	const many = medianOfRatios(perSecond.node, perSecond.httpRequest);
	const one = medianOfRatios(milliseconds.node, milliseconds.httpRequest);
	return [
		ratioOf(
			`enriching webhook, ${inFlight} requests in flight: at least ${leastOften} × the responses per second of HTTP Request`,
			many,
			many >= leastOften,
		),
		ratioOf(
			'enriching webhook, one request at a time: at most the time of HTTP Request',
			one,
			one <= 1,
		),
	];
}

/** Checks that a temporary failure loses no record, and that the service processes no call twice. */
function faultResults({ faults = [] }: Results): PromiseResult[] {
	return faults.map(({ name, records, counts: { node } }) => {
		const come = `${inWords(records)} records are returned despite`;
		const promises: Record<FaultName, string> = {
			tooManyRequests: `${come} HTTP 429`,
			brokenConnection: `${come} a connection reset`,
			lostAnswers: 'a call whose response is lost is processed once, despite Retry On Fail',
		};
		const kept = node === (name === 'lostAnswers' ? 1 : records);
		return { promise: promises[name], measured: inWords(node), kept };
	});
}

/** Checks that Sync does not read the whole list again if the same records change in every round. */
function changeResults({ changes }: Results): PromiseResult[] {
	return changes.flatMap(({ records, pageSize, changing, requests, quiet }) => {
		const list = `of ${inWords(records)} records at page size ${pageSize}`;
		const average = mean(requests);
		const most = Math.max(...quiet);
		return [
			{
				promise: `if the same ${changing} ${list} change, Sync sends at most ${maxRequests} requests per run on average`,
				measured: average.toFixed(1),
				kept: average <= maxRequests,
			},
			{
				promise: `if none ${list} has changed, Sync sends one request per run`,
				measured: inWords(most),
				kept: most === 1,
			},
		];
	});
}
