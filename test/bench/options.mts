import { parseArgs } from 'node:util';
import { ExplainedError, messageOf } from '../n8n/errors.mts';
import { recordsWithFault } from './faults.mts';
import {
	largestPage,
	outputs,
	pageSizeOf,
	type MemoryCase,
	type TimingCase,
	type WebhookLoad,
} from './types.mts';

/** What can be measured alone. */
const parts = ['time', 'webhooks', 'faults', 'memory'] as const;

interface Cases {
	timings: TimingCase[];
	webhooks?: WebhookLoad;
	memory: MemoryCase[];
}

/** What the command line of `npm run bench` asks for. */
export interface BenchOptions extends Cases {
	/** Print the help and do nothing. */
	help: boolean;
	/** Timings of each contender and case, at least 1. */
	runs: number;
	/** Count what comes out where something fails. */
	faults: boolean;
	/** Most records that any case reads. */
	companies: number;
	/** Write docs/maintainers/benchmarks.md; a quick run only prints. */
	write: boolean;
	/** Do not measure: write the document from the last results again. */
	render: boolean;
}

/** Heap of the n8n that exports to files, in MB: what a container with little memory would give it. */
export const smallHeapMb = 420;

/** The help text. */
export const usage = `npm run bench -- [--quick] [--runs N] [--only PART] [--render]

  --quick      10,000 records once, and nothing is written: shows that the benchmark works
  --runs N     timings of each case, of which the median counts (7);
               lists of 100,000 records without latency have three times as many
  --only PART  time, webhooks, faults or memory
  --render     write docs/maintainers/benchmarks.md again from the last results, without measuring`;

const full: Cases = {
	timings: [
		{ records: 10_000, pageSize: 'default', latencyMs: 0 },
		...(['default', 100, largestPage] as const).map((pageSize) => ({
			records: 100_000,
			pageSize,
			latencyMs: 0,
		})),
		// Last of these, since the first export after many seconds of waiting takes a quarter longer.
		...[20, 50, 100].map((latencyMs) => ({
			records: 10_000,
			pageSize: 'default' as const,
			latencyMs,
		})),
	],
	webhooks: { inFlight: 50, requests: 300, oneByOne: 60 },
	memory: [
		...memoryCases([100_000, 1_000_000]),
		{ output: 'ndjson', records: 10_000_000, pageSize: null, heapMb: smallHeapMb },
	],
};

const quick: Cases = {
	timings: [
		{ records: 10_000, pageSize: 'default', latencyMs: 50 },
		{ records: 10_000, pageSize: 100, latencyMs: 0 },
	],
	webhooks: { inFlight: 50, requests: 100, oneByOne: 20 },
	memory: memoryCases([10_000]),
};

function memoryCases(sizes: number[]): MemoryCase[] {
	// One size is enough to compare, and a million records have brought n8n to its limits on a busy machine.
	const ofHttpRequest = sizes.slice(0, 1).map((records) => ({
		output: 'httpRequest' as const,
		records,
		pageSize: pageSizeOf('httpRequest', 'default'),
	}));
	const ofNode = outputs.flatMap((output) =>
		sizes.map((records) => ({
			output,
			records,
			// So many pages are expected; the others find their size out.
			pageSize: output === 'pages' ? largestPage : null,
			// Items and pages hold everything, so a million of them need n8n's own, larger heap.
			...(output === 'ndjson' || output === 'csv' ? { heapMb: smallHeapMb } : {}),
		})),
	);
	return [...ofNode, ...ofHttpRequest];
}

/**
 * Reads the command line.
 *
 * @throws ExplainedError for an unknown option or value
 */
export function readOptions(commandLine: string[]): BenchOptions {
	const values = parse(commandLine);
	const runs = Number(values.runs ?? (values.quick ? 1 : 7));
	if (!Number.isInteger(runs) || runs < 1) {
		throw new ExplainedError(`--runs must be a whole number of at least 1, not "${values.runs}".`);
	}
	const only = parts.find((part) => part === values.only);
	if (values.only !== undefined && only === undefined) {
		throw new ExplainedError(`--only must be ${parts.join(', ')}, not "${values.only}".`);
	}
	const isWanted = (part: (typeof parts)[number]): boolean => only === undefined || only === part;
	const cases = values.quick ? quick : full;
	const timings = isWanted('time') ? cases.timings : [];
	const memory = isWanted('memory') ? cases.memory : [];
	const faults = isWanted('faults');
	return {
		help: values.help,
		runs,
		timings,
		webhooks: isWanted('webhooks') ? cases.webhooks : undefined,
		faults,
		memory,
		companies: Math.max(
			faults ? recordsWithFault : 1,
			...[...timings, ...memory].map(({ records }) => records),
		),
		write: !values.quick,
		render: values.render,
	};
}

function parse(commandLine: string[]) {
	try {
		return parseArgs({
			args: commandLine,
			options: {
				help: { type: 'boolean', default: false },
				quick: { type: 'boolean', default: false },
				runs: { type: 'string' },
				only: { type: 'string' },
				render: { type: 'boolean', default: false },
			},
		}).values;
	} catch (error) {
		throw new ExplainedError(`${messageOf(error)}\n\n${usage}`);
	}
}
