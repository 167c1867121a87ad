import { markdownTable } from 'markdown-table';
import { leastOften, leastSecondsOf, maxRequests, promisesOf } from './promises.mts';
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
	const promises = promisesOf(results);
	const missed = promises.filter(({ kept }) => !kept);
	const parts = [
		'# Benchmarks',
		`\`npm run bench\` wrote this page on ${machine.date}, with n8n ${machine.n8n} and Node.js ${machine.node}, on an ${machine.processor} with ${machine.cores} cores and ${machine.memoryGb} GB of memory. Your numbers will differ, but hardly the ratios.`,
	];
	if (timings.length > 0) {
		parts.push(
			'## Time',
			`The table shows medians in seconds. All contenders read from the same service and take turns in each round. The first round does not count. Ratios are medians over all rounds. The number in brackets is the highest allowed ratio. "${contenderNames.httpRequest}" is n8n's own HTTP Request node with cursor pagination, followed by Split Out, in the same n8n. The "${contenderNames.fetchLoop}" is a Node.js script without n8n, which shows the shortest possible time. The service rejects pages of more than ${largestPage.toLocaleString('en-US')} records. With the default page size, HTTP Request requests 100 records per page, and the loop requests ${largestPage.toLocaleString('en-US')}.`,
			timingTable(timings),
		);
	}
	if (shortLists) {
		parts.push('## Short lists', textOfShortLists(shortLists));
	}
	if (webhooks) {
		parts.push(
			'## Webhooks',
			`The first workflow has a webhook, Enrich, and a response to the webhook. The second has HTTP Request instead of Enrich. The table shows medians over ${webhooks.perSecond.node.length} rounds. Each round has ${webhooks.requests} requests, ${webhooks.inFlight} of them in flight at the same time, and ${webhooks.oneByOne} requests one at a time. n8n itself takes nearly all of the time. The node must return at least ${leastOften} times as many responses per second as HTTP Request. For a single request, it must not take longer than HTTP Request.`,
			webhookTable(webhooks),
		);
	}
	if (faults) {
		parts.push(
			'## Faults',
			`In the first two rows, the seventh request of a list of ${faults[0].records.toLocaleString('en-US')} records fails. In the last row, all responses to a billed call are lost, and Retry On Fail is on (3 attempts). The node must return all records, and the service must process its call only once.`,
			faultTable(faults),
		);
	}
	if (changes.length > 0) {
		parts.push('## Changes', changes.map(textOfChanges).join('\n\n'));
	}
	if (memory.length > 0) {
		parts.push(
			'## Memory',
			`The table shows the peak resident memory (VmHWM) of the n8n process during the export. Each export has its own process. "n8n alone" is the memory before the export. "Heap limit" is V8's \`--max-old-space-size\`. The benchmark fails unless the files contain each record exactly once. ${memoryTargets(memory)}`,
			memoryTable(memory),
		);
	}
	if (promises.length > 0) {
		const list = missed.map(
			({ promise, measured }) => `- Missed: ${promise} (measured: ${measured})`,
		);
		const allMet = `All ${promises.length} targets on this page are met.`;
		parts.push('## Targets', missed.length > 0 ? list.join('\n') : allMet);
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
		'ratio to HTTP Request',
		'ratio to fetch',
	];
	const rows = timings.map((timing) => {
		const { records, latencyMs, seconds } = timing;
		const ratioTo = (contender: Contender): string => {
			const target = timing.promises.find(({ other }) => other === contender);
			const ratio = `${medianOfRatios(seconds.node, seconds[contender]).toFixed(2)} ×`;
			return target === undefined ? ratio : `${ratio} (${target.most})`;
		};
		return [
			records.toLocaleString('en-US'),
			describePageSize(timing),
			latencyMs === 0 ? 'none' : `${latencyMs} ms`,
			String(seconds.node.length),
			...contenders.map((one) => median(seconds[one]).toFixed(2)),
			ratioTo('httpRequest'),
			ratioTo('fetchLoop'),
		];
	});
	return table(header, rows, 0);
}

/** Returns a paragraph about the times of a workflow that reads a short list for each input item. */
function textOfShortLists(result: ShortListsResult): string {
	const { lists, listsAtOnce, records, latencyMs, seconds, most } = result;
	const [node, other] = n8nNodes.map((rival) => median(seconds[rival]).toFixed(2));
	const ratio = medianOfRatios(seconds.node, seconds.httpRequest).toFixed(2);
	return `Each workflow reads a list of ${records} records for each of ${lists} input items, with one request per list and ${latencyMs} ms latency. In ${seconds.node.length} rounds, the node takes ${node} s, and ${contenderNames.httpRequest} takes ${other} s (ratio: ${ratio} ×). HTTP Request sends all ${lists} requests at once. The node reads only ${listsAtOnce} lists at once, to spare the service. The node may take at most ${most} times the ${leastSecondsOf(result).toFixed(1)} s that its requests alone take.`;
}

function webhookTable({ inFlight, perSecond, milliseconds }: WebhookResult): string {
	const row = (name: string, found: Record<Rival, number[]>): string[] => [
		name,
		...n8nNodes.map((rival) => median(found[rival]).toFixed(1)),
		`${medianOfRatios(found.node, found.httpRequest).toFixed(3)} ×`,
	];
	const header = ['Webhook', contenderNames.node, 'HTTP Request', 'ratio to HTTP Request'];
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

/** Returns a paragraph about the requests of Sync for a list in which the same records change in each round. */
function textOfChanges({ records, pageSize, changing, requests, quiet }: ChangesResult): string {
	const list = records.toLocaleString('en-US');
	const [average, later] = [requests, quiet].map((found) => mean(found).toFixed(1));
	return `In a list of ${list} records with page size ${pageSize}, the same ${changing} records change in each of ${requests.length} rounds. On average, Sync sends ${average} requests in the run that returns these records, and ${later} in a later run that finds no changes. The targets are at most ${maxRequests} requests with changes, and one without.`;
}

/** Returns a sentence about the targets of the memory measurement, or an empty text if no case has a target. */
function memoryTargets(memory: readonly MemoryResult[]): string {
	const [{ records }] = memory;
	const most = memory.find((result) => result.most !== undefined)?.most;
	if (most === undefined) return '';
	return `With more records, the peak for files may be at most ${most} times the peak for ${records.toLocaleString('en-US')} records.`;
}

function memoryTable(memory: readonly MemoryResult[]): string {
	const header = ['Output As', 'Records', 'Heap limit', 'n8n alone', 'Peak', 'Time'];
	const rows = memory.map((result) => [
		outputNames[result.output],
		result.records.toLocaleString('en-US'),
		result.heapMb === undefined ? 'default' : `${result.heapMb} MB`,
		`${Math.round(result.baseMb)} MB`,
		`${Math.round(result.peakMb)} MB`,
		// Leave out the duration with HTTP Request, because the table of times compares it with the node's duration
		// more exactly.
		result.output === 'httpRequest' ? '–' : `${result.seconds.toFixed(1)} s`,
	]);
	return table(header, rows, 1);
}

/** Returns a Markdown table without padding. Aligns all columns after the first `textColumns` to the right. */
function table(header: string[], rows: string[][], textColumns: number): string {
	const align = header.map((_, column) => (column < textColumns ? 'left' : 'right'));
	return markdownTable([header, ...rows], { align, alignDelimiters: false });
}
