import { markdownTable } from 'markdown-table';
import { promisesOf } from './promises.mts';
import { mean, median, medianRatio } from './statistics.mts';
import {
	contenderNames,
	contenders,
	describePageSize,
	largestPage,
	rivals,
	type ChangesResult,
	type Contender,
	type FaultName,
	type FaultResult,
	type MemoryResult,
	type Results,
	type Rival,
	type ShortListsResult,
	type TimingResult,
	type WebhookResult,
} from './types.mts';

const outputNames = {
	items: 'Items',
	pages: 'Pages',
	ndjson: 'NDJSON Files',
	csv: 'CSV Files',
	httpRequest: `Items of ${contenderNames.httpRequest}`,
};

const faultNames: Record<FaultName, string> = {
	tooManyRequests: 'HTTP 429 once: records that come out',
	brokenConnection: 'A connection breaks once: records that come out',
	lostAnswers: 'No answer to a call arrives: times that it is processed',
};

/** Returns the text of docs/maintainers/benchmarks.md. */
export function renderDocument(results: Results): string {
	const { machine, timings, shortLists, webhooks, faults, changes, memory } = results;
	const promises = promisesOf(results).map(({ promise, measured, kept }) => [
		promise,
		measured,
		kept ? 'kept' : 'broken',
	]);
	const parts = [
		'# Benchmarks',
		`Written by \`npm run bench\` on ${machine.date}: n8n ${machine.n8n}, Node ${machine.node}, ${machine.processor} with ${machine.cores} cores and ${machine.memoryGb} GB. Your numbers will differ; what should hold elsewhere is how they compare.`,
	];
	if (timings.length > 0) {
		parts.push(
			'## Time',
			`Medians in seconds, in the same n8n and against the same service on the same machine, in rounds in which the contenders take turns; the first does not count. "Against" is the median of what is compared within each round. "${contenderNames.httpRequest}" is n8n's own HTTP Request node with pagination by cursor, then Split Out. The "${contenderNames.fetchLoop}" is a Node script without n8n: the least that reading the records can cost. The service refuses pages of more than ${largestPage.toLocaleString('en-US')} records; HTTP Request asks for 100 where the page size is the default, the loop for as many.`,
			timingTable(timings),
		);
	}
	if (shortLists) {
		parts.push(
			'## Short lists',
			`One list for each input item, with one request each: medians in seconds, measured and compared as above. HTTP Request sends all requests at once, the node reads five lists at once.`,
			shortListsTable(shortLists),
		);
	}
	if (webhooks) {
		parts.push(
			'## Webhooks',
			`Webhook, Enrich, Respond to Webhook, beside the same with HTTP Request in place of the node, in the same n8n and in turns: medians of ${webhooks.perSecond.node.length} rounds, each of ${webhooks.requests} requests with ${webhooks.inFlight} in flight and ${webhooks.oneByOne} one at a time, compared within each round. Nearly all of the time is n8n's own.`,
			webhookTable(webhooks),
		);
	}
	if (faults) {
		parts.push(
			'## Faults',
			`What comes out when something fails at the seventh request of a list of ${faults[0].records.toLocaleString('en-US')} records, and how often the service processes one call that may be billed when none of its answers arrives. The call has n8n's Retry On Fail (3 tries).`,
			faultTable(faults),
		);
	}
	if (changes.length > 0) {
		parts.push(
			'## Changes',
			'Requests of Sync where the same records of a long list change in each round: of the run that returns them, and of one that finds nothing new once the lookback window has passed.',
			changesTable(changes),
		);
	}
	if (memory.length > 0) {
		parts.push(
			'## Memory',
			'The most memory that the n8n process had during the export (resident, VmHWM), each export in a process of its own. "n8n alone" is what it had before. "Heap limit" is `--max-old-space-size` of V8.',
			memoryTable(memory),
		);
	}
	if (promises.length > 0) {
		parts.push('## Promises', table(['Promise', 'Measured', ''], promises, 1));
	}
	return `${parts.join('\n\n')}\n`;
}

