import { medianRatio } from './statistics.mts';
import {
	contenderNames,
	largestPage,
	type Contender,
	type FaultName,
	type Output,
	type Results,
	type TimingCase,
} from './types.mts';

/** What the node promises about exports, and whether a run of the benchmark bears it out. */
interface PromiseResult {
	promise: string;
	/** What was measured. */
	measured: string;
	kept: boolean;
}

const twentyThousand = { records: 20_000, pageSize: 'default', latencyMs: 50 } as const;
/** Most time of the node as a share of the other's. */
const timePromises: Array<Omit<TimingCase, 'rounds'> & { other: Contender; most: number }> = [
	{ ...twentyThousand, other: 'httpRequest', most: 0.13 },
	{ ...twentyThousand, accepts: 5_000, other: 'httpRequest', most: 0.09 },
	// Without latency the loop alone is a measure: no service answers in no time.
	{ records: 100_000, pageSize: 'default', latencyMs: 0, other: 'fetchLoop', most: 1.35 },
	{ records: 100_000, pageSize: 100, latencyMs: 0, other: 'fetchLoop', most: 1.65 },
	{ records: 100_000, pageSize: 1_000, latencyMs: 0, other: 'fetchLoop', most: 1.3 },
];

/** Most memory of files with so many records as a multiple of that of 100,000. */
const memoryPromises: Array<{ output: Output; records: number; most: number }> = [
	{ output: 'ndjson', records: 1_000_000, most: 1.1 },
	{ output: 'csv', records: 1_000_000, most: 1.1 },
	{ output: 'ndjson', records: 10_000_000, most: 1.1 },
];
const fewRecords = 100_000;

/** How often per second webhooks are answered, as a share of those with HTTP Request: as often, less the noise. */
const leastOften = 0.97;

const inWords = (count: number): string => count.toLocaleString('en-US');
const ratioOf = (promise: string, ratio: number, kept: boolean): PromiseResult => ({
	promise,
	measured: `${ratio.toFixed(3)} ×`,
	kept,
});

/** The promises that these results can say something about. */
export function promisesOf(results: Results): PromiseResult[] {
	return [
		...timeResults(results),
		...memoryResults(results),
		...webhookResults(results),
		...faultResults(results),
	];
}

function timeResults({ timings }: Results): PromiseResult[] {
	return timePromises.flatMap(({ other, most, ...wanted }) => {
		const { records, pageSize, accepts = largestPage, latencyMs } = wanted;
		const timing = timings.find(
			(one) =>
				one.records === records &&
				one.pageSize === pageSize &&
				(one.accepts ?? largestPage) === accepts &&
				one.latencyMs === latencyMs,
		);
		if (timing === undefined) return [];
		const ratio = medianRatio(timing.seconds.node, timing.seconds[other]);
		const size =
			pageSize === 'default' ? 'with default settings' : `at page size ${inWords(pageSize)}`;
		const how = `${size} from a service that accepts up to ${inWords(accepts)}`;
		const latency = latencyMs === 0 ? 'without latency' : `at ${latencyMs} ms`;
		return ratioOf(
			`${inWords(records)} records ${how}, ${latency}, take at most ${most} × the time of ${contenderNames[other]}`,
			ratio,
			ratio <= most,
		);
	});
}

function memoryResults({ memory }: Results): PromiseResult[] {
	return memoryPromises.flatMap(({ output, records, most }) => {
		const find = (howMany: number) =>
			memory.find((result) => result.output === output && result.records === howMany);
		const [small, large] = [find(fewRecords), find(records)];
		if (small === undefined || large === undefined) return [];
		const growth = large.peakMb / small.peakMb;
		return ratioOf(
			`${inWords(records)} records as ${output.toUpperCase()} files, each in them once, need at most ${most} × the memory of ${inWords(fewRecords)}`,
			growth,
			growth <= most,
		);
	});
}

/** No slower than HTTP Request in its place. */
function webhookResults({ webhooks }: Results): PromiseResult[] {
	if (webhooks === undefined) return [];
	const { inFlight, perSecond, milliseconds } = webhooks;
	const many = medianRatio(perSecond.node, perSecond.httpRequest);
	const one = medianRatio(milliseconds.node, milliseconds.httpRequest);
	return [
		ratioOf(
			`a webhook that enriches, ${inFlight} in flight, is answered at least ${leastOften} × as often per second as with HTTP Request`,
			many,
			many >= leastOften,
		),
		ratioOf(
			'a webhook that enriches, one at a time, is answered in no more time than with HTTP Request',
			one,
			one <= 1,
		),
	];
}

/** A fault that passes costs no record, and no call is made twice. */
function faultResults({ faults = [] }: Results): PromiseResult[] {
	return faults.map(({ name, records, counts: { node } }) => {
		const come = `${inWords(records)} records come out although`;
		const promises: Record<FaultName, string> = {
			tooManyRequests: `${come} a request is answered by HTTP 429`,
			brokenConnection: `${come} a connection breaks`,
			lostAnswers: 'a call whose answer is lost is processed once, whatever Retry On Fail does',
		};
		const kept = node === (name === 'lostAnswers' ? 1 : records);
		return { promise: promises[name], measured: inWords(node), kept };
	});
}
