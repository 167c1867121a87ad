import { parseArgs } from 'node:util';
import { ExplainedError, messageOf } from '../n8n/errors.mts';
import { largestPage, outputs, type MemoryCase, type TimingCase } from './types.mts';

/** What the command line of `npm run bench` asks for. */
export interface BenchOptions {
	/** Print the help and do nothing. */
	help: boolean;
	/** Timings of each contender and case, at least 1. */
	runs: number;
	timings: TimingCase[];
	memory: MemoryCase[];
	/** Most records that any case reads. */
	companies: number;
	/** Write docs/benchmarks.md and its chart; a quick run only prints. */
	write: boolean;
	/** Do not measure: write the documents from the last results again. */
	render: boolean;
}

/** Heap of the n8n that exports to files, in MB: what a container with little memory would give it. */
export const smallHeapMb = 420;

/** The help text. */
export const usage = `npm run bench -- [--quick] [--runs N] [--only time|memory] [--records N [--page-size N]] [--render]

  --quick      10,000 records once, and nothing is written: shows that the benchmark works
  --runs N     timings of each case, of which the median counts (5)
  --only PART  time or memory
  --records N  this many records only, at --page-size (100); nothing is written
  --render     write docs/benchmarks.md again from the last results, without measuring`;

const full: { timings: TimingCase[]; memory: MemoryCase[] } = {
	timings: [
		...[0, 20, 50, 100].map((latencyMs) => ({
			records: 10_000,
			pageSize: 'default' as const,
			latencyMs,
		})),
		...(['default', 100, largestPage] as const).map((pageSize) => ({
			records: 100_000,
			pageSize,
			latencyMs: 0,
		})),
		{ records: 1_000_000, pageSize: 'default', latencyMs: 0 },
	],
	memory: [
		...memoryCases([100_000, 1_000_000]),
		{ output: 'ndjson', records: 10_000_000, pageSize: null, heapMb: smallHeapMb },
	],
};

const quick: typeof full = {
	timings: [
		{ records: 10_000, pageSize: 'default', latencyMs: 50 },
		{ records: 10_000, pageSize: 100, latencyMs: 0 },
	],
	memory: memoryCases([10_000]),
};

function chosen(values: { records?: string; 'page-size': string }): typeof full {
	const records = Number(values.records);
	const pageSize = Number(values['page-size']);
	if (!Number.isInteger(records / pageSize) || pageSize < 1 || records < 1) {
		throw new ExplainedError('--records must be a multiple of --page-size, and both at least 1.');
	}
	return {
		timings: [{ records, pageSize, latencyMs: 0 }],
		memory: memoryCases([records], pageSize),
	};
}

function memoryCases(sizes: number[], pageSize: number | null = null): MemoryCase[] {
	return outputs.flatMap((output) =>
		sizes.map((records) => ({
			output,
			records,
			// So many pages are expected; the others find their size out.
			pageSize: output === 'pages' ? (pageSize ?? largestPage) : pageSize,
			// Items and pages hold everything, so a million of them need n8n's own, larger heap.
			...(output === 'ndjson' || output === 'csv' ? { heapMb: smallHeapMb } : {}),
		})),
	);
}

/**
 * Reads the command line.
 *
 * @throws ExplainedError for an unknown option or value
 */
export function readOptions(commandLine: string[]): BenchOptions {
	const values = parse(commandLine);
	const runs = Number(values.runs ?? (values.quick ? 1 : 5));
	if (!Number.isInteger(runs) || runs < 1) {
		throw new ExplainedError(`--runs must be a whole number of at least 1, not "${values.runs}".`);
	}
	if (values.only !== undefined && values.only !== 'time' && values.only !== 'memory') {
		throw new ExplainedError(`--only must be time or memory, not "${values.only}".`);
	}
	const cases = values.records === undefined ? (values.quick ? quick : full) : chosen(values);
	const timings = values.only === 'memory' ? [] : cases.timings;
	const memory = values.only === 'time' ? [] : cases.memory;
	return {
		help: values.help,
		runs,
		timings,
		memory,
		companies: Math.max(...[...timings, ...memory].map(({ records }) => records)),
		write: !values.quick && values.records === undefined,
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
				records: { type: 'string' },
				'page-size': { type: 'string', default: '100' },
				render: { type: 'boolean', default: false },
			},
		}).values;
	} catch (error) {
		throw new ExplainedError(`${messageOf(error)}\n\n${usage}`);
	}
}