function timingTable(timings: readonly TimingResult[]): string {
	const header = [
		'Records',
		'Page size',
		'Latency',
		'Rounds',
		...contenders.map((contender) => contenderNames[contender]),
		'against HTTP Request',
		'against fetch',
	];
	const rows = timings.map((timing) => {
		const { records, latencyMs, seconds } = timing;
		const against = (other: Contender): string =>
			`${medianRatio(seconds.node, seconds[other]).toFixed(2)} ×`;
		return [
			records.toLocaleString('en-US'),
			describePageSize(timing),
			latencyMs === 0 ? 'none' : `${latencyMs} ms`,
			String(seconds.node.length),
			...contenders.map((one) => median(seconds[one]).toFixed(2)),
			against('httpRequest'),
			against('fetchLoop'),
		];
	});
	return table(header, rows, 0);
}

function shortListsTable({ lists, records, latencyMs, seconds }: ShortListsResult): string {
	const header = ['Lists', 'Records of each', 'Latency', 'Rounds'];
	const names = [contenderNames.node, contenderNames.httpRequest, 'against HTTP Request'];
	const row = [
		...[lists, records].map((count) => count.toLocaleString('en-US')),
		`${latencyMs} ms`,
		String(seconds.node.length),
		...rivals.map((rival) => median(seconds[rival]).toFixed(2)),
		`${medianRatio(seconds.node, seconds.httpRequest).toFixed(2)} ×`,
	];
	return table([...header, ...names], [row], 0);
}

function webhookTable({ inFlight, perSecond, milliseconds }: WebhookResult): string {
	const row = (name: string, found: Record<Rival, number[]>): string[] => [
		name,
		...rivals.map((rival) => median(found[rival]).toFixed(1)),
		`${medianRatio(found.node, found.httpRequest).toFixed(3)} ×`,
	];
	const header = ['Webhook', contenderNames.node, 'HTTP Request', 'against HTTP Request'];
	const rows = [
		row(`${inFlight} in flight: answers per second`, perSecond),
		row('one at a time: milliseconds', milliseconds),
	];
	return table(header, rows, 1);
}

function faultTable(faults: readonly FaultResult[]): string {
	const header = ['Fault', contenderNames.node, 'HTTP Request'];
	const rows = faults.map(({ name, counts }) => [
		faultNames[name],
		...rivals.map((rival) => counts[rival].toLocaleString('en-US')),
	]);
	return table(header, rows, 1);
}

function changesTable(changes: readonly ChangesResult[]): string {
	const header = ['Records', 'Page size', 'Change', 'Rounds', 'Requests of their run', 'quiet'];
	const rows = changes.map(({ records, pageSize, changing, requests, quiet }) => [
		...[records, pageSize, changing, requests.length].map((one) => one.toLocaleString('en-US')),
		...[requests, quiet].map((found) => mean(found).toFixed(1)),
	]);
	return table(header, rows, 0);
}

function memoryTable(memory: readonly MemoryResult[]): string {
	const header = [
		'Output As',
		'Records',
		'Heap limit',
		'n8n alone',
		'Peak',
		'Time',
		'Different ids in the files',
	];
	const rows = memory.map((result) => [
		outputNames[result.output],
		result.records.toLocaleString('en-US'),
		result.heapMb === undefined ? 'default' : `${result.heapMb} MB`,
		`${Math.round(result.baseMb)} MB`,
		`${Math.round(result.peakMb)} MB`,
		// Leave out the duration with HTTP Request. The table of times compares it with the node's duration more
		// exactly.
		result.output === 'httpRequest' ? '–' : `${result.seconds.toFixed(1)} s`,
		result.distinctIds?.toLocaleString('en-US') ?? '–',
	]);
	return table(header, rows, 1);
}

/** Returns a Markdown table without padding. Aligns all columns after the first `textColumns` to the right. */
function table(header: string[], rows: string[][], textColumns: number): string {
	const align = header.map((_, column) => (column < textColumns ? 'left' : 'right'));
	return markdownTable([header, ...rows], { align, alignDelimiters: false });
}
