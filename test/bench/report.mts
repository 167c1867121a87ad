import { markdownTable } from 'markdown-table';
import { promisesOf } from './promises.mts';
import { mean, median, medianOfRatios } from './statistics.mts';
import {
	contenderNames,
	contenders,
	describePageSize,
	largestPage,
	n8nNodes,
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
	tooManyRequests: 'HTTP 429 once: returned records',
	brokenConnection: 'Connection reset once: returned records',
	lostAnswers: 'All responses to a call lost: times processed',
};

/** Returns the text of docs/maintainers/benchmarks.md. */
export function renderDocument(results: Results): string {
	const { machine, timings, shortLists, webhooks, faults, changes, memory } = results;
	const promises = promisesOf(results).map(({ promise, measured, kept }) => [
		promise,
		measured,
		kept ? 'met' : 'missed',
	]);
	const parts = [
		'# Benchmarks',
		`Written by \`npm run bench\` on ${machine.date}: n8n ${machine.n8n}, Node ${machine.node}, ${machine.processor} with ${machine.cores} cores and ${machine.memoryGb} GB. Your numbers will differ, but the ratios should be similar.`,
	];
	if (timings.length > 0) {
		parts.push(
			'## Time',
			`Medians in seconds. All contenders run in the same n8n, against the same service, on the same machine. They take turns in each round, and the first round does not count. "Against" is the median of the ratios of all rounds. "${contenderNames.httpRequest}" is n8n's own HTTP Request node with pagination by cursor, then Split Out. The "${contenderNames.fetchLoop}" is a Node script without n8n, which needs the least possible time. The service rejects pages of more than ${largestPage.toLocaleString('en-US')} records. With the default page size, HTTP Request requests 100 records per page, and the loop requests ${largestPage.toLocaleString('en-US')}.`,
			timingTable(timings),
		);
	}
	if (shortLists) {
		parts.push(
			'## Short lists',
			`One list for each input item, with one request each. Medians in seconds, measured and compared as above. HTTP Request sends all ${shortLists.lists} requests at once. The node reads ${shortLists.listsAtOnce} lists at once, so it needs more time, and the service receives fewer requests at once.`,
			shortListsTable(shortLists),
		);
	}
	if (webhooks) {
		parts.push(
			'## Webhooks',
			`A workflow with a webhook, Enrich, and a response to the webhook, compared with the same workflow with HTTP Request in place of Enrich. Medians of ${webhooks.perSecond.node.length} rounds, each with ${webhooks.requests} requests, ${webhooks.inFlight} of them in flight, and ${webhooks.oneByOne} requests one at a time. n8n itself takes nearly all of the time.`,
			webhookTable(webhooks),
		);
	}
	if (faults) {
		parts.push(
			'## Faults',
			`Number of returned records if the seventh request of a list of ${faults[0].records.toLocaleString('en-US')} records fails. For a billed call whose responses are all lost: how often the service processes the call, with Retry On Fail (3 attempts).`,
			faultTable(faults),
		);
	}
	if (changes.length > 0) {
		parts.push(
			'## Changes',
			'Number of requests that Sync sends if the same records of a long list change in each round: in the run that returns these records, and in a run that finds no change after the lookback window has passed.',
			changesTable(changes),
		);
	}
	if (memory.length > 0) {
		parts.push(
			'## Memory',
			'Peak memory of the n8n process during the export (resident, VmHWM). Each export has its own process. "n8n alone" is the memory before the export. "Heap limit" is V8\'s `--max-old-space-size`.',
			memoryTable(memory),
		);
	}
	if (promises.length > 0) {
		parts.push('## Targets', table(['Target', 'Measured', ''], promises, 1));
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
			`${medianOfRatios(seconds.node, seconds[other]).toFixed(2)} ×`;
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
		...n8nNodes.map((rival) => median(seconds[rival]).toFixed(2)),
		`${medianOfRatios(seconds.node, seconds.httpRequest).toFixed(2)} ×`,
	];
	return table([...header, ...names], [row], 0);
}

function webhookTable({ inFlight, perSecond, milliseconds }: WebhookResult): string {
	const row = (name: string, found: Record<Rival, number[]>): string[] => [
		name,
		...n8nNodes.map((rival) => median(found[rival]).toFixed(1)),
		`${medianOfRatios(found.node, found.httpRequest).toFixed(3)} ×`,
	];
	const header = ['Webhook', contenderNames.node, 'HTTP Request', 'against HTTP Request'];
	const rows = [
		row(`${inFlight} in flight: responses per second`, perSecond),
		row('one at a time: milliseconds', milliseconds),
	];
	return table(header, rows, 1);
}

function faultTable(faults: readonly FaultResult[]): string {
	const header = ['Fault', contenderNames.node, 'HTTP Request'];
	const rows = faults.map(({ name, counts }) => [
		faultNames[name],
		...n8nNodes.map((rival) => counts[rival].toLocaleString('en-US')),
	]);
	return table(header, rows, 1);
}

function changesTable(changes: readonly ChangesResult[]): string {
	const header = [
		'Records',
		'Page size',
		'Change',
		'Rounds',
		'Requests with changes',
		'Requests without changes',
	];
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
		'IDs in the files',
	];
	const rows = memory.map((result) => [
		outputNames[result.output],
		result.records.toLocaleString('en-US'),
		result.heapMb === undefined ? 'default' : `${result.heapMb} MB`,
		`${Math.round(result.baseMb)} MB`,
		`${Math.round(result.peakMb)} MB`,
		// Leave out the duration with HTTP Request, because the table of times compares it with the node's duration
		// more exactly.
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
